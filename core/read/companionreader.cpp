// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companionreader.h"

#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/read/serverwrites.h"
#include "core/redis/info.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int maxWeight = 500;         // of one round: other clients wait behind it
constexpr qsizetype maxChannels = 500; // of one command
constexpr int channelsPerWeight = 2;   // counting subscribers takes half as long as reading a key

bool isRefusal(const Reply &reply)
{
    return reply.isError() && (reply.text.startsWith("NOPERM") || reply.text.contains("unknown command") ||
                               reply.text.contains("nknown subcommand"));
}

bool isOneOf(const Reply &reply, std::initializer_list<ErrorKind> kinds)
{
    return reply.isError() && std::ranges::find(kinds, serverError(reply.text).kind) != kinds.end();
}

/// True for a key on another node that could not be read.
bool isOutOfReach(const Reply &reply)
{
    return isOneOf(reply, {ErrorKind::NodeDown, ErrorKind::Moved, ErrorKind::Ask, ErrorKind::TryAgain});
}

/// True for a temporary error, which the rest would get too.
bool isBusy(const Reply &reply)
{
    return isOneOf(reply,
                   {ErrorKind::Loading, ErrorKind::Busy, ErrorKind::MasterDown, ErrorKind::ClusterDown});
}

/// True if its family has a queue, or one was found.
bool hasQueue(const Lock &lock, const CompanionState &state)
{
    return specOf(lock.family).hasQueue ||
           std::ranges::any_of(state.implied.begin(), state.implied.end(),
                               [](Family family) { return specOf(family).hasQueue; });
}

