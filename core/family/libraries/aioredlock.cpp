// SPDX-License-Identifier: GPL-3.0-or-later
// aioredlock: a UUID for each acquisition, written anew by a watchdog that finds it gone.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::aioredlock{
    .name = "aioredlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "aioredlock lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 40,
    .ownerImpact = OwnerImpact::RewritesLock,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

} // namespace lockscope
