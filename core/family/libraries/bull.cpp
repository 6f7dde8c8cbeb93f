// SPDX-License-Identifier: GPL-3.0-or-later
// Bull and BullMQ: the lock of a job, beside the hash of that job. Bull has one token for each queue object, BullMQ one for each
// worker.
#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/familytable.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

namespace {

/// The name of the job of a lock with this name, as both libraries build it; empty for other names.
QByteArrayView jobKeyOf(QByteArrayView key)
{
    constexpr QByteArrayView suffix = ":lock";
    if (!key.endsWith(suffix))
        return {};
    const QByteArrayView job = key.chopped(suffix.size());
    const qsizetype first = job.indexOf(':');
    const qsizetype second = first < 1 ? -1 : job.indexOf(':', first + 1);
    return second > first + 1 && second + 1 < job.size() ? job : QByteArrayView();
}

/// The part of the job's key after prefix and queue. Custom prefixes may have colons: then it is the last
/// part, or the last three for a repeating job.
QByteArrayView jobIdOf(QByteArrayView key)
{
    const QByteArrayView job = jobKeyOf(key);
    if (job.startsWith("bull:") || job.startsWith("{bull}:"))
        return job.sliced(job.indexOf(':', job.indexOf(':') + 1) + 1);
    const qsizetype repeat = job.lastIndexOf(QByteArrayView(":repeat:"));
    return job.sliced((repeat < 0 ? job.lastIndexOf(':') : repeat) + 1);
}

/// True if the hash has a creation time in ms and an object of options, as all jobs of both libraries. Other
/// hashes have a timestamp too; the job's data may be megabytes.
bool isJobHash(const Reply &timestamp, const Reply &options)
{
    constexpr qsizetype msLength = 13;
    return timestamp.isText() && timestamp.text.size() == msLength && isDigits(timestamp.text) &&
           options.isText() && options.text.startsWith('{') && options.text.endsWith('}');
}

void append(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    const QByteArrayView job = jobKeyOf(lock.key().bytes);
    batch.add({"EXISTS", job});
    batch.add({"HMGET", job, "processedOn", "pb", "timestamp", "opts"});
}

CompanionQueries take(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                      Family self)
{
    constexpr size_t fields = 4;
    reading.read.insert(self);
    const std::vector<Reply> &values = replies[1].elements;
    if (!isThere(replies[0]) || values.size() != fields)
        return {};
    if (isJobHash(values[2], values[3]))
        reading.state.implied.insert(self);
    reading.state.startedMs = epochMsIn(textIn(values[0]));
    reading.state.worker = textIn(values[1]);
    return {};
}

QByteArray pattern(const Lock &lock)
{
    const QByteArray job = jobKeyOf(lock.key().bytes).toByteArray();
    return escapedGlob(job.left(job.lastIndexOf(':') + 1)) + '*';
}

constexpr std::array commands{QByteArrayView("exists"), QByteArrayView("hmget")};

/// Reads whether the job exists, its worker and start time.
constexpr CompanionQuery jobQuery{
    .commands = commands, .weight = 2, .append = append, .take = take, .pattern = pattern};
constexpr std::array jobQueries{&jobQuery};

OwnerFacts jobOwner(const LockKey &key, const OwnerId &owner)
{
    const QByteArrayView bytes = owner.bytes;
    OwnerFacts facts;
    facts.job = jobIdOf(key.bytes).toByteArray();
    if (bytes.size() < uuidLength || !isUuid(bytes.first(uuidLength)))
        return facts;
    facts.client = bytes.first(uuidLength).toByteArray();
    if (bytes.size() > uuidLength + 1)
        facts.worker = bytes.sliced(uuidLength + 1).toByteArray();
    return facts;
}

ActiveJob activeJob(QByteArrayView key)
{
    const QByteArrayView job = jobKeyOf(key);
    if (job.isEmpty())
        return {};
    const QByteArray id = jobIdOf(key).toByteArray();
    return {job.chopped(id.size()).toByteArray() + "active", id};
}

/// True for the marker of a queue of jobs.
bool isStalledCheck(QByteArrayView key)
{
    constexpr QByteArrayView stalled = ":stalled-check";
    if (!key.endsWith(stalled))
        return false;
    const QByteArrayView queue = key.chopped(stalled.size());
    const qsizetype colon = queue.lastIndexOf(':');
    return colon > 0 && colon + 1 < queue.size();
}

/// Matches a token under the name of a job's lock, unproven by its content alone.
template <TokenFormat format>
bool mayHaveJob(const Lock &lock)
{
    const bool isOpen =
        certaintyOf(lock) == Certainty::Ambiguous || specOf(lock.family).scripts == &jobScripts;
    return lock.type == KeyType::String && isOpen && lock.owners.size() == 1 &&
           !jobKeyOf(lock.key().bytes).isEmpty() && shapeOf(lock.owners.front().owner.bytes) == format;
}

template <TokenFormat format>
std::optional<EvidenceSet> matchJob(const Lock &lock)
{
    if (!mayHaveJob<format>(lock))
        return std::nullopt;
    return EvidenceSet{Evidence::Content, Evidence::Companions};
}

std::optional<StringMatch> matchBull(const StringValue &string)
{
    return matchIf(!jobKeyOf(string.key).isEmpty());
}

std::optional<StringMatch> matchBullMq(const StringValue &string)
{
    const bool isJob = !jobKeyOf(string.key).isEmpty();
    const bool isNamed = isJob && (string.key.startsWith("bull:") || string.key.startsWith("{bull}:"));
    if (!isJob)
        return std::nullopt;
    return StringMatch{contentEvidence(isNamed, string.ttl.has_value())};
}

/// Refuses names with the default prefix of both libraries: locks of jobs, existing or not.
Phrase nameRefusal(QByteArrayView key)
{
    if ((!key.startsWith("bull:") && !key.startsWith("{bull}:")) || jobKeyOf(key).isEmpty())
        return {};
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "Bull overwrites this key without checking its owner. Pause the queue instead."));
}

} // namespace

