// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/besidereading.h"

#include "core/lock/family/companion.h"
#include "core/lock/family/recognise.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int mostWeight = 500;                  // of one round: other clients wait behind it
constexpr qsizetype mostChannels = 500;          // of one command
constexpr int channelsPerWeight = 4;             // counting subscribers is a look-up without a key
constexpr QByteArrayView lastWaiterAsked = "63"; // Waiters::most of them
constexpr QByteArrayView lastByteOfToken = "31"; // a number of 64 bits has 20
constexpr QByteArrayView digests = "uniquejobs:digests";
constexpr QByteArrayView jobSuffix = ":lock";
constexpr QByteArrayView digestSuffix = ":LOCKED";
/// sidekiq-unique-jobs wakes by an element that is no job's id.
constexpr QByteArrayView wakeElement = "1";

/// `<prefix>:<queue>:<id>:lock` is the lock of a job kept under the name before it.
bool isNamedLikeJob(const LockKey &key)
{
    return key.bytes.endsWith(jobSuffix) && key.bytes.chopped(jobSuffix.size()).count(':') >= 2;
}

bool isJob(const Lock &lock)
{
    const bool isOpen = lock.type == KeyType::String && factsOf(lock.family).certainty != Certainty::Certain;
    return lock.family == Family::BullMq || lock.family == Family::Bull ||
           (isOpen && isNamedLikeJob(lock.key()));
}

bool isDigest(const Lock &lock)
{
    return lock.family == Family::SidekiqUniqueJobs && lock.key().bytes.endsWith(digestSuffix);
}

/// A hash that may be Redisson's, though it may be nobody's in particular.
bool isRedissonLike(const Lock &lock)
{
    return lock.family == Family::Reentrant || isRedissonLock(lock.family);
}

bool isHandoffLike(const Lock &lock)
{
    return lock.family == Family::Reentrant || lock.family == Family::Handoff;
}

QByteArray without(QByteArrayView suffix, const LockKey &key)
{
    return key.bytes.chopped(suffix.size());
}

QByteArray queueOfDigest(const LockKey &key)
{
    return without(digestSuffix, key) + ":QUEUED";
}

/// Of a lock that has one.
QByteArray queueKeyOf(const Lock &lock)
{
    if (lock.family == Family::SidekiqUniqueJobs)
        return queueOfDigest(lock.key());
    return lock.beside->isHandoff ? HandoffKeys(lock.key()).queue : RedissonKeys(lock.key()).queue;
}

/// Epoch ms as the libraries write them; absent for anything else.
Maybe<qint64> epochMs(const QByteArray &text)
{
    bool isNumber = false;
    const double ms = text.toDouble(&isNumber); // a score may have a fraction
    return isNumber && ms > 0 && ms < 1e16 ? Maybe(static_cast<qint64>(ms)) : Maybe<qint64>();
}

bool isRefusal(const Reply &reply)
{
    return reply.isError() && (reply.text.startsWith("NOPERM") || reply.text.contains("unknown command") ||
                               reply.text.contains("nknown subcommand"));
}

/// It passes by itself: the rest would be answered the same way.
bool isBusy(const Reply &reply)
{
    if (!reply.isError())
        return false;
    const ErrorKind kind = serverError(reply.text).kind;
    return kind == ErrorKind::Loading || kind == ErrorKind::Busy || kind == ErrorKind::MasterDown ||
           kind == ErrorKind::ClusterDown;
}

} // namespace

bool BesideReading::isWorthwhile(const Lock &lock)
{
    return !unlockChannel(lock.family, lock.key()).isEmpty() || isHandoffLike(lock) || isJob(lock) ||
           isDigest(lock);
}

void BesideReading::appendQueue(CommandBatch &batch, const Lock &lock)
{
    batch.add({"LRANGE", queueKeyOf(lock), "0", lastWaiterAsked});
}

QList<Waiter> BesideReading::queueOf(const Lock &lock, const Reply &members)
{
    QList<Waiter> queue;
    for (const Reply &member : members.elements) {
        if (lock.family != Family::SidekiqUniqueJobs || member.text != wakeElement)
            queue.append(Waiter{OwnerId(member.text), {}, Listening::NotKnown, false});
    }
    return queue;
}

BesideReading::BesideReading(QList<Lock> locks, BesideScope &scope)
    : m_locks(std::move(locks)), m_scope(scope), m_seen(static_cast<size_t>(m_locks.size()))
{
    for (qsizetype i = 0; i < m_locks.size(); ++i)
        begin(i);
}

