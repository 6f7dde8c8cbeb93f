// SPDX-License-Identifier: GPL-3.0-or-later
// django-redis: the lock of Django's cache.
#include "core/family/familytable.h"
#include "core/family/libraries/redis_py.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::django_redis{
    .name = "django-redis",
    .noun = QT_TRANSLATE_NOOP("phrases", "django-redis cache lock"),
    .stored = "as `redis-py`, under `:1:…`",
    .proof = provenByHint,
    .prevalence = 93,
    .canLackExpiry = true,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::DjangoCache); },
    .ownerFacts = uuid1Owner,
};

} // namespace lockscope
