// SPDX-License-Identifier: GPL-3.0-or-later
// celery-once: a task that is to run once at a time.
#include "core/family/familytable.h"
#include "core/family/libraries/redis_py.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::celery_once{
    .name = "celery-once",
    .noun = QT_TRANSLATE_NOOP("phrases", "Celery Once task lock"),
    .stored = "as `redis-py`, under `qo_…`",
    .proof = provenByHint,
    .prevalence = 94,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::CeleryOnce); },
    .ownerFacts = uuid1Owner,
    .wakeEffect =
        QT_TRANSLATE_NOOP("phrases", "Nobody waits for such a lock. The task can start when it is next due."),
};

} // namespace lockscope
