// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companionreader.h"

#include "core/family/companionkeys.h"
#include "core/family/family.h"
#include "core/family/recognize.h"
#include "core/family/shapes.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int mostWeight = 500;         // of one round: other clients wait behind it
constexpr qsizetype mostChannels = 500; // of one command
constexpr int channelsPerWeight = 2;    // counting subscribers takes half as long as reading a key

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

Waiters waitersOf(const PartialCompanionState &seen, const Lock &lock)
{
    if (seen.isOfTwin)
        return {};
    Waiters waiters = seen.beside.waiters;
    if (seen.beside.unread != Unread::Nothing && seen.listeners <= 0) {
        waiters.certainty = waiters.queue.isEmpty() ? WaiterCertainty::Unknown : WaiterCertainty::AtLeast;
        return waiters;
    }
    const WaitMechanism wake = factsOf(lock.family).wake;
    const bool queues = seen.beside.hasQueue || wake == WaitMechanism::QueueHeadChannel ||
                        wake == WaitMechanism::Handoff || lock.family == Family::SidekiqUniqueJobs;
    if (queues && seen.queueRead) {
        // A queue names all that stand in it; but the same name may be used for a lock without one.
        waiters.certainty =
            seen.listeners > 0 || seen.isLonger ? WaiterCertainty::AtLeast : WaiterCertainty::Exact;
        waiters.count += std::max<qint64>(seen.listeners, 0);
    } else if (seen.listeners > 0 || (seen.listeners == 0 && !queues && lock.family != Family::Reentrant)) {
        // That nobody listens says something where the family wakes so; a counted hash may be anybody's.
        waiters.certainty = WaiterCertainty::AtLeast;
        waiters.count = seen.listeners;
    } else if (!waiters.queue.isEmpty()) { // a writer for whom the readers leave; others may poll
        waiters.certainty = WaiterCertainty::AtLeast;
        waiters.count = waiters.queue.size();
    }
    return waiters;
}

} // namespace

void refineFamily(Lock &lock)
{
    nameByEvidence(lock, QDateTime::currentMSecsSinceEpoch());
    if (lock.family != Family::RedissonSemaphore || lock.beside->freePermits.isEmpty())
        return;
    const QList<Permit> &permits = lock.beside->permits;
    lock.problems.setFlag(Problem::TooBig, lock.beside->morePermits);
    // Nobody is told of: its number stands for all, and a reading of the key has the newest.
    const bool isNumber = lock.owners.size() == 1 && isCount(lock.owners.front().owner.bytes);
    if (permits.isEmpty() && isNumber)
        return;
    lock.owners.clear();
    for (const Permit &permit : permits)
        lock.owners.append({permit.id, {}, 1});
    if (permits.isEmpty())
        lock.owners.append({OwnerId(lock.beside->freePermits), {}, 1});
}

namespace {

/// As which family its waiters hear of it: a hash of Redisson's ids without a lease may be a lock that is stuck.
Family subscribedFamily(const Lock &lock)
{
    return lock.family == Family::Reentrant ? candidatesOf(lock).value(0, lock.family) : lock.family;
}

} // namespace

bool CompanionReader::isWorthwhile(const Lock &lock)
{
    return besides::isCounted(lock) || besides::isJob(lock) || besides::isOfDigest(lock) ||
           besides::mayHavePermits(lock) || besides::isReaders(lock) ||
           !unlockChannel(lock.family, lock.key()).isEmpty(); // which it has to build
}

CompanionReader::CompanionReader(QList<Lock> locks, CompanionAccess &scope)
    : m_locks(std::move(locks)), m_scope(scope), m_seen(static_cast<size_t>(m_locks.size()))
{
    for (qsizetype i = 0; i < m_locks.size(); ++i) {
        const Lock &lock = m_locks[i];
        seen(i).beside.keepKindOf(*lock.beside);
        ask(besides::firstQuestions(lock, m_scope), i);
        if (!unlockChannel(subscribedFamily(lock), lock.key()).isEmpty())
            m_channels.push_back({Of::Lock, i, 0});
        if (besides::isCounter(lock)) {
            m_channels.push_back({Of::Semaphore, i, 0});
            m_channels.push_back({Of::Latch, i, 0});
        }
    }
}

void CompanionReader::ask(const std::vector<CompanionQuery> &questions, qsizetype lock)
{
    for (const CompanionQuery question : questions)
        m_questions.push_back({question, lock});
}

CommandBatch CompanionReader::next()
{
    CommandBatch batch;
    m_weight = 0;
    m_onTheWay.clear();
    while (!m_questions.empty() && m_weight < mostWeight) {
        const Asked asked = m_questions.front();
        m_questions.pop_front();
        besides::append(batch, asked.question, m_locks[asked.lock], seen(asked.lock));
        m_weight += besides::weightOf(asked.question);
        m_onTheWay.push_back(asked);
    }
    appendListeners(batch);
    return batch;
}

QByteArray CompanionReader::nameOf(const Channel &channel) const
{
    const Lock &lock = m_locks[channel.lock];
    const PartialCompanionState &seen = m_seen[static_cast<size_t>(channel.lock)];
    switch (channel.of) {
    case Of::Lock:
        break;
    case Of::Waiter:
        return turnChannel(seen.isHandoff ? Family::Handoff : Family::RedissonFair, lock.key(),
                           seen.beside.waiters.queue[channel.waiter].id);
    case Of::Semaphore:
        return unlockChannel(Family::RedissonSemaphore, lock.key());
    case Of::Latch:
        return unlockChannel(Family::RedissonLatch, lock.key());
    }
    return unlockChannel(subscribedFamily(lock), lock.key());
}

