// SPDX-License-Identifier: GPL-3.0-or-later
// ioredis-lock: a UUID of version 1 for each lock object.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::ioredis_lock{
    .name = "ioredis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "ioredis-lock lock"),
    .stored = "string: UUID version 1",
    .proof = provenByRule,
    .prevalence = 32,
    .strings = {TokenFormat::Uuid},
    .matchString = matchUuid1,
};

} // namespace lockscope
