// SPDX-License-Identifier: GPL-3.0-or-later
// sidekiq-unique-jobs: a hash of the jobs that hold a digest, with lists of those that wait.
#include "core/family/familytable.h"
#include "core/family/forms.h"
#include "core/family/unwrap.h"
#include "core/model/actionrequest.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// True for a name that the library derives from a job's arguments.
bool isDigest(QByteArrayView key)
{
    constexpr QByteArrayView run = ":RUN";
    if (key.endsWith(run))
        key = key.chopped(run.size());
    const qsizetype colon = key.lastIndexOf(':');
    const qsizetype length = key.size() - colon - 1;
    return colon > 0 && (length == 32 || length == 64) && isLowerHex(key.sliced(colon + 1));
}

constexpr QByteArrayView prefix = "uniquejobs:";
constexpr QByteArrayView lockedSuffix = ":LOCKED";
constexpr QByteArrayView runSuffix = ":RUN";
constexpr qsizetype jobIdLength = 24;

/// Facts about a job in JSON, or only a time.
OwnerFacts factsIn(const QByteArray &value)
{
    OwnerFacts facts;
    facts.sinceMs = momentOf(PartType::EpochS, value);
    for (const auto &[name, text] : jsonFields(value)) {
        if (name == "worker")
            facts.jobClass = text;
        else if (name == "queue")
            facts.queue = text;
        else if (name == "time")
            facts.sinceMs = momentOf(PartType::EpochS, text);
    }
    return facts;
}

/// Each job has a time, or details.
std::optional<OwnersMatch> matchHash(const HashValue &hash)
{
    if (!hash.key.endsWith(lockedSuffix) || !isDigest(hash.key.chopped(lockedSuffix.size())))
        return std::nullopt;
    QList<LockOwner> jobs;
    for (const auto &[job, value] : hash.content.fields) {
        const bool isTime = !value.isEmpty() && isDigits(QByteArrayView(value).first(1));
        if (job.size() != jobIdLength || !isLowerHex(job) || (!isTime && !value.startsWith('{')))
            return std::nullopt;
        jobs.append({OwnerId(job), {}, 1, HoldMode::Exclusive, SharedValue(factsIn(value))});
    }
    return holding(std::move(jobs), contentEvidence(hash.key.contains(prefix), false), hash.content.complete);
}

bool isMine(const Lock &lock)
{
    return isOf(lock, families::sidekiq_unique_jobs) && lock.key().bytes.endsWith(lockedSuffix);
}

/// True if the lock's digest is in the index of digests.
std::optional<EvidenceSet> matchCompanions(const Lock &lock)
{
    if (!isMine(lock))
        return std::nullopt;
    return lock.evidence | EvidenceSet{Evidence::Content, Evidence::Companions};
}

/// A string named like the digest holds the job for which it was made.
LockKey parentOfString(const StringValue &string)
{
    const bool isJob = string.value.size() == jobIdLength && isLowerHex(string.value);
    if (!isJob || !string.key.contains(prefix) || !isDigest(string.key))
        return {};
    return LockKey(string.key.toByteArray() + lockedSuffix.toByteArray());
}

LockKey parentOfName(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 3> suffixes{":QUEUED", ":PRIMED", ":INFO"};
    const auto suffix =
        std::ranges::find_if(suffixes, [key](QByteArrayView ending) { return key.endsWith(ending); });
    if (suffix == suffixes.end())
        return {};
    const QByteArrayView digest = key.chopped(suffix->size());
    const qsizetype at = digest.indexOf(prefix);
    if (at < 0 || (at > 0 && digest[at - 1] != ':') || !isDigest(digest))
        return {};
    return LockKey(digest.toByteArray() + lockedSuffix.toByteArray());
}

bool isCommonKey(QByteArrayView key)
{
    return key == "uniquejobs:digests" || key == "uniquejobs:expiring_digests";
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    facts.job = owner.bytes;
    return facts;
}

QByteArray digestOf(const LockKey &lock)
{
    return lock.bytes.chopped(lockedSuffix.size());
}

QByteArray queueOf(const LockKey &lock)
{
    return digestOf(lock) + ":QUEUED";
}

/// False for elements that only wake: they are no job IDs.
bool isWaiter(QByteArrayView member)
{
    return member != "1";
}

