// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/nodesearch.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/registry.h"
#include "core/monitor/missingpermissions.h"
#include "core/read/companionplan.h"
#include "core/read/companionreader.h"
#include "core/read/fieldlease.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto costInterval = 1s;
/// Of any keys, whatever they hold: the scan knows that it reads locks, which are small.
constexpr qsizetype mostAtOnce = 50;
constexpr qint64 mostFound = 500'000; // a server without end must not fill our memory

/// What stands beside it may make such a lock certain, or likely. A bare number would be asked for on three channels, and
/// there are many of them: their permits tell of those that are semaphores.
bool canTellMore(const Lock &lock)
{
    return mayHaveCompanions(lock) && !isBareNumber(lock);
}

/// A companion by its name, whose content tells that its lock is one: the permits of a semaphore.
bool mayTellOfParent(QByteArrayView name)
{
    return std::ranges::any_of(familiesWith<&FamilySpec::parentOfSortedSet>(), [name](Family family) {
        const FamilySpec &spec = specOf(family);
        return spec.parentOfName && !spec.parentOfName(name).isEmpty();
    });
}

/// A queue that was met, of a lock that is not there.
Lock orphanOf(const QueuedLock &queued, int database, TimePoint heard)
{
    Lock lock;
    lock.address = {queued.key, database};
    lock.family = queued.family;
    lock.problems = Problem::Orphaned;
    lock.readAt = heard;
    return lock;
}

} // namespace

NodeSearch::NodeSearch(Link &link, double share, QObject *parent)
    : QObject(parent), m_share(share), m_link(link), m_wake(this), m_costTimer(this)
{
    m_wake.setSingleShot(true);
    m_wake.setTimerType(Qt::PreciseTimer);
    connect(&m_wake, &QTimer::timeout, this, &NodeSearch::step);
    m_costTimer.setInterval(costInterval);
    connect(&m_costTimer, &QTimer::timeout, this, &NodeSearch::learnCost);
    connect(&m_link, &Link::ready, this, &NodeSearch::begin);
    connect(&m_link, &Link::connectionRefused, this, &NodeSearch::lost);
    // Another node has taken over: how far its keys were walked says nothing of the new one's.
    connect(&m_link, &Link::connectionLost, this, [this](const Error &why) { end(false, why); });
}

NodeSearch::~NodeSearch()
{
    m_hasEnded = true;
}

void NodeSearch::start()
{
    if (m_link.state() == Link::State::Ready)
        begin();
    else
        m_link.open();
}

void NodeSearch::cancel()
{
    end(false, std::nullopt);
}

void NodeSearch::begin()
{
    m_scope = CompanionAccess(m_link.server());
    m_fieldLeases = fieldlease::answerExpectedOf(m_link.server());
    if (!m_scan) // else: again, after a reply that was too big
        m_scan.emplace(m_patterns, Clock::now());
    m_costTimer.start();
    learnCost();
    step();
}

void NodeSearch::learnCost()
{
    whenDone(this, m_link.send({"INFO", "commandstats"}), [this](const Result<Reply> &stats) {
        if (m_hasEnded)
            return;
        if (stats)
            m_budget.learn(stats->text, m_share, Clock::now());
        else
            m_costTimer.stop();
    });
}

void NodeSearch::step()
{
    if (m_isReading || m_hasEnded)
        return;
    const auto wait = m_budget.nextScan() - Clock::now();
    if (wait > 0ms) {
        m_wake.start(std::chrono::ceil<milliseconds>(std::min<Clock::duration>(wait, 24h)));
        return;
    }
    if (m_companions)
        return readCompanions();
    if (!m_suspects.isEmpty())
        return send({m_suspects.takeLast()}, false);
    m_toRead = std::exchange(m_again, {}) + m_toRead;
    const Targets targets = nextTargets(Clock::now());
    if (m_hasEnded) // too much was found
        return;
    const bool paged = !m_scan->scanned() && m_toRead.isEmpty();
    if (targets.isEmpty() && !m_toLook.isEmpty() && (!paged || m_toLook.size() >= mostAtOnce)) {
        m_companions.emplace(std::exchange(m_toLook, {}), m_scope);
        return readCompanions();
    }
    if (!targets.isEmpty() || paged)
        return send(targets, paged);
    if (m_toRead.isEmpty())
        return end(true, std::nullopt);
    m_wake.start(0ms);
}

/// But for those of which nothing can be read.
NodeSearch::Targets NodeSearch::nextTargets(TimePoint now)
{
    const qsizetype count = std::min(m_toRead.size(), mostAtOnce);
    Targets targets;
    QList<Lock> locks;
    for (qsizetype i = 0; i < count; ++i) {
        inspector::Target target = m_permissions.adapted(m_toRead[i]);
        target.fieldLeases = m_fieldLeases;
        if (!inspector::isUnreadable(target))
            targets.append(target);
        else if (const auto orphan = takeUnread(target, std::nullopt, now))
            locks.append(*orphan);
    }
    m_toRead.remove(0, count);
    report(locks);
    return targets;
}

