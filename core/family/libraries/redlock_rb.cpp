// SPDX-License-Identifier: GPL-3.0-or-later
// redlock-rb: a UUID for each acquisition. What extends it writes it anew where it is gone, unless told otherwise.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::redlock_rb{
    .name = "redlock-rb",
    .noun = QT_TRANSLATE_NOOP("phrases", "redlock-rb lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 38,
    .ownerImpact = OwnerImpact::RewritesLock,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

} // namespace lockscope
