// SPDX-License-Identifier: GPL-3.0-or-later
// Hangfire.Redis: a UUID for each process.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    if (string.key.startsWith("{hangfire}:"))
        return StringMatch{contentEvidence(true, string.ttl.has_value())};
    return matchIf(string.key.startsWith('{'));
}

} // namespace

constinit const FamilySpec families::hangfire{
    .name = "hangfire",
    .noun = QT_TRANSLATE_NOOP("phrases", "Hangfire lock"),
    .stored = "string: UUID, under `{hangfire}:…`",
    .proof = provenByOwnNameAndLease,
    .prevalence = 84,
    .ownerImpact = OwnerImpact::Unaware,
    .renews = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchString,
    .ownerFacts = uuidClient,
};

} // namespace lockscope