void append(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    batch.add({"LRANGE", queueOf(lock.key()), "0", lastWaiterAsked});
    batch.add({"ZSCORE", "uniquejobs:digests", digestOf(lock.key())});
}

CompanionQueries take(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                      Family self)
{
    reading.read.insert(self);
    if (replies[1].isText())
        reading.state.implied.insert(self);
    takeQueue(reading, replies[0], self);
    return {};
}

/// Reads the job's details, if the application stores them.
void appendInfo(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    batch.add({"GETRANGE", digestOf(lock.key()) + ":INFO", "0", "4095"});
}

/// Their time is that of the request; LOCKED has that of the acquisition.
CompanionQueries takeInfo(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                          Family self)
{
    reading.read.insert(self);
    OwnerFacts facts = factsIn(textIn(replies[0]));
    facts.sinceMs = {};
    if (!(facts == OwnerFacts()))
        reading.state.facts = SharedValue(facts);
    return {};
}

constexpr std::array commands{QByteArrayView("lrange"), QByteArrayView("zscore")};
constexpr std::array infoCommands{QByteArrayView("getrange")};
constexpr CompanionQuery digestQuery{.commands = commands,
                                     .weight = 3,
                                     .append = append,
                                     .take = take,
                                     .pattern = [](const Lock &) -> QByteArray { return "*uniquejobs:*"; }};
constexpr CompanionQuery infoQuery{.commands = infoCommands,
                                   .apart = 1,
                                   .append = appendInfo,
                                   .take = takeInfo,
                                   .pattern = [](const Lock &) -> QByteArray { return "*uniquejobs:*"; }};
constexpr std::array queries{&digestQuery, &infoQuery};

/// The keys of a digest, and of the lock during its run.
QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    const QByteArray digest = digestOf(request.key);
    // An application may have one for all of its keys.
    const QByteArray space = digest.first(std::max<qsizetype>(digest.indexOf(prefix), 0));
    const auto five = [](const QByteArray &name) {
        return QByteArrayList{name + ":LOCKED", name, name + ":QUEUED", name + ":PRIMED", name + ":INFO"};
    };
    QByteArrayList keys = five(digest).mid(1);
    keys += {space + "uniquejobs:digests", space + "uniquejobs:expiring_digests"};
    return digest.endsWith(runSuffix) ? keys : keys + five(digest + runSuffix.toByteArray());
}

std::optional<Phrase> validationError(const ActionRequest &request)
{
    return request.key.bytes.endsWith(lockedSuffix) ? std::nullopt
                                                    : std::optional(namedOtherwise(request.family));
}

constexpr Scripts scripts{.forceExpire = {"sidekiq-unique-jobs/force-expire"},
                          .canEndSome = true,
                          .needsGraceless = true,
                          .keys = keys,
                          .validationError = validationError};

} // namespace

constinit const FamilySpec families::sidekiq_unique_jobs{
    .name = "sidekiq-unique-jobs",
    .noun = QT_TRANSLATE_NOOP("phrases", "sidekiq-unique-jobs lock"),
    .stored = "hash of job IDs, under `…:LOCKED`",
    .proof = {.certain = {{Evidence::Content, Evidence::Name}, {Evidence::Content, Evidence::Companions}},
              .likely = {Evidence::Content}},
    .prevalence = 60,
    .usualNames = {"uniquejobs:*:LOCKED"},
    .wake = WaitMechanism::ListPush,
    .ownerImpact = OwnerImpact::Unaware,
    .acquire = AcquireSupport::IsJob,
    .severalOwners = true,
    .canLackExpiry = true,
    .hasQueue = true,
    .fields = {FieldFormat::JobId},
    .matchHash = matchHash,
    .matchCompanions = matchCompanions,
    .parentOfString = parentOfString,
    .parentOfName = parentOfName,
    .isCommonKey = isCommonKey,
    .ownerFacts = ownerFacts,
    .threadIdentity = wholeId,
    .companions = {.mayHave = isMine, .queries = queries, .queue = queueOf, .isWaiter = isWaiter},
    .scripts = &scripts,
    .wakeEffect = QT_TRANSLATE_NOOP("phrases", "A waiting job is woken through its queue."),
    .companionNote = QT_TRANSLATE_NOOP(
        "phrases", "If no jobs wait, its lists and digest entry are removed. A runtime lock (:RUN) is kept."),
    .needsExplicitWakeUp = true,
};

} // namespace lockscope