/// In one command for as many channels as there is room for.
void CompanionReader::appendListeners(CommandBatch &batch)
{
    m_channelsOnTheWay.clear();
    m_listenerReplies = 0;
    m_asksServers = false;
    m_silence = Silence::Unknown;
    if (!m_scope.asksListeners())
        m_channels.clear();
    const qsizetype room = std::max(mostWeight - m_weight, 0) * channelsPerWeight;
    const auto count = std::min({static_cast<qsizetype>(m_channels.size()), room, mostChannels});
    if (count == 0)
        return;
    m_channelsOnTheWay.assign(m_channels.begin(), m_channels.begin() + count);
    m_channels.erase(m_channels.begin(), m_channels.begin() + count);
    std::vector<QByteArray> names;
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
    // Replicas come and go: what silence proves is asked for each time.
    m_asksServers = m_scope.asksServers() && std::ranges::any_of(m_channelsOnTheWay, [](const Channel &c) {
                        return c.of == Of::Waiter;
                    });
    if (m_asksServers) {
        batch.add({"INFO", "replication"});
        batch.add({"INFO", "cluster"});
    }
    m_weight += static_cast<int>(count) / channelsPerWeight + 1;
}

Result<void> CompanionReader::take(std::span<const Reply> replies)
{
    if (const auto busy = std::ranges::find_if(replies, isBusy); busy != replies.end())
        return tl::unexpected(serverError(busy->text));
    for (const Asked &asked : std::exchange(m_onTheWay, {})) {
        const auto count = static_cast<size_t>(besides::commandCount(asked.question));
        takeAnswer(asked, replies.first(count));
        replies = replies.subspan(count);
    }
    if (m_listenerReplies == 0)
        return {};
    if (m_asksServers)
        takeServers(replies.last(2));
    if (replies[0].isArray())
        m_scope.noteListenersAnswer(), takeListeners(replies[0]);
    else
        m_scope.refuseListeners(serverError(replies[0].text));
    if (m_listenerReplies == 2 && replies[1].isArray())
        m_scope.noteShardsAnswer(), takeListeners(replies[1]);
    else if (m_listenerReplies == 2)
        m_scope.refuseShards(serverError(replies[1].text));
    return {};
}

void CompanionReader::takeAnswer(const Asked &asked, std::span<const Reply> replies)
{
    const Lock &lock = m_locks[asked.lock];
    if (std::ranges::any_of(replies, isRefusal)) {
        std::vector<CompanionQuery> instead;
        for (const Reply &reply : replies) {
            if (isRefusal(reply))
                instead = besides::takeRefusal(asked.question, lock, m_scope, serverError(reply.text));
        }
        return ask(instead, asked.lock);
    }
    besides::noteAnswer(asked.question, lock, m_scope);
    const QList<Waiter> &queue = seen(asked.lock).beside.waiters.queue;
    const bool hadQueue = !queue.isEmpty();
    ask(besides::takeAnswer(asked.question, lock, seen(asked.lock), replies), asked.lock);
    if (hadQueue || besides::isOfDigest(lock) || besides::isReaders(lock)) // whose waiters have no channels
        return;
    for (qsizetype i = 0; i < queue.size(); ++i)
        m_channels.push_back({Of::Waiter, asked.lock, i});
}

void CompanionReader::takeServers(std::span<const Reply> replies)
{
    if (std::ranges::any_of(replies, isRefusal))
        m_scope.refuseServers();
    m_silence = silenceFrom(replies[0].text, replies[1].text);
}

/// [channel, count, channel, count, …], in the order in which they were asked for.
void CompanionReader::takeListeners(const Reply &reply)
{
    for (size_t i = 0; i < m_channelsOnTheWay.size() && 2 * i + 1 < reply.elements.size(); ++i) {
        const Channel &channel = m_channelsOnTheWay[i];
        const qint64 count = reply.elements[2 * i + 1].integer;
        PartialCompanionState &lock = seen(channel.lock);
        switch (channel.of) {
        case Of::Lock:
            lock.listeners = std::max<qint64>(lock.listeners, 0) + count;
            lock.beside.hasListeners = lock.beside.hasListeners || count > 0;
            break;
        case Of::Waiter: {
            Waiters &waiters = lock.beside.waiters;
            waiters.silence = m_silence;
            SubscriptionState &listening = waiters.queue[channel.waiter].listening;
            if (count > 0)
                listening = SubscriptionState::Yes;
            else if (listening == SubscriptionState::Unknown)
                listening =
                    m_silence == Silence::Proves ? SubscriptionState::No : SubscriptionState::NotHeard;
            break;
        }
        case Of::Semaphore:
        case Of::Latch:
            if (channel.of == Of::Semaphore && lock.beside.isSemaphore)
                lock.listeners = std::max<qint64>(lock.listeners, 0); // nobody is an answer, too
            if (count == 0)
                break;
            (channel.of == Of::Latch ? lock.beside.isLatch : lock.beside.isSemaphore) = true;
            lock.beside.hasListeners = true;
            lock.listeners = std::max<qint64>(lock.listeners, 0) + count;
            break;
        }
    }
}

QList<Lock> CompanionReader::finished() const
{
    QList<Lock> locks = m_locks;
    for (qsizetype i = 0; i < locks.size(); ++i) {
        PartialCompanionState seen = m_seen[static_cast<size_t>(i)];
        seen.beside.unread = besides::unreadOf(locks[i], seen, m_scope);
        CompanionState beside = seen.beside;
        locks[i].beside = CompanionStatePtr(beside);
        refineFamily(locks[i]);
        beside.waiters = waitersOf(seen, locks[i]);
        locks[i].beside = beside == CompanionState() ? CompanionStatePtr() : CompanionStatePtr(beside);
    }
    return locks;
}

} // namespace lockscope
