// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/contentsearch.h"

#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/registry.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/loadmeter.h"
#include "core/monitor/missingpermissions.h"
#include "core/monitor/permissiontracker.h"
#include "core/read/companionreader.h"
#include "core/redis/whendone.h"

#include <QHash>
#include <QSet>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto costInterval = 1s;
/// For keys of any content; a scan reads locks, which are small.
constexpr qsizetype maxAtOnce = 50;
constexpr qint64 maxFound = 500'000; // a server without end must not fill our memory

/// True if companions may make the lock certain or likely. Bare numbers would need three channels each, and
/// are many: the permits show which are semaphores.
bool canTellMore(const Lock &lock)
{
    return mayHaveCompanions(lock) && !isBareNumber(lock);
}

/// True for permits of a semaphore, whose content proves the parent lock.
bool mayTellOfParent(QByteArrayView name)
{
    return std::ranges::any_of(familiesWith<&FamilySpec::parentOfSortedSet>(), [name](Family family) {
        const FamilySpec &spec = specOf(family);
        return spec.parentOfName && !spec.parentOfName(name).isEmpty();
    });
}

} // namespace

/// The search on one server: scans its keys within a share of one core. A reply beyond the codec's limits
/// ends the connection, which is reopened: nothing else may use the link.
class ContentSearch::Part : public QObject
{
public:
    Part(ContentSearch &search, Link &link);

    void start() { m_link.state() == Link::State::Ready ? begin() : m_link.open(); }
    void end(bool complete, std::optional<Error> error);

    bool hasEnded() const { return m_hasEnded; }
    const SearchResult &result() const { return m_result; }

private:
    using Targets = QList<inspector::Target>;

    void begin();
    void step();
    template <typename Take>
    void send(const CommandBatch &batch, Take take);
    void read(const Targets &targets, bool paged);
    void readCompanions();
    void finishCompanions(const QList<Lock> &looked);
    bool hasPermits(const Inspection &inspection);
    std::optional<Lock> orphanBehind(const LockKey &read, bool isLock, TimePoint heard);
    void report(const QList<Lock> &locks);
    void takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint heard);
    std::optional<Lock> takeUnread(const inspector::Target &target, const std::optional<Error> &why,
                                   TimePoint now);
    Targets nextTargets(TimePoint now);
    void takePage(std::span<const Reply> replies);
    void learnCost();
    void lost(const Error &why);

    ContentSearch &m_search;
    Link &m_link;
    std::optional<KeyspaceScan> m_scan;
    Targets m_toRead;
    Targets m_again; ///< keys of another type than first assumed
    Targets m_sent;
    QList<Lock> m_toLook; ///< companions may show more
    CompanionAccess m_scope;
    std::optional<CompanionReader> m_companions;
    Targets m_suspects;              ///< a reply for one of them exceeded the codec's limits: read one by one
    QSet<LockKey> m_known;           ///< SCAN may return a name twice
    QHash<LockKey, Family> m_queued; ///< locks whose queues were found, to be read themselves
    QSet<LockKey> m_permitted;       ///< semaphores whose permits were found, to be read again
    QHash<LockKey, QueuedLock> m_wrapped; ///< the other lock whose queue it may be, by the missing lock
    PermissionTracker m_permissions{KeyNameFilter({"*"}), {}}; ///< why keys are unreadable
    UnlistedNameCounter m_outside;
    QSet<size_t> m_unread; ///< hashes of keys, which may be all keys
    FieldLeases m_fieldLeases = FieldLeases::NotThere;
    LoadMeter m_load;
    QTimer m_wake;
    QTimer m_costTimer;
    bool m_isReading = false;
    TimePoint m_askedAt;
    Clock::duration m_ownTime{}; ///< processor time of this thread at m_askedAt
    SearchResult m_result;
    bool m_hasEnded = false;
};

ContentSearch::Part::Part(ContentSearch &search, Link &link)
    : m_search(search), m_link(link), m_wake(this), m_costTimer(this)
{
    m_wake.setSingleShot(true);
    m_wake.setTimerType(Qt::PreciseTimer);
    connect(&m_wake, &QTimer::timeout, this, &ContentSearch::Part::step);
    connect(&m_costTimer, &QTimer::timeout, this, &ContentSearch::Part::learnCost);
    connect(&m_link, &Link::ready, this, &ContentSearch::Part::begin);
    connect(&m_link, &Link::connectionRefused, this, &ContentSearch::Part::lost);
    // Another node has taken over: how far its keys were walked says nothing of the new one's.
    connect(&m_link, &Link::connectionLost, this, [this](const Error &why) { end(false, why); });
}

