// SPDX-License-Identifier: GPL-3.0-or-later
// redislock for Node: a UUID of version 1 for each lock object.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::redislock{
    .name = "redislock",
    .noun = QT_TRANSLATE_NOOP("phrases", "redislock lock (Node)"),
    .stored = "string: UUID version 1",
    .proof = provenByRule,
    .prevalence = 34,
    .strings = {TokenFormat::Uuid},
    .matchString = matchUuid1,
};

} // namespace lockscope
