// SPDX-License-Identifier: GPL-3.0-or-later
// RedLock.net: its renewal writes a lock that is gone anew.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::redlock_net{
    .name = "redlock-net",
    .noun = QT_TRANSLATE_NOOP("phrases", "RedLock.net lock"),
    .stored = "string: UUID, under `redlock:…`",
    .proof = provenByRule,
    .prevalence = 62,
    .ownerImpact = OwnerImpact::RewritesLock,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchRedlockUuid,
};

} // namespace lockscope
