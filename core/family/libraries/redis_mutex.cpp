// SPDX-License-Identifier: GPL-3.0-or-later
// redis-mutex for Node: every holder writes the same word, renews whatever stands there, and exits where nothing does.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    if (string.value != "mutex")
        return std::nullopt;
    return StringMatch{contentEvidence(false, string.ttl.has_value())};
}

} // namespace

constinit const FamilySpec families::redis_mutex{
    .name = "redis-mutex",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-mutex lock (Node)"),
    .stored = "string: `mutex`",
    .proof = provenByRule, // anybody may write that word, and write it again
    .prevalence = 26,
    .ownerImpact = OwnerImpact::Exits,
    .renews = true,
    .strings = {TokenFormat::Other},
    .matchString = matchString,
};

} // namespace lockscope
