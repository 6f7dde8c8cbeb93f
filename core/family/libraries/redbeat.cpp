// SPDX-License-Identifier: GPL-3.0-or-later
// redbeat: the scheduler of Celery keeps the lock, and so the token that it began with, for as long as it runs.
#include "core/family/familytable.h"
#include "core/family/libraries/redis_py.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::redbeat{
    .name = "redbeat",
    .noun = QT_TRANSLATE_NOOP("phrases", "RedBeat scheduler lock"),
    .stored = "as `redis-py`, under `…redbeat::lock`",
    .proof = provenByOwnName,
    .prevalence = 70,
    .ownerImpact = OwnerImpact::FailsRenewal,
    .renews = true,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::Redbeat); },
    .ownerFacts = uuid1Owner,
    .wakeEffect = QT_TRANSLATE_NOOP("phrases", "No waiter is notified. A standby scheduler finds the lock "
                                               "free at its next check, which can be minutes away."),
};

} // namespace lockscope