/// The queue of another lock may be an orphan, by all that this login may see.
std::optional<Lock> NodeSearch::takeUnread(const inspector::Target &target, const std::optional<Error> &why,
                                           TimePoint now)
{
    m_unread.insert(qHash(target.key, QHashSeed::globalSeed()));
    m_progress.unreadable = m_unread.size();
    // One key that is refused itself tells why others are.
    const bool isByKey = why && refusalFrom(why->detail).about != Refusal::About::Command;
    if (isByKey && m_permissions.unreadable() == 0)
        m_permissions.refuseKey(target, {.isThere = true, .why = why}, now);
    m_queued.remove(target.key);
    const auto orphan = orphanBehind(target.key, false);
    return orphan ? std::optional(orphanOf(*orphan, m_link.address().database, now)) : std::nullopt;
}

void NodeSearch::send(const Targets &targets, bool paged)
{
    CommandBatch batch;
    for (const inspector::Target &target : targets)
        inspector::appendRead(batch, target);
    if (paged)
        m_scan->appendNextPage(batch, m_scanCount.value());
    m_isReading = true;
    m_sent = targets;
    whenDone(this, m_link.send(batch),
             [this, targets, paged, asked = Clock::now(),
              ownTime = Budget::ownTime()](const Result<std::vector<Reply>> &replies) {
                 received(targets, paged, replies, asked, ownTime);
             });
}

void NodeSearch::received(const Targets &targets, bool paged, const Result<std::vector<Reply>> &replies,
                          TimePoint asked, Clock::duration ownTime)
{
    m_isReading = false;
    if (m_hasEnded)
        return;
    if (!replies) // the connection says why by itself
        return;
    m_sent.clear();
    const TimePoint heard = Clock::now();
    int reads = 0;
    for (const inspector::Target &target : targets)
        reads += inspector::commandCount(target);
    const auto cost =
        m_budget.measure(heard - asked, Budget::ownTime() - ownTime, false, reads, paged ? 1 : 0);
    if (paged)
        m_scanCount.took(m_budget.ofPages(m_budget.lastWorked(), reads));
    m_budget.chargeScan(cost, reads, paged ? 1 : 0, m_share, asked);

    const std::span all(*replies);
    const auto ofPage = static_cast<size_t>(paged ? m_scan->commandCount() : 0);
    takeReads(targets, all.first(all.size() - ofPage), asked, heard);
    if (paged)
        takePage(all.last(ofPage));
    if (m_hasEnded)
        return;
    emit progressed(m_progress);
    m_wake.start(0ms); // by the event loop: a search may be cancelled at any moment
}

void NodeSearch::takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint asked,
                           TimePoint heard)
{
    QList<Lock> locks;
    for (const inspector::Target &target : targets) {
        const auto count = static_cast<size_t>(inspector::commandCount(target));
        const auto reading =
            inspector::interpret(target, m_link.address().database, replies.first(count), asked, heard);
        m_permissions.takeReplies(target, replies.first(count), heard);
        replies = replies.subspan(count);
        if (!reading) {
            if (reading.error().kind != ErrorKind::NoPermission)
                return end(false, reading.error());
            if (const auto orphan = takeUnread(target, reading.error(), heard))
                locks.append(*orphan);
            continue;
        }
        if (reading->fieldLeases != FieldLeases::Unknown)
            m_fieldLeases = reading->fieldLeases;
        if (!reading->inspection || (!reading->fields.isEmpty() && target.fields.isEmpty())) {
            m_again.append({target.key, reading->readAs, false, m_fieldLeases, reading->fields});
            continue;
        }
        if (const auto orphan = orphanBehind(target.key, reading->inspection->lock.has_value()))
            locks.append(orphanOf(*orphan, m_link.address().database, heard));
        const bool isSemaphore = hasPermits(*reading->inspection);
        const std::optional<Lock> &lock = reading->inspection->lock;
        if (!lock || m_known.contains(target.key))
            continue;
        const bool mayBeMore =
            isSemaphore || (certaintyOf(*lock) != Certainty::Certain && canTellMore(*lock));
        if (!mayBeMore && certaintyOf(*lock) == Certainty::Ambiguous)
            continue;
        m_known.insert(target.key);
        (mayBeMore ? m_toLook : locks).append(*lock);
    }
    report(locks);
}

void NodeSearch::report(const QList<Lock> &locks)
{
    m_progress.found += locks.size();
    if (!locks.isEmpty())
        emit found(locks);
    if (m_progress.found >= mostFound)
        end(false, Error{ErrorKind::TooManyLocks,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "%1 locks were found, and the search was ended"),
                                m_progress.found)});
}

