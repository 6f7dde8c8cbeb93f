// SPDX-License-Identifier: GPL-3.0-or-later
// node-redlock: 32 random hex digits.
#include "core/family/familytable.h"

namespace lockscope {

constinit const FamilySpec families::node_redlock{
    .name = "node-redlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "node-redlock lock"),
    .stored = "string: hex of 16 bytes",
    .proof = provenByRule,
    .prevalence = 68,
    .maySpanServers = true,
    .strings = {TokenFormat::Hex32},
    .matchString = matchByFormat,
};

} // namespace lockscope
