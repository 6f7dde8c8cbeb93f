// SPDX-License-Identifier: GPL-3.0-or-later
// bsm/redislock: 16 random bytes, and what the application adds.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

/// What the application adds to its token is where teams put the owner.
OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    constexpr qsizetype tokenLength = 22;
    OwnerFacts facts;
    facts.metadata = owner.bytes.mid(tokenLength);
    return facts;
}

} // namespace

constinit const FamilySpec families::bsm_redislock{
    .name = "bsm-redislock",
    .noun = QT_TRANSLATE_NOOP("phrases", "bsm/redislock lock"),
    .stored = "string: URL-safe base64 of 16 bytes, then metadata",
    .proof = provenByRule,
    .prevalence = 60,
    .strings = {TokenFormat::Url16, TokenFormat::Url16AndMore, TokenFormat::Url16MaybeMore},
    .matchString = matchByFormat,
    .ownerFacts = ownerFacts,
};

} // namespace lockscope