void ContentSearch::Part::begin()
{
    m_scope = CompanionAccess(m_link.server());
    m_fieldLeases = fieldlease::answerExpectedOf(m_link.server());
    if (!m_scan) // else: again, after a reply that was too big
        m_scan.emplace(m_search.m_names, Clock::now());
    m_costTimer.start(costInterval);
    learnCost();
    step();
}

void ContentSearch::Part::learnCost()
{
    whenDone(this, m_link.send({"INFO", "commandstats"}), [this](const Result<Reply> &stats) {
        if (m_hasEnded)
            return;
        if (stats)
            m_load.budget().learn(stats->text, m_search.m_share, Clock::now());
        else
            m_costTimer.stop();
    });
}

void ContentSearch::Part::step()
{
    if (m_isReading || m_hasEnded)
        return;
    const auto wait = m_load.budget().nextScan() - Clock::now();
    if (wait > 0ms) {
        m_wake.start(std::chrono::ceil<milliseconds>(std::min<Clock::duration>(wait, 24h)));
        return;
    }
    if (m_companions)
        return readCompanions();
    if (!m_suspects.isEmpty())
        return read({m_suspects.takeLast()}, false);
    m_toRead = std::exchange(m_again, {}) + m_toRead;
    const Targets targets = nextTargets(Clock::now());
    if (m_hasEnded) // too much was found
        return;
    const bool paged = !m_scan->scanned() && m_toRead.isEmpty();
    if (targets.isEmpty() && !m_toLook.isEmpty() && (!paged || m_toLook.size() >= maxAtOnce)) {
        m_companions.emplace(std::exchange(m_toLook, {}), m_scope);
        return readCompanions();
    }
    if (!targets.isEmpty() || paged)
        return read(targets, paged);
    if (m_toRead.isEmpty())
        return end(true, std::nullopt);
    m_wake.start(0ms);
}

/// Except for keys of which nothing can be read.
ContentSearch::Part::Targets ContentSearch::Part::nextTargets(TimePoint now)
{
    const qsizetype count = std::min(m_toRead.size(), maxAtOnce);
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

/// The queue of another lock, perhaps an orphan, as far as this login may see.
std::optional<Lock> ContentSearch::Part::takeUnread(const inspector::Target &target,
                                                    const std::optional<Error> &why, TimePoint now)
{
    m_unread.insert(qHash(target.key, QHashSeed::globalSeed()));
    m_result.progress.unreadable = m_unread.size();
    // One key that is refused itself tells why others are.
    const bool isByKey = why && refusalFrom(why->detail).about != Refusal::About::Command;
    if (isByKey && m_permissions.unreadable() == 0)
        m_permissions.refuseKey(target, {.isThere = true, .why = why}, now);
    m_queued.remove(target.key);
    return orphanBehind(target.key, false, now);
}

/// Sends a batch, and takes the replies unless the search has ended.
template <typename Take>
void ContentSearch::Part::send(const CommandBatch &batch, Take take)
{
    m_isReading = true;
    m_askedAt = Clock::now();
    m_ownTime = Budget::ownTime();
    whenDone(this, m_link.send(batch), [this, take](const Result<std::vector<Reply>> &replies) {
        m_isReading = false;
        if (m_hasEnded || !replies) // the connection says why by itself
            return;
        take(std::span(*replies), Clock::now());
        if (!m_hasEnded)
            m_wake.start(0ms); // by the event loop: a search may be cancelled at any moment
    });
}

void ContentSearch::Part::read(const Targets &targets, bool paged)
{
    CommandBatch batch;
    for (const inspector::Target &target : targets)
        inspector::appendRead(batch, target);
    const int reads = batch.size();
    if (paged)
        m_scan->appendNextPage(batch, m_load.scanCount());
    m_sent = targets;
    send(batch, [this, targets, paged, reads](std::span<const Reply> replies, TimePoint heard) {
        m_sent.clear();
        m_load.charge({ReadReason::KeyspaceScan, reads, paged, m_askedAt, m_ownTime}, ScanPace::Budgeted,
                      m_search.m_share, heard);
        takeReads(targets, replies.first(static_cast<size_t>(reads)), heard);
        if (paged && !m_hasEnded)
            takePage(replies.subspan(static_cast<size_t>(reads)));
        if (!m_hasEnded)
            emit m_search.progressed(m_search.progress());
    });
}

void ContentSearch::Part::takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint heard)
{
    QList<Lock> locks;
    for (const inspector::Target &target : targets) {
        const auto count = static_cast<size_t>(inspector::commandCount(target));
        const auto reading =
            inspector::interpret(target, m_link.address().database, replies.first(count), m_askedAt, heard);
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
        const std::optional<Lock> &lock = reading->inspection->lock;
        m_outside.judge(target.key, lock);
        if (const auto orphan = orphanBehind(target.key, lock.has_value(), heard))
            locks.append(*orphan);
        const bool isSemaphore = hasPermits(*reading->inspection);
        if (!lock || m_known.contains(target.key))
            continue;
        const bool mayBeMore =
            isSemaphore || (certaintyOf(*lock) != Certainty::Certain && canTellMore(*lock));
        if (!mayBeMore && certaintyOf(*lock) == Certainty::Ambiguous && !tellsOfHolder(*lock))
            continue;
        m_known.insert(target.key);
        (mayBeMore ? m_toLook : locks).append(*lock);
    }
    report(locks);
}

