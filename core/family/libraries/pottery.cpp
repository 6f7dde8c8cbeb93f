// SPDX-License-Identifier: GPL-3.0-or-later
// pottery's Redlock.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::pottery{
    .name = "pottery",
    .noun = QT_TRANSLATE_NOOP("phrases", "pottery lock"),
    .stored = "string: UUID, under `redlock:…`",
    .proof = provenByRule,
    .prevalence = 50,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchRedlockUuid,
};

} // namespace lockscope