/// What was there before is asked for at once; else it is looked first whether there is anything.
void BesideReading::begin(qsizetype i)
{
    const Lock &lock = m_locks[i];
    Seen &seen = m_seen[static_cast<size_t>(i)];
    const Beside &known = *lock.beside;
    seen.beside.hasQueue = known.hasQueue;
    seen.beside.hasFence = known.hasFence;
    seen.beside.hasParent = known.hasParent;
    seen.beside.isHandoff = known.isHandoff;
    const bool isHandoff = known.isHandoff || lock.family == Family::Handoff;
    const auto start = [&](BesideScope::Part part, Question queue, Question fence, Question probe) {
        if (!m_scope.mayAsk(part, lock.key()))
            return;
        const bool isIts = isHandoff == (part == BesideScope::Part::Handoff);
        if (isIts && known.hasFence)
            ask(fence, i);
        ask(isIts && known.hasQueue ? queue : probe, i);
    };
    if (isRedissonLike(lock) && !isHandoff)
        start(BesideScope::Part::Redisson, Question::RedissonQueue, Question::RedissonFence,
              Question::RedissonProbe);
    if (isHandoffLike(lock) && !m_scope.isCluster())
        start(BesideScope::Part::Handoff, Question::HandoffQueue, Question::HandoffFence,
              Question::HandoffProbe);
    if (isJob(lock) && m_scope.mayAsk(BesideScope::Part::Job, lock.key()))
        ask(Question::Job, i);
    if (isDigest(lock) && m_scope.mayAsk(BesideScope::Part::Digest, lock.key()))
        ask(Question::DigestQueue, i);
    if (!unlockChannel(lock.family, lock.key()).isEmpty())
        m_channels.push_back({i, -1});
}

int BesideReading::weightOf(Question question)
{
    switch (question) {
    case Question::RedissonQueue:
        return 4;
    case Question::HandoffQueue:
    case Question::DigestQueue:
        return 3;
    case Question::HandoffWaiters:
    case Question::Job:
        return 2;
    default:
        return 1;
    }
}

int BesideReading::repliesTo(Question question)
{
    return question == Question::RedissonQueue || question == Question::Job ||
                   question == Question::DigestQueue
               ? 2
               : 1;
}

BesideScope::Part BesideReading::partOf(Question question)
{
    switch (question) {
    case Question::RedissonProbe:
    case Question::RedissonQueue:
    case Question::RedissonFence:
        return BesideScope::Part::Redisson;
    case Question::HandoffProbe:
    case Question::HandoffQueue:
    case Question::HandoffWaiters:
    case Question::HandoffFence:
        return BesideScope::Part::Handoff;
    case Question::Job:
        return BesideScope::Part::Job;
    case Question::DigestQueue:
    case Question::Length: // only of what could be read
        return BesideScope::Part::Digest;
    }
    return BesideScope::Part::Digest;
}

void BesideReading::append(CommandBatch &batch, const Asked &asked) const
{
    const LockKey &key = m_locks[asked.lock].key();
    const Seen &seen = m_seen[static_cast<size_t>(asked.lock)];
    switch (asked.question) {
    case Question::RedissonProbe: {
        const RedissonKeys keys(key);
        return seen.beside.hasFence ? batch.add({"EXISTS", keys.queue})
                                    : batch.add({"EXISTS", keys.queue, keys.fence});
    }
    case Question::RedissonQueue: {
        const RedissonKeys keys(key);
        batch.add({"LRANGE", keys.queue, "0", lastWaiterAsked});
        return batch.add({"ZRANGE", keys.timeouts, "0", lastWaiterAsked, "WITHSCORES"});
    }
    case Question::RedissonFence:
        return batch.add({"GETRANGE", RedissonKeys(key).fence, "0", lastByteOfToken});
    case Question::HandoffProbe: {
        const HandoffKeys keys(key);
        return seen.beside.hasFence ? batch.add({"EXISTS", keys.queue})
                                    : batch.add({"EXISTS", keys.queue, keys.fence});
    }
    case Question::HandoffQueue:
        return batch.add({"LRANGE", HandoffKeys(key).queue, "0", lastWaiterAsked});
    case Question::HandoffWaiters: {
        const QByteArray waiters = HandoffKeys(key).waiters;
        std::vector<QByteArrayView> command{"HMGET", waiters};
        for (const Waiter &waiter : seen.beside.waiters.queue)
            command.emplace_back(waiter.id.bytes);
        return batch.add(command);
    }
    case Question::HandoffFence:
        return batch.add({"GETRANGE", HandoffKeys(key).fence, "0", lastByteOfToken});
    case Question::Job: {
        const QByteArray job = without(jobSuffix, key);
        batch.add({"EXISTS", job});
        return batch.add({"HMGET", job, "processedOn", "pb"});
    }
    case Question::DigestQueue:
        batch.add({"LRANGE", queueOfDigest(key), "0", lastWaiterAsked});
        return batch.add({"ZSCORE", digests, without(digestSuffix, key)});
    case Question::Length:
        return batch.add({"LLEN", seen.queueKey});
    }
}