void ContentSearch::Part::report(const QList<Lock> &locks)
{
    m_result.progress.found += locks.size();
    if (!locks.isEmpty())
        emit m_search.found(locks);
    if (m_result.progress.found >= maxFound)
        end(false, Error{ErrorKind::TooManyLocks, Phrase(QT_TRANSLATE_NOOP("phrases", "stopped at %1 locks"),
                                                         m_result.progress.found)});
}

void ContentSearch::Part::readCompanions()
{
    const CommandBatch round = m_companions->next();
    if (round.isEmpty()) { // nothing of it may be asked for
        finishCompanions(m_companions->finished());
        return m_wake.start(0ms);
    }
    send(round, [this](std::span<const Reply> replies, TimePoint heard) {
        if (!m_companions) // lost() has given them up: in a cluster another node may have kept the answer waiting
            return;
        m_load.chargeWaiters(m_companions->weight(), m_search.m_share, m_askedAt, heard);
        if (const Result<void> taken = m_companions->take(replies); !taken)
            return end(false, taken.error());
        if (m_companions->isFinished())
            finishCompanions(m_companions->finished());
    });
}

void ContentSearch::Part::finishCompanions(const QList<Lock> &looked)
{
    m_companions.reset();
    m_result.unreadCompanions += std::ranges::count_if(
        looked, [](const Lock &lock) { return lock.companions->unread != Unread::Nothing; });
    QList<Lock> locks;
    std::ranges::copy_if(looked, std::back_inserter(locks), [](const Lock &lock) {
        return certaintyOf(lock) != Certainty::Ambiguous || tellsOfHolder(lock);
    });
    report(locks);
}

/// True if permits of a semaphore were found, which make a bare number a lock.
bool ContentSearch::Part::hasPermits(const Inspection &inspection)
{
    if (!inspection.attachedTo.isEmpty() && isPermitsKey(inspection.key.bytes)) {
        m_permitted.insert(inspection.attachedTo);
        m_toRead.append({inspection.attachedTo, KeyType::Unknown, false});
    }
    return inspection.lock && m_permitted.remove(inspection.key) && isBareNumber(*inspection.lock);
}

/// The lock of a queue, if neither it nor the other lock with that queue exists.
std::optional<Lock> ContentSearch::Part::orphanBehind(const LockKey &read, bool isLock, TimePoint heard)
{
    std::optional<QueuedLock> orphan;
    if (const auto wrapped = m_wrapped.constFind(read); wrapped != m_wrapped.cend()) {
        orphan = *wrapped;
        m_wrapped.erase(wrapped);
    } else if (const auto queued = m_queued.constFind(read); queued != m_queued.cend()) {
        orphan = QueuedLock{read, *queued};
        m_queued.erase(queued);
        if (const std::optional<LockKey> other = sameCompanions(read); other && !isLock) {
            m_wrapped.insert(*other, *orphan);
            m_toRead.append({*other, KeyType::Unknown, false});
            return std::nullopt;
        }
    }
    if (!orphan || isLock)
        return std::nullopt;
    Lock lock;
    lock.address = {orphan->key, m_link.address().database};
    lock.family = orphan->family;
    lock.problems = Problem::Orphaned;
    lock.readAt = heard;
    return lock;
}

