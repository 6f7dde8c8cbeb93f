// SPDX-License-Identifier: GPL-3.0-or-later
// @microfleet/ioredis-lock: a UUID for each lock object.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

constinit const FamilySpec families::microfleet_ioredis_lock{
    .name = "microfleet-ioredis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "@microfleet/ioredis-lock lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 36,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

} // namespace lockscope