CommandBatch BesideReading::next()
{
    CommandBatch batch;
    m_weight = 0;
    m_onTheWay.clear();
    while (!m_questions.empty() && m_weight < mostWeight) {
        const Asked asked = m_questions.front();
        m_questions.pop_front();
        append(batch, asked);
        m_weight += weightOf(asked.question);
        m_onTheWay.push_back(asked);
    }
    appendListeners(batch);
    return batch;
}

QByteArray BesideReading::nameOf(const Channel &channel) const
{
    const Lock &lock = m_locks[channel.lock];
    if (channel.waiter < 0)
        return unlockChannel(lock.family, lock.key());
    const Beside &beside = m_seen[static_cast<size_t>(channel.lock)].beside;
    return turnChannel(beside.isHandoff ? Family::Handoff : Family::RedissonFair, lock.key(),
                       beside.waiters.queue[channel.waiter].id);
}

/// In one command for as many channels as there is room for.
void BesideReading::appendListeners(CommandBatch &batch)
{
    m_channelsOnTheWay.clear();
    m_listenerReplies = 0;
    if (!m_scope.asksListeners())
        m_channels.clear();
    const auto room = static_cast<size_t>(std::max(mostWeight - m_weight, 0) * channelsPerWeight);
    const size_t count = std::min({m_channels.size(), room, static_cast<size_t>(mostChannels)});
    if (count == 0)
        return;
    m_channelsOnTheWay.assign(m_channels.begin(), m_channels.begin() + static_cast<qsizetype>(count));
    m_channels.erase(m_channels.begin(), m_channels.begin() + static_cast<qsizetype>(count));
    std::vector<QByteArray> names;
    names.reserve(count);
    for (const Channel &channel : m_channelsOnTheWay)
        names.push_back(nameOf(channel));
    std::vector<QByteArrayView> command{"PUBSUB", "NUMSUB"};
    command.insert(command.end(), names.begin(), names.end());
    batch.add(command);
    m_listenerReplies = 1;
    if (m_scope.asksShards()) { // both are in use, by different versions of a library
        command[1] = "SHARDNUMSUB";
        batch.add(command);
        m_listenerReplies = 2;
    }
    m_weight += static_cast<int>(count) / channelsPerWeight + 1;
}

Result<void> BesideReading::take(std::span<const Reply> replies)
{
    if (const auto busy = std::ranges::find_if(replies, isBusy); busy != replies.end())
        return tl::unexpected(serverError(busy->text));
    for (const Asked &asked : std::exchange(m_onTheWay, {})) {
        const auto count = static_cast<size_t>(repliesTo(asked.question));
        const auto own = replies.first(count);
        replies = replies.subspan(count);
        if (const auto refusal = std::ranges::find_if(own, isRefusal); refusal != own.end())
            m_scope.refuse(partOf(asked.question), m_locks[asked.lock].key(), serverError(refusal->text));
        else
            answer(asked, own);
    }
    if (m_listenerReplies == 0)
        return {};
    if (replies[0].isArray())
        takeListeners(replies[0]);
    else
        m_scope.refuseListeners();
    if (m_listenerReplies == 2 && replies[1].isArray())
        takeListeners(replies[1]);
    else if (m_listenerReplies == 2)
        m_scope.refuseShards();
    return {};
}

void BesideReading::answer(const Asked &asked, std::span<const Reply> replies)
{
    const LockKey &key = m_locks[asked.lock].key();
    Seen &seen = m_seen[static_cast<size_t>(asked.lock)];
    Beside &beside = seen.beside;
    const auto textOf = [](const Reply &reply) { return reply.isText() ? reply.text : QByteArray(); };
    const auto probed = [&](Question queue, Question fence) {
        if (!replies[0].isInteger())
            return;
        seen.queueRead = replies[0].integer == 0; // there is none
        if (seen.queueRead)
            return;
        ask(queue, asked.lock);
        if (!beside.hasFence)
            ask(fence, asked.lock);
    };
    const auto fenced = [&](bool isHandoff) {
        beside.fencingToken = textOf(replies[0]);
        if (beside.fencingToken.isEmpty())
            return;
        beside.hasFence = true;
        beside.isHandoff = isHandoff;
    };
    switch (asked.question) {
    case Question::RedissonProbe:
        return probed(Question::RedissonQueue, Question::RedissonFence);
    case Question::HandoffProbe:
        return probed(Question::HandoffQueue, Question::HandoffFence);
    case Question::RedissonFence:
        return fenced(false);
    case Question::HandoffFence:
        return fenced(true);
    case Question::RedissonQueue: {
        takeQueue(asked.lock, RedissonKeys(key).queue, replies[0]);
        const auto &scores = replies[1].elements;
        for (size_t i = 0; i + 1 < scores.size(); i += 2) {
            const auto waiter = std::ranges::find(beside.waiters.queue, OwnerId(scores[i].text), &Waiter::id);
            if (waiter != beside.waiters.queue.end())
                waiter->givesUpMs = epochMs(scores[i + 1].text);
        }
        return;
    }
    case Question::HandoffQueue:
        takeQueue(asked.lock, HandoffKeys(key).queue, replies[0]);
        if (beside.waiters.queue.isEmpty())
            return;
        beside.isHandoff = true;
        return ask(Question::HandoffWaiters, asked.lock);
    case Question::HandoffWaiters:
        for (size_t i = 0; i < replies[0].elements.size() && i < size_t(beside.waiters.queue.size()); ++i) {
            const QByteArray &entry = replies[0].elements[i].text; // "deadline lease"
            beside.waiters.queue[static_cast<qsizetype>(i)].givesUpMs =
                epochMs(entry.left(entry.indexOf(' ')));
        }
        return;
    case Question::Job:
        beside.hasParent = replies[0].isInteger() && replies[0].integer > 0 && replies[1].isArray();
        if (beside.hasParent && replies[1].elements.size() == 2) {
            beside.startedMs = epochMs(textOf(replies[1].elements[0]));
            beside.worker = textOf(replies[1].elements[1]);
        }
        return;
    case Question::DigestQueue:
        takeQueue(asked.lock, queueOfDigest(key), replies[0]);
        beside.hasParent = replies[1].isText();
        return;
    case Question::Length:
        if (replies[0].isInteger())
            beside.waiters.count = std::max<qint64>(replies[0].integer, beside.waiters.queue.size());
        return;
    }
}