void NodeSearch::readCompanions()
{
    const CommandBatch round = m_companions->next();
    if (round.isEmpty()) { // nothing of it may be asked for
        finishCompanions(m_companions->finished());
        return m_wake.start(0ms);
    }
    m_isReading = true;
    whenDone(this, m_link.send(round),
             [this, weight = m_companions->weight(), asked = Clock::now(),
              ownTime = Budget::ownTime()](const Result<std::vector<Reply>> &replies) {
                 takeCompanions(replies, weight, asked, ownTime);
             });
}

void NodeSearch::takeCompanions(const Result<std::vector<Reply>> &replies, int weight, TimePoint asked,
                                Clock::duration ownTime)
{
    m_isReading = false;
    if (m_hasEnded || !replies || !m_companions) // the connection says why by itself
        return;
    const auto cost = m_budget.measure(Clock::now() - asked, Budget::ownTime() - ownTime, false, weight, 0);
    m_budget.chargeScan(cost, weight, 0, m_share, asked);
    if (const Result<void> taken = m_companions->take(*replies); !taken)
        return end(false, taken.error());
    if (m_companions->isFinished())
        finishCompanions(m_companions->finished());
    m_wake.start(0ms);
}

void NodeSearch::finishCompanions(const QList<Lock> &looked)
{
    m_companions.reset();
    m_unreadBeside += std::ranges::count_if(
        looked, [](const Lock &lock) { return lock.beside->unread != Unread::Nothing; });
    QList<Lock> locks;
    std::ranges::copy_if(looked, std::back_inserter(locks),
                         [](const Lock &lock) { return certaintyOf(lock) != Certainty::Ambiguous; });
    report(locks);
}

/// A bare number is a lock where permits of a semaphore stand beside it, which are met on their own.
bool NodeSearch::hasPermits(const Inspection &inspection)
{
    if (!inspection.attachedTo.isEmpty() && isPermitsKey(inspection.key.bytes)) {
        m_permitted.insert(inspection.attachedTo);
        m_toRead.append({inspection.attachedTo, KeyType::Unknown, false});
    }
    return inspection.lock && m_permitted.remove(inspection.key) && isBareNumber(*inspection.lock);
}

/// The lock whose queue was met, where neither it nor the other one of which the queue may be is there.
std::optional<QueuedLock> NodeSearch::orphanBehind(const LockKey &read, bool isLock)
{
    if (const auto wrapped = m_wrapped.constFind(read); wrapped != m_wrapped.cend()) {
        const QueuedLock bare = *wrapped;
        m_wrapped.erase(wrapped);
        return isLock ? std::nullopt : std::optional(bare);
    }
    const auto queued = m_queued.constFind(read);
    if (queued == m_queued.cend())
        return std::nullopt;
    const QueuedLock lock{read, *queued};
    m_queued.erase(queued);
    if (isLock)
        return std::nullopt;
    const std::optional<LockKey> other = sameCompanions(read);
    if (!other)
        return lock;
    m_wrapped.insert(*other, lock);
    m_toRead.append({*other, KeyType::Unknown, false});
    return std::nullopt;
}

void NodeSearch::takePage(std::span<const Reply> replies)
{
    const auto names = m_scan->takePage(replies);
    if (!names)
        return end(false, names.error());
    for (const Reply &name : *names) {
        if (!globMatchesAny(m_patterns, name.text))
            continue;
        if (const QueuedLock lock = lockOfQueue(name.text); !lock.key.isEmpty()) {
            m_queued.insert(lock.key, lock.family);
            m_toRead.append({lock.key, KeyType::Unknown, false});
        } else if ((!isCompanion(name.text) || mayTellOfParent(name.text)) && !name.text.isEmpty()) {
            m_toRead.append({LockKey(name.text), KeyType::Unknown, false});
        }
    }
    m_progress.done = m_scan->stats.progress;
    m_progress.scanned = m_scan->stats.keysScanned;
    m_progress.keyspace = m_scan->stats.keyspace;
}

/// A reply that breaks the codec's limits may be any of those on their way; read alone, it is known and left out.
void NodeSearch::lost(const Error &why)
{
    if (m_hasEnded)
        return;
    if (why.kind != ErrorKind::ProtocolError || (m_sent.isEmpty() && !m_companions))
        return end(false, why);
    if (m_companions) // what stands beside them is too big to be read: they are what they are by themselves
        finishCompanions(QList<Lock>(m_companions->locks()));
    m_costTimer.stop();
    const Targets sent = std::exchange(m_sent, {});
    if (sent.size() > 1)
        m_suspects += sent;
    QMetaObject::invokeMethod(&m_link, &Link::open, Qt::QueuedConnection);
}

void NodeSearch::end(bool complete, std::optional<Error> error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_wake.stop();
    m_costTimer.stop();
    PermissionStatus permissions = m_permissions.status();
    permissions.unreadable = m_progress.unreadable;
    permissions.missing += missingCompanions(m_scope.forbidden());
    emit ended({complete, std::move(error), m_progress, std::move(permissions), m_unreadBeside});
}

} // namespace lockscope
