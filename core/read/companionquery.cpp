// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companionquery.h"

#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/family.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <array>

namespace lockscope {

using enum CompanionQuery;
using Part = CompanionAccess::Part;
using Questions = std::vector<CompanionQuery>;

namespace {

constexpr QByteArrayView lastWaiterAsked = "63";      // of Waiters::most
constexpr qint64 permitForEver = 922'337'203'685'477; // as Redisson writes it
constexpr QByteArrayView lastPermitAsked = "64";      // one more than are kept
constexpr QByteArrayView lastByteOfToken = "31";      // a number of 64 bits has 20
constexpr QByteArrayView lastByteOfOwner = "511";
constexpr QByteArrayView digests = "uniquejobs:digests";
constexpr QByteArrayView digestSuffix = ":LOCKED";
constexpr QByteArrayView readersSuffix = ".readers";
constexpr QByteArrayView writerSuffix = ".writer";
/// sidekiq-unique-jobs wakes by an element that is no job's id.
constexpr QByteArrayView wakeElement = "1";

QByteArray digestOf(const Lock &lock)
{
    return lock.key().bytes.chopped(digestSuffix.size());
}

QByteArray queueKeyOf(const Lock &lock, bool isHandoff)
{
    if (lock.family == Family::SidekiqUniqueJobs)
        return digestOf(lock) + ":QUEUED";
    return isHandoff ? HandoffKeys(lock.key()).queue : RedissonKeys(lock.key()).queue;
}

/// Epoch ms as the libraries write them; absent for anything else.
CompactOptional<qint64> epochMs(const QByteArray &text)
{
    bool isNumber = false;
    const double ms = text.toDouble(&isNumber); // a score may have a fraction
    return isNumber && ms > 0 && ms < 1e16 ? CompactOptional(static_cast<qint64>(ms))
                                           : CompactOptional<qint64>();
}

QByteArray textOf(const Reply &reply)
{
    return reply.isText() ? reply.text : QByteArray();
}

bool isThere(const Reply &reply)
{
    return reply.isInteger() && reply.integer > 0;
}

Questions takeQueue(const Lock &lock, PartialCompanionState &seen, const Reply &members)
{
    if (members.isError() && !members.text.startsWith("WRONGTYPE"))
        return {}; // on another node
    Waiters &waiters = seen.beside.waiters;
    const QList<Waiter> queue = besides::queueFrom(lock, members);
    if (!waiters.queue.isEmpty() || (seen.queueRead && queue.isEmpty()))
        return {}; // the other kind of queue has been there
    seen.queueRead = true;
    waiters.queue = queue;
    waiters.count = queue.size();
    seen.beside.hasQueue =
        seen.beside.hasQueue || (lock.family != Family::SidekiqUniqueJobs && !queue.isEmpty());
    seen.isLonger = members.elements.size() >= static_cast<size_t>(Waiters::most);
    return seen.isLonger ? Questions{Length} : Questions();
}

void takeTimes(QList<Waiter> &queue, const std::vector<Reply> &members)
{
    for (size_t i = 0; i + 1 < members.size(); i += 2) {
        const auto waiter = std::ranges::find(queue, OwnerId(members[i].text), &Waiter::id);
        if (waiter != queue.end())
            waiter->timeoutAtMs = epochMs(members[i + 1].text);
    }
}

/// Both libraries give every job a time when it was made, in ms, and an object of options; other things have a timestamp
/// too. Its data tell as much, but may be megabytes.
bool isJobHash(const Reply &timestamp, const Reply &options)
{
    constexpr qsizetype msLength = 13;
    return timestamp.isText() && timestamp.text.size() == msLength && isDigits(timestamp.text) &&
           options.isText() && options.text.startsWith('{') && options.text.endsWith('}');
}

void takePermits(const Lock &lock, CompanionState &beside, const Reply &members,
                 const QByteArray &freePermits)
{
    if (!isCount(freePermits))
        return;
    QList<Permit> permits;
    for (size_t i = 0; i + 1 < members.elements.size(); i += 2) {
        const QByteArray &id = members.elements[i].text;
        if (id.size() != permitIdLength) // a sorted set of that name may hold other things
            return;
        const CompactOptional<qint64> expiresAtMs = epochMs(members.elements[i + 1].text);
        permits.append({OwnerId(id), expiresAtMs && *expiresAtMs < permitForEver
                                         ? expiresAtMs
                                         : CompactOptional<qint64>()});
    }
    beside.isSemaphore = beside.isSemaphore || !permits.isEmpty();
    if (!beside.isSemaphore && lock.family != Family::RedissonSemaphore)
        return;
    beside.morePermits = permits.size() > CompanionState::mostPermits;
    permits.resize(std::min(permits.size(), CompanionState::mostPermits));
    std::ranges::sort(permits, {}, &Permit::id);
    beside.permits = permits;
    beside.freePermits = freePermits;
}

Part partOf(CompanionQuery question)
{
    switch (question) {
    case AnyProbe:
        return Part::Any;
    case RedissonProbe:
    case RedissonQueue:
    case RedissonFence:
    case Permits:
        return Part::Redisson;
    case Twin:
        return Part::Twin;
    case HandoffProbe:
    case HandoffQueue:
    case HandoffWaiters:
    case HandoffFence:
        return Part::Handoff;
    case Job:
        return Part::Job;
    case DigestQueue:
        return Part::Digest;
    case WaitingWriter:
        return Part::Writer;
    case Length: // its queue could be read
        break;
    }
    return Part::Length;
}

/// The names of those that append() adds.
std::span<const QByteArrayView> commandsOf(CompanionQuery question)
{
    static constexpr std::array exists{QByteArrayView("exists")};
    static constexpr std::array text{QByteArrayView("getrange")};
    static constexpr std::array list{QByteArrayView("lrange")};
    static constexpr std::array listAndTimes{QByteArrayView("lrange"), QByteArrayView("zrange")};
    static constexpr std::array listAndScore{QByteArrayView("lrange"), QByteArrayView("zscore")};
    static constexpr std::array fields{QByteArrayView("hmget")};
    static constexpr std::array existsAndFields{QByteArrayView("exists"), QByteArrayView("hmget")};
    static constexpr std::array timesAndText{QByteArrayView("zrange"), QByteArrayView("getrange")};
    static constexpr std::array length{QByteArrayView("llen")};
    switch (question) {
    case AnyProbe:
    case RedissonProbe:
    case HandoffProbe:
    case Twin:
        return exists;
    case RedissonQueue:
        return listAndTimes;
    case RedissonFence:
    case HandoffFence:
    case WaitingWriter:
        return text;
    case HandoffQueue:
        return list;
    case HandoffWaiters:
        return fields;
    case Permits:
        return timesAndText;
    case Job:
        return existsAndFields;
    case DigestQueue:
        return listAndScore;
    case Length:
        break;
    }
    return length;
}

/// Keys like the one that it reads, for a rule that permits them; of a lock's own key nothing need be said.
QByteArray patternOf(CompanionQuery question, const Lock &lock)
{
    const QByteArray &name = lock.key().bytes;
    switch (question) {
    case RedissonProbe:
    case RedissonQueue:
    case RedissonFence:
        return "redisson_lock_*";
    case Twin:
        return escapedGlob(sameCompanions(lock.key())->bytes);
    case HandoffProbe:
    case HandoffQueue:
    case HandoffWaiters:
    case HandoffFence:
        return "*:handoff:*";
    case Permits:
        return name.contains('{') ? "*:timeout" : "{*}:timeout";
    case Job: {
        const QByteArray job = jobKeyOf(name).toByteArray();
        return escapedGlob(job.left(job.lastIndexOf(':') + 1)) + '*';
    }
    case DigestQueue:
        return "*uniquejobs:*";
    case WaitingWriter:
        return '*' + writerSuffix.toByteArray();
    case AnyProbe: // its parts are asked for by themselves
    case Length:
        break;
    }
    return {};
}

} // namespace

namespace besides {

bool isCounted(const Lock &lock)
{
    return lock.family == Family::Reentrant || lock.family == Family::Handoff || isRedissonLock(lock.family);
}

bool isJob(const Lock &lock)
{
    const bool isOpen = lock.type == KeyType::String && certaintyOf(lock) == Certainty::Ambiguous;
    return lock.family == Family::BullMq || lock.family == Family::Bull ||
           (isOpen && !jobKeyOf(lock.key().bytes).isEmpty());
}

bool isOfDigest(const Lock &lock)
{
    return lock.family == Family::SidekiqUniqueJobs && lock.key().bytes.endsWith(digestSuffix);
}

bool isCounter(const Lock &lock)
{
    const bool isOpen = lock.family == Family::Token || lock.family == Family::Unknown;
    return isOpen && lock.type != KeyType::Hash && lock.owners.size() == 1 &&
           isCount(lock.owners.front().owner.bytes);
}

bool mayHavePermits(const Lock &lock)
{
    return isCounter(lock) || lock.family == Family::RedissonSemaphore;
}

bool isReaders(const Lock &lock)
{
    return lock.family == Family::Madelson && lock.key().bytes.endsWith(readersSuffix);
}

Questions firstQuestions(const Lock &lock, const CompanionAccess &scope)
{
    Questions questions;
    const auto may = [&](Part part) { return scope.mayAsk(part, lock.key()); };
    const bool mayHandoff = may(Part::Handoff) && !scope.isCluster(); // its scripts can't run there
    const CompanionState &known = *lock.beside;
    if (isCounted(lock)) {
        if (known.hasHandoff && mayHandoff)
            questions = {HandoffQueue, HandoffFence};
        else if (known.hasQueue && may(Part::Redisson))
            questions = {RedissonQueue};
        else if (known.hasFence && may(Part::Redisson))
            questions = {RedissonFence, RedissonProbe};
        else if (mayHandoff && may(Part::Any) && may(Part::Redisson))
            questions = {AnyProbe};
        else {
            if (may(Part::Redisson))
                questions.push_back(RedissonProbe);
            if (mayHandoff)
                questions.push_back(HandoffProbe);
        }
    }
    if (lock.owners.isEmpty() && known.hasQueue && sameCompanions(lock.key()) && may(Part::Twin))
        questions.push_back(Twin);
    if (mayHavePermits(lock) && may(Part::Redisson))
        questions.push_back(Permits);
    if (isJob(lock) && may(Part::Job))
        questions.push_back(Job);
    if (isOfDigest(lock) && may(Part::Digest))
        questions.push_back(DigestQueue);
    if (isReaders(lock) && may(Part::Writer))
        questions.push_back(WaitingWriter);
    return questions;
}

int weightOf(CompanionQuery question)
{
    switch (question) {
    case RedissonQueue:
        return 4;
    case HandoffQueue:
    case DigestQueue:
        return 3;
    case HandoffWaiters:
    case Permits:
    case Job:
        return 2;
    default:
        return 1;
    }
}

int commandCount(CompanionQuery question)
{
    return question == RedissonQueue || question == Permits || question == Job || question == DigestQueue ? 2
                                                                                                          : 1;
}

void append(CommandBatch &batch, CompanionQuery question, const Lock &lock, const PartialCompanionState &seen)
{
    const LockKey &key = lock.key();
    switch (question) {
    case AnyProbe: {
        const RedissonKeys redisson(key);
        const HandoffKeys handoff(key);
        return batch.add({"EXISTS", redisson.queue, redisson.fence, handoff.queue, handoff.fence});
    }
    case RedissonProbe: {
        const RedissonKeys keys(key);
        return seen.beside.hasFence ? batch.add({"EXISTS", keys.queue})
                                    : batch.add({"EXISTS", keys.queue, keys.fence});
    }
    case RedissonQueue:
        appendQueue(batch, lock);
        return batch.add({"ZRANGE", RedissonKeys(key).timeouts, "0", lastWaiterAsked, "WITHSCORES"});
    case RedissonFence:
        return batch.add({"GETRANGE", RedissonKeys(key).fence, "0", lastByteOfToken});
    case Twin:
        return batch.add({"EXISTS", sameCompanions(key)->bytes});
    case HandoffProbe: {
        const HandoffKeys keys(key);
        return batch.add({"EXISTS", keys.queue, keys.fence});
    }
    case HandoffQueue:
        return batch.add({"LRANGE", HandoffKeys(key).queue, "0", lastWaiterAsked});
    case HandoffWaiters: {
        const QByteArray waiters = HandoffKeys(key).waiters;
        std::vector<QByteArrayView> command{"HMGET", waiters};
        for (const Waiter &waiter : seen.beside.waiters.queue)
            command.emplace_back(waiter.id.bytes);
        return batch.add(command);
    }
    case HandoffFence:
        return batch.add({"GETRANGE", HandoffKeys(key).fence, "0", lastByteOfToken});
    case Permits:
        batch.add({"ZRANGE", redissonSuffixed(key.bytes, "timeout"), "0", lastPermitAsked, "WITHSCORES"});
        return batch.add({"GETRANGE", key.bytes, "0", lastByteOfToken});
    case Job: {
        const QByteArrayView job = jobKeyOf(key.bytes);
        batch.add({"EXISTS", job});
        return batch.add({"HMGET", job, "processedOn", "pb", "timestamp", "opts"});
    }
    case DigestQueue:
        appendQueue(batch, lock);
        return batch.add({"ZSCORE", digests, digestOf(lock)});
    case WaitingWriter:
        return batch.add({"GETRANGE", key.bytes.chopped(readersSuffix.size()) + writerSuffix.toByteArray(),
                          "0", lastByteOfOwner});
    case Length:
        return batch.add({"LLEN", queueKeyOf(lock, seen.isHandoff)});
    }
}

Questions takeAnswer(CompanionQuery question, const Lock &lock, PartialCompanionState &seen,
                     std::span<const Reply> replies)
{
    CompanionState &beside = seen.beside;
    const Reply &first = replies.front();
    switch (question) {
    case AnyProbe:
        if (first.isError()) // names that fall into different slots
            return {RedissonProbe, HandoffProbe};
        seen.queueRead = !isThere(first);
        seen.redissonRead = seen.handoffRead = seen.queueRead;
        return seen.queueRead ? Questions()
                              : Questions{RedissonQueue, RedissonFence, HandoffQueue, HandoffFence};
    case RedissonProbe:
        seen.queueRead = seen.queueRead || (first.isInteger() && first.integer == 0);
        seen.redissonRead = !isThere(first);
        if (seen.redissonRead)
            return {};
        return beside.hasFence ? Questions{RedissonQueue} : Questions{RedissonQueue, RedissonFence};
    case Twin:
        seen.isOfTwin = isThere(first);
        return {};
    case HandoffProbe:
        seen.handoffRead = !isThere(first);
        seen.queueRead = seen.queueRead || (first.isInteger() && first.integer == 0);
        return isThere(first) ? Questions{HandoffQueue, HandoffFence} : Questions();
    case RedissonQueue: {
        seen.redissonRead = true;
        Questions more = takeQueue(lock, seen, first);
        takeTimes(beside.waiters.queue, replies[1].elements);
        return more;
    }
    case HandoffQueue: {
        seen.handoffRead = true;
        const bool isOnlyOne = beside.waiters.queue.isEmpty();
        Questions more = takeQueue(lock, seen, first);
        if (!isOnlyOne || beside.waiters.queue.isEmpty())
            return more;
        seen.isHandoff = true;
        beside.hasHandoff = true;
        more.push_back(HandoffWaiters);
        return more;
    }
    case HandoffWaiters: // "deadline lease" of each
        for (qsizetype i = 0; i < std::min(beside.waiters.queue.size(), qsizetype(first.elements.size()));
             ++i) {
            const QByteArray &entry = first.elements[static_cast<size_t>(i)].text;
            beside.waiters.queue[i].timeoutAtMs = epochMs(entry.left(entry.indexOf(' ')));
        }
        return {};
    case RedissonFence:
    case HandoffFence: {
        const QByteArray token = textOf(first);
        if (token.isEmpty())
            return {};
        beside.fencingToken = token;
        (question == HandoffFence ? beside.hasHandoff : beside.hasFence) = true;
        return {};
    }
    case Permits:
        seen.permitsRead = true;
        takePermits(lock, beside, first, textOf(replies[1]));
        return {};
    case Job:
        if (!isThere(first) || replies[1].elements.size() != 4)
            return {};
        beside.hasParent = beside.hasParent || isJobHash(replies[1].elements[2], replies[1].elements[3]);
        beside.startedMs = epochMs(textOf(replies[1].elements[0]));
        beside.worker = textOf(replies[1].elements[1]);
        return {};
    case DigestQueue:
        beside.hasParent = beside.hasParent || replies[1].isText();
        return takeQueue(lock, seen, first);
    case WaitingWriter:
        if (const auto writer = processToken(textOf(first)); writer && writer->waits)
            beside.waiters.queue = {Waiter{OwnerId(first.text), {}, SubscriptionState::Unknown, false}};
        return {};
    case Length:
        seen.isLonger = false;
        if (first.isInteger())
            beside.waiters.count = std::max<qint64>(first.integer, beside.waiters.queue.size());
        return {};
    }
    return {};
}

Questions takeRefusal(CompanionQuery question, const Lock &lock, CompanionAccess &scope, const Error &why)
{
    scope.refuse(partOf(question), {commandsOf(question), patternOf(question, lock)}, lock.key(), why);
    // Some of these names may be forbidden, and others not.
    return question == AnyProbe ? firstQuestions(lock, scope) : Questions();
}

void noteAnswer(CompanionQuery question, const Lock &lock, CompanionAccess &scope)
{
    scope.noteAnswer(partOf(question), commandsOf(question), lock.key());
}

void appendQueue(CommandBatch &batch, const Lock &lock)
{
    batch.add({"LRANGE", queueKeyOf(lock, lock.beside->hasHandoff), "0", lastWaiterAsked});
}

QList<Waiter> queueFrom(const Lock &lock, const Reply &members)
{
    QList<Waiter> queue;
    for (const Reply &member : members.elements) {
        if (lock.family != Family::SidekiqUniqueJobs || member.text != wakeElement)
            queue.append(Waiter{OwnerId(member.text), {}, SubscriptionState::Unknown, false});
    }
    return queue;
}

} // namespace besides

} // namespace lockscope
