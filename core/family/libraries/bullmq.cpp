// SPDX-License-Identifier: GPL-3.0-or-later
// BullMQ: the lock of a job, with a token for each worker.
#include "core/family/familytable.h"
#include "core/family/libraries/bull.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    const bool isJob = !jobKeyOf(string.key).isEmpty();
    const bool isNamed = isJob && (string.key.startsWith("bull:") || string.key.startsWith("{bull}:"));
    if (!isJob)
        return std::nullopt;
    return StringMatch{contentEvidence(isNamed, string.ttl.has_value())};
}

} // namespace

constinit const FamilySpec families::bullmq{
    .name = "bullmq",
    .noun = QT_TRANSLATE_NOOP("phrases", "BullMQ job lock"),
    .stored = "string: `<uuid>:<number>`, under `bull:…:lock`, with the job's hash",
    .library = "bull",
    .proof = {.certain = {{Evidence::Content, Evidence::Companions}, {Evidence::Content, Evidence::Name}}},
    .prevalence = 89,
    .usualNames = "bull:*:*:lock",
    .ownerImpact = OwnerImpact::JobReassigned,
    .acquire = AcquireSupport::IsJob,
    .renews = true,
    .strings = {TokenFormat::CountedUuid},
    .matchString = matchString,
    .matchCompanions = matchJob<TokenFormat::CountedUuid>,
    .ownerFacts = jobOwner,
    .companions = {.mayHave = mayHaveJob<TokenFormat::CountedUuid>,
                   .queries = jobQueries,
                   .decideKind = true},
    .scripts = &jobScripts,
    .wakeEffect = "",
};

} // namespace lockscope