Waiters waitersOf(const PartialCompanionState &reading, const Lock &lock)
{
    if (reading.isOfTwin)
        return {};
    Waiters waiters = reading.state.waiters;
    if (reading.state.unread >= Unread::Waiters && reading.listeners <= 0) {
        waiters.certainty = waiters.queue.isEmpty() ? WaiterCertainty::Unknown : WaiterCertainty::AtLeast;
        return waiters;
    }
    const bool queues = hasQueue(lock, reading.state);
    if (queues && reading.queueRead) {
        // A queue names all that stand in it; but the same name may be used for a lock without one.
        waiters.certainty =
            reading.listeners > 0 || reading.isLonger ? WaiterCertainty::AtLeast : WaiterCertainty::Exact;
        waiters.count += std::max<qint64>(reading.listeners, 0);
    } else if (reading.listeners > 0 ||
               (reading.listeners == 0 && !queues && !specOf(lock.family).hasGenericContent &&
                !specOf(lock.family).mayListenElsewhere)) {
        // That nobody listens says something where the family wakes so; a counted hash may be anybody's.
        waiters.certainty = WaiterCertainty::AtLeast;
        waiters.count = reading.listeners;
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
    const Heartbeat &beat = lock.companions->heartbeat;
    lock.problems.setFlag(Problem::HolderDead, beat.state == Heartbeat::State::Dead && !beat.isDoubtful);
    if (!specOf(lock.family).countsPermits || lock.companions->freePermits.isEmpty())
        return;
    const QList<Permit> &permits = lock.companions->permits;
    lock.problems.setFlag(Problem::TooBig, lock.companions->morePermits);
    // Nobody is told of: its number stands for all, and a reading of the key has the newest.
    const bool isNumber = lock.owners.size() == 1 && isCount(lock.owners.front().owner.bytes);
    if (permits.isEmpty() && isNumber)
        return;
    lock.owners.clear();
    for (const Permit &permit : permits)
        lock.owners.append({permit.id, {}, 1});
    if (permits.isEmpty())
        lock.owners.append({OwnerId(lock.companions->freePermits), {}, 1});
}

namespace {

/// The family whose channel its waiters use: a library's hash without lease may be a stuck lock.
Family subscribedFamily(const Lock &lock)
{
    return lock.family == countedHash() ? candidatesOf(lock).value(0, lock.family) : lock.family;
}

} // namespace

bool CompanionReader::isWorthwhile(const Lock &lock)
{
    return mayHaveCompanions(lock) || specOf(lock.family).unlockChannel;
}

CompanionReader::CompanionReader(QList<Lock> locks, CompanionAccess &scope)
    : m_locks(std::move(locks)), m_scope(scope), m_readings(static_cast<size_t>(m_locks.size()))
{
    for (qsizetype i = 0; i < m_locks.size(); ++i) {
        const Lock &lock = m_locks[i];
        reading(i).state.keepKindOf(*lock.companions);
        ask(firstQuestions(lock, m_scope), i);
        if (const Family family = subscribedFamily(lock); specOf(family).unlockChannel)
            m_channels.push_back({Channel::Of::Lock, i, family});
        for (const Family family : familiesWith<&FamilySpec::isProvenBySubscribers>()) {
            if (specOf(family).isProvenBySubscribers(lock))
                m_channels.push_back({Channel::Of::Family, i, family});
        }
    }
}

void CompanionReader::ask(const CompanionQuestions &questions, qsizetype lock)
{
    for (const CompanionStep &question : questions)
        m_questions.push_back({question, lock});
}

CommandBatch CompanionReader::next()
{
    CommandBatch batch;
    m_weight = 0;
    m_onTheWay.clear();
    while (!m_questions.empty() && m_weight < maxWeight) {
        const Asked asked = m_questions.front();
        m_questions.pop_front();
        append(batch, asked.question, m_locks[asked.lock], reading(asked.lock));
        m_weight += asked.question.weight();
        m_onTheWay.push_back(asked);
    }
    appendListeners(batch);
    m_asksWrites = wantsWrites();
    if (m_asksWrites) {
        batch.add({"INFO"});
        ++m_weight;
    }
    return batch;
}

QByteArray CompanionReader::nameOf(const Channel &channel) const
{
    const LockKey &key = m_locks[channel.lock].key();
    if (channel.of != Channel::Of::Waiter)
        return unlockChannel(channel.family, key);
    const Waiters &waiters = m_readings[static_cast<size_t>(channel.lock)].state.waiters;
    return waiterChannel(channel.family, key, waiters.queue[channel.waiter].id);
}

/// Adds one command for as many channels as possible.
void CompanionReader::appendListeners(CommandBatch &batch)
{
    m_channelsOnTheWay.clear();
    m_listenerReplies = 0;
    m_asksServers = false;
    m_silence = NoSubscribersMeaning::Unknown;
    if (!m_scope.asksListeners())
        m_channels.clear();
    const qsizetype room = std::max(maxWeight - m_weight, 0) * channelsPerWeight;
    const auto count = std::min({static_cast<qsizetype>(m_channels.size()), room, maxChannels});
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
    m_asksServers =
        m_scope.asksServers() && !m_scope.countsAllNodes() &&
        std::ranges::any_of(m_channelsOnTheWay, [](const Channel &c) { return c.of == Channel::Of::Waiter; });
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
    if (std::exchange(m_asksWrites, false)) {
        takeWrites(replies.back());
        replies = replies.first(replies.size() - 1);
    }
    for (const Asked &asked : std::exchange(m_onTheWay, {})) {
        const size_t count = asked.question.commandCount();
        takeAnswer(asked, replies.first(count));
        replies = replies.subspan(count);
    }
    if (m_listenerReplies == 0)
        return {};
    if (m_asksServers)
        takeServers(replies.last(2));
    for (const bool ofShards : {false, true}) {
        if (ofShards && m_listenerReplies < 2)
            break;
        if (const Reply &counts = replies[ofShards ? 1 : 0]; counts.isArray())
            m_scope.noteCount(ofShards), takeListeners(counts);
        else
            m_scope.refuseCount(ofShards, serverError(counts.text));
    }
    return {};
}

void CompanionReader::takeAnswer(const Asked &asked, std::span<const Reply> replies)
{
    const Lock &lock = m_locks[asked.lock];
    if (std::ranges::any_of(replies, isOutOfReach)) {
        reading(asked.lock).isOutOfReach = true;
        return;
    }
    if (std::ranges::any_of(replies, isRefusal)) {
        CompanionQuestions instead;
        for (const Reply &reply : replies) {
            if (isRefusal(reply))
                instead = takeRefusal(asked.question, lock, m_scope, serverError(reply.text));
        }
        return ask(instead, asked.lock);
    }
    PartialCompanionState &known = reading(asked.lock);
    const bool hadQueue = !known.state.waiters.queue.isEmpty();
    ask(lockscope::takeAnswer(asked.question, lock, known, replies, m_scope), asked.lock);
    m_missesBeats = m_missesBeats || known.state.heartbeat.state == Heartbeat::State::Dead;
    if (hadQueue || !specOf(known.queueOf).waiterChannel)
        return;
    for (qsizetype i = 0; i < known.state.waiters.queue.size(); ++i)
        m_channels.push_back({Channel::Of::Waiter, asked.lock, known.queueOf, i});
}

void CompanionReader::takeServers(std::span<const Reply> replies)
{
    if (std::ranges::any_of(replies, isRefusal))
        m_scope.refuseServers();
    m_silence = silenceFrom(replies[0].text, replies[1].text);
}

/// On a replica heartbeats come late, and a server that refuses writes takes none.
void CompanionReader::takeWrites(const Reply &info)
{
    if (isRefusal(info))
        m_scope.refuseServers();
    ServerWrites writes;
    writes.add(info.text);
    m_acceptsWrites = info.isText() && !writes.refusal && infoField(info.text, "role") != "slave" &&
                      infoField(info.text, "role") != "replica";
}

/// Reads [channel, count, …] in the order of the request.
void CompanionReader::takeListeners(const Reply &reply)
{
    for (size_t i = 0; i < m_channelsOnTheWay.size() && 2 * i + 1 < reply.elements.size(); ++i) {
        const Channel &channel = m_channelsOnTheWay[i];
        const Reply &answer = reply.elements[2 * i + 1];
        const qint64 count = answer.integer;
        PartialCompanionState &lock = reading(channel.lock);
        switch (channel.of) {
        case Channel::Of::Lock:
            if (!answer.isInteger()) // not every node could be asked
                break;
            lock.listeners = std::max<qint64>(lock.listeners, 0) + count;
            lock.state.hasListeners = lock.state.hasListeners || count > 0;
            break;
        case Channel::Of::Waiter: {
            Waiters &waiters = lock.state.waiters;
            // Links of a cluster ask all its nodes, or say that they could not.
            if (m_scope.countsAllNodes())
                m_silence = answer.isInteger() && waiters.silence != NoSubscribersMeaning::OtherNodes
                                ? NoSubscribersMeaning::Proves
                                : NoSubscribersMeaning::OtherNodes;
            waiters.silence = m_silence;
            SubscriptionState &listening = waiters.queue[channel.waiter].listening;
            if (count > 0)
                listening = SubscriptionState::Yes;
            else if (listening == SubscriptionState::Unknown)
                listening = m_silence == NoSubscribersMeaning::Proves ? SubscriptionState::No
                                                                      : SubscriptionState::NotHeard;
            else if (listening == SubscriptionState::No && m_silence != NoSubscribersMeaning::Proves)
                listening = SubscriptionState::NotHeard;
            break;
        }
        case Channel::Of::Family:
            takeListenersOfFamily(channel, count);
            break;
        }
    }
}

void CompanionReader::takeListenersOfFamily(const Channel &channel, qint64 count)
{
    PartialCompanionState &lock = reading(channel.lock);
    if (lock.state.implied.contains(channel.family) && specOf(channel.family).countsPermits)
        lock.listeners = std::max<qint64>(lock.listeners, 0); // nobody is an answer, too
    if (count == 0)
        return;
    lock.state.implied.insert(channel.family);
    lock.state.hasListeners = true;
    lock.listeners = std::max<qint64>(lock.listeners, 0) + count;
}

QList<Lock> CompanionReader::finished() const
{
    QList<Lock> locks = m_locks;
    for (qsizetype i = 0; i < locks.size(); ++i) {
        PartialCompanionState reading = m_readings[static_cast<size_t>(i)];
        reading.state.unread = reading.isOutOfReach ? Unread::Kind : unreadOf(locks[i], reading, m_scope);
        Heartbeat &beat = reading.state.heartbeat;
        beat.isDoubtful = beat.state == Heartbeat::State::Dead && !m_acceptsWrites.value_or(false);
        CompanionState state = reading.state;
        locks[i].companions = CompanionStatePtr(state);
        refineFamily(locks[i]);
        state.waiters = waitersOf(reading, locks[i]);
        locks[i].companions = state == CompanionState() ? CompanionStatePtr() : CompanionStatePtr(state);
    }
    return locks;
}

} // namespace lockscope