void ContentSearch::Part::takePage(std::span<const Reply> replies)
{
    const auto names = m_scan->takePage(replies);
    if (!names)
        return end(false, names.error());
    for (const Reply &name : *names) {
        if (!globMatchesAny(m_search.m_names.patterns(), name.text))
            continue;
        if (m_search.m_isOfAll && !m_search.m_listed.contains(name.text))
            m_outside.note(name.text, m_search.m_listed.hintOf(name.text));
        if (const QueuedLock lock = lockOfQueue(name.text); !lock.key.isEmpty()) {
            m_queued.insert(lock.key, lock.family);
            m_toRead.append({lock.key, KeyType::Unknown, false});
        } else if ((!isCompanion(name.text) || mayTellOfParent(name.text)) && !name.text.isEmpty()) {
            m_toRead.append({LockKey(name.text), KeyType::Unknown, false});
        }
    }
    m_result.progress.done = m_scan->stats.progress;
    m_result.progress.scanned = m_scan->stats.keysScanned;
    m_result.progress.keyspace = m_scan->stats.keyspace;
}

/// A reply beyond the codec's limits may be for any key in flight; read alone, it is found and left out.
void ContentSearch::Part::lost(const Error &why)
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

void ContentSearch::Part::end(bool complete, std::optional<Error> error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_wake.stop();
    m_costTimer.stop();
    m_result.isComplete = complete;
    m_result.error = std::move(error);
    m_result.outside = m_outside.outside();
    m_result.permissions = m_permissions.status();
    m_result.permissions.unreadable = m_result.progress.unreadable;
    m_result.permissions.missing += missingCompanions(m_scope.forbidden());
    m_search.endIfDone();
}

ContentSearch::ContentSearch(const ServerAddress &address, double share, QObject *parent)
    : QObject(parent),
      m_share(share),
      m_deployment(address, {.clientName = "lockscope-search", .readOnly = true, .reconnect = false}, this)
{
    Link &link = m_deployment.link();
    connect(&link, &Link::ready, this, &ContentSearch::begin);
    connect(&link, &Link::connectionRefused, this, [this](const Error &why) {
        if (m_parts.empty()) // else its part tells
            end(why);
    });
}

ContentSearch::~ContentSearch()
{
    m_hasEnded = true;
    m_parts.clear();
}

void ContentSearch::cancel()
{
    m_isCanceled = true;
    if (m_parts.empty())
        return end(std::nullopt);
    for (size_t i = 0; i < m_parts.size(); ++i)
        m_parts[i]->end(false, std::nullopt);
}

/// Begins once every node has answered or failed.
void ContentSearch::begin()
{
    if (m_hasEnded || !m_parts.empty())
        return;
    for (Shard *shard : m_deployment.shards())
        m_parts.push_back(std::make_unique<Part>(*this, *shard));
    connect(&m_deployment, &Deployment::shardsChanged, this, [this] { m_hasMoved = true; });
    for (size_t i = 0; i < m_parts.size() && !m_hasEnded; ++i)
        m_parts[i]->start();
}

SearchProgress ContentSearch::progress() const
{
    SearchProgress all;
    for (const auto &part : m_parts) {
        const SearchProgress &one = part->result().progress;
        all.done += one.done / static_cast<double>(m_parts.size());
        all.scanned += one.scanned;
        all.keyspace += one.keyspace;
        all.found += one.found;
        all.unreadable += one.unreadable;
    }
    return all;
}

void ContentSearch::endIfDone()
{
    if (std::ranges::all_of(m_parts, [](const auto &part) { return part->hasEnded(); }))
        end(std::nullopt);
}

void ContentSearch::end(std::optional<Error> error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    SearchResult result;
    result.error = std::move(error);
    result.progress = progress();
    result.isComplete = !result.error && !m_isCanceled && !m_hasMoved;
    for (const auto &part : m_parts) {
        const SearchResult &one = part->result();
        result.isComplete = result.isComplete && one.isComplete;
        if (!result.error)
            result.error = one.error;
        result.permissions.add(one.permissions);
        result.unreadCompanions += one.unreadCompanions;
        result.outside.add(one.outside);
    }
    emit this->ended(result);
    // Not from within one of its own signals.
    QMetaObject::invokeMethod(&m_deployment, &Deployment::close, Qt::QueuedConnection);
}

} // namespace lockscope
