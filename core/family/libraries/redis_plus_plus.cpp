// SPDX-License-Identifier: GPL-3.0-or-later
// redis-plus-plus: random letters and digits, renewed by a thread of their own.
#include "core/family/familytable.h"

namespace lockscope {

constinit const FamilySpec families::redis_plus_plus{
    .name = "redis-plus-plus",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-plus-plus lock"),
    .stored = "string: 20 letters or digits",
    .proof = provenByRule,
    .prevalence = 42,
    .ownerImpact = OwnerImpact::FailsRenewal,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Letters20},
    .matchString = matchByFormat,
};

} // namespace lockscope