void BesideReading::takeQueue(qsizetype lock, const QByteArray &key, const Reply &members)
{
    Seen &seen = m_seen[static_cast<size_t>(lock)];
    if (members.isError() && !members.text.startsWith("WRONGTYPE"))
        return; // on another node
    seen.queueRead = true;
    seen.queueKey = key;
    const bool isDigests = m_locks[lock].family == Family::SidekiqUniqueJobs;
    Waiters &waiters = seen.beside.waiters;
    waiters.queue = queueOf(m_locks[lock], members);
    for (qsizetype i = 0; i < waiters.queue.size() && !isDigests; ++i)
        m_channels.push_back({lock, i});
    waiters.count = waiters.queue.size();
    seen.beside.hasQueue = seen.beside.hasQueue || (!isDigests && !waiters.queue.isEmpty());
    if (members.elements.size() >= static_cast<size_t>(Waiters::most))
        ask(Question::Length, lock);
}

/// [channel, count, channel, count, …], in the order in which they were asked for.
void BesideReading::takeListeners(const Reply &reply)
{
    for (size_t i = 0; i < m_channelsOnTheWay.size() && 2 * i + 1 < reply.elements.size(); ++i) {
        const Channel &channel = m_channelsOnTheWay[i];
        const qint64 count = reply.elements[2 * i + 1].integer;
        Seen &seen = m_seen[static_cast<size_t>(channel.lock)];
        if (channel.waiter < 0) {
            seen.listeners = std::max<qint64>(seen.listeners, 0) + count;
            continue;
        }
        Listening &listening = seen.beside.waiters.queue[channel.waiter].listening;
        if (count > 0)
            listening = Listening::Yes;
        else if (listening == Listening::NotKnown && m_scope.silenceTells())
            listening = Listening::No;
    }
}

Waiters BesideReading::waitersOf(const Seen &seen, const Lock &lock) const
{
    Waiters waiters = seen.beside.waiters;
    const WakeBy wake = factsOf(lock.family).wake;
    const bool queues = seen.beside.hasQueue || wake == WakeBy::Turn || wake == WakeBy::HandOver ||
                        lock.family == Family::SidekiqUniqueJobs;
    if (queues && seen.queueRead) {
        // A queue names all that stand in it; but the same name may be used with a lock that has no queue.
        waiters.certainty = seen.listeners > 0 ? WaiterCertainty::AtLeast : WaiterCertainty::Exact;
        waiters.count += std::max<qint64>(seen.listeners, 0);
    } else if (seen.listeners > 0 || (seen.listeners == 0 && !queues)) {
        waiters.certainty = WaiterCertainty::AtLeast;
        waiters.count = seen.listeners;
    }
    return waiters;
}

QList<Lock> BesideReading::finished() const
{
    QList<Lock> locks = m_locks;
    for (qsizetype i = 0; i < locks.size(); ++i) {
        const Seen &seen = m_seen[static_cast<size_t>(i)];
        Beside beside = seen.beside;
        locks[i].beside = BesidePointer(beside);
        locks[i].family = familyWithBeside(locks[i]);
        beside.waiters = waitersOf(seen, locks[i]);
        locks[i].beside = beside == Beside() ? BesidePointer() : BesidePointer(beside);
    }
    return locks;
}

} // namespace lockscope