constinit const FamilySpec families::bull{
    .name = "bull",
    .noun = QT_TRANSLATE_NOOP("phrases", "Bull job lock"),
    .stored = "string: UUID, under `…:lock`, with the job's hash",
    .library = "bull",
    .proof = {.certain = {{Evidence::Content, Evidence::Companions}}},
    .prevalence = 88,
    .usualNames = {"bull:*:*:lock"},
    .ownerImpact = OwnerImpact::JobReassigned,
    .acquire = AcquireSupport::IsJob,
    .renews = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchBull,
    .matchCompanions = matchJob<TokenFormat::Uuid>,
    .isCommonKey = isStalledCheck,
    .activeJob = activeJob,
    .ownerFacts = jobOwner,
    .companions = {.mayHave = mayHaveJob<TokenFormat::Uuid>, .queries = jobQueries, .decideKind = true},
    .scripts = &jobScripts,
    .nameRefusal = nameRefusal,
    .wakeEffect = "",
};

constinit const FamilySpec families::bullmq{
    .name = "bullmq",
    .noun = QT_TRANSLATE_NOOP("phrases", "BullMQ job lock"),
    .stored = "string: `<uuid>:<number>`, under `bull:…:lock`, with the job's hash",
    .library = "bull",
    .proof = {.certain = {{Evidence::Content, Evidence::Companions}, {Evidence::Content, Evidence::Name}}},
    .prevalence = 89,
    .usualNames = {"bull:*:*:lock"},
    .ownerImpact = OwnerImpact::JobReassigned,
    .acquire = AcquireSupport::IsJob,
    .renews = true,
    .strings = {TokenFormat::CountedUuid},
    .matchString = matchBullMq,
    .matchCompanions = matchJob<TokenFormat::CountedUuid>,
    .ownerFacts = jobOwner,
    .companions = {.mayHave = mayHaveJob<TokenFormat::CountedUuid>,
                   .queries = jobQueries,
                   .decideKind = true},
    .scripts = &jobScripts,
    .wakeEffect = "",
};

} // namespace lockscope
