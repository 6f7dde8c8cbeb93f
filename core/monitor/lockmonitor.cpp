// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitor.h"

#include "core/lock/companion.h"
#include "core/monitor/glob.h"
#include "core/monitor/lockstore.h"
#include "core/monitor/pacer.h"
#include "core/monitor/schedule.h"
#include "core/monitor/sweep.h"
#include "core/redis/whendone.h"

#include <QSet>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto frame = 33ms;           // changes are told at most so often
constexpr auto confirmedEvery = 250ms; // and the age of the picture so often
constexpr auto afterExpiry = 1ms;
constexpr auto cheapestCommand = 1us;
constexpr auto costliestRead = 10us; // a bounded read of one key; ten times what was measured
constexpr auto costliestScan = 2000us;
constexpr auto afterRefusal = 2s; // LOADING, BUSY and the like pass by themselves

template <typename Duration>
auto microseconds(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

} // namespace

class LockMonitor::Private : public QObject
{
public:
    Private(LockMonitor *monitor, Connection &serverConnection, MonitorOptions monitorOptions);

    using Targets = QList<inspector::Target>;

    /// Why a batch goes out, which decides whether it may wait for the budget.
    enum class Reason { Urgent, Reread, Sweep };

    void begin();
    void halt();
    void step();
    std::optional<Reason> nextReason(TimePoint now);
    void sleepUntilNextWork(TimePoint now);
    Targets targetsFor(Reason reason, TimePoint now);
    Targets known(const QList<LockKey> &keys) const;
    void send(Reason reason);
    void received(Reason reason, const Targets &targets, bool paged, TimePoint asked,
                  const Result<std::vector<Reply>> &replies);
    bool takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint asked, TimePoint heard);
    void store(const Inspection &inspection, TimePoint now);
    void forget(const LockKey &key);
    void takePage(const Result<QList<LockKey>> &page, TimePoint now);
    void finishSweep(TimePoint now);
    void account(Reason reason, TimePoint asked, TimePoint heard, int commands);
    void lostBatch(const Targets &targets);
    void refuse(const Error &why);
    void tellConfirmed(TimePoint now);
    void flush();

    LockMonitor *q;
    Connection &connection;
    MonitorOptions options;
    LockStore locks;
    Schedule touches; // just after each predicted end
    Schedule rereads; // every known lock, in turn
    QSet<LockKey> hints;
    QSet<LockKey> refusedKeys; // no permission to read them: not asked again on this connection
    QSet<LockKey> suspects;    // one of them broke the connection: read one at a time
    QSet<LockKey> tooBig;      // its reply breaks the codec's limits: only its presence is asked for
    std::optional<Sweep> sweep;
    Targets pageTargets; // of the last page, read along with the next SCAN
    Pacer pacer;
    TimePoint nextSweep;
    TimePoint pausedUntil;
    Clock::duration idleRoundTrip = Clock::duration::max();
    TimePoint toldConfirmed;
    TimePoint sweepStarted;
    bool wanted = false;
    bool inFlight = false;
    bool sweptOnce = false;
    bool fullSpeed = false;
    bool rereadLast = false;
    int generation = 0; // of the connection: replies to an older one are dropped
    QTimer wake;
    QTimer flushTimer;
};

LockMonitor::Private::Private(LockMonitor *monitor, Connection &serverConnection,
                              MonitorOptions monitorOptions)
    : QObject(monitor),
      q(monitor),
      connection(serverConnection),
      options(std::move(monitorOptions)),
      wake(this),
      flushTimer(this)
{
    wake.setSingleShot(true);
    wake.setTimerType(Qt::PreciseTimer);
    flushTimer.setSingleShot(true);
    connect(&wake, &QTimer::timeout, this, &Private::step);
    connect(&flushTimer, &QTimer::timeout, this, &Private::flush);
    connect(&connection, &Connection::ready, this, &Private::begin);
    connect(&connection, &Connection::lost, this, &Private::halt);
    connect(&connection, &Connection::refused, this, &Private::halt);
}

void LockMonitor::Private::begin()
{
    if (!wanted)
        return;
    ++generation;
    inFlight = false;
    sweptOnce = false;
    idleRoundTrip = Clock::duration::max();
    refusedKeys.clear();
    hints.clear();
    pageTargets.clear();
    sweep.reset();
    nextSweep = pausedUntil = {};
    locks.beginGap();
    const TimePoint now = Clock::now();
    for (const LockKey &key : locks.keys())
        rereads.set(key, now);
    step();
}

void LockMonitor::Private::halt()
{
    ++generation;
    inFlight = false;
    wake.stop();
}

void LockMonitor::Private::step()
{
    if (!wanted || inFlight || connection.state() != Connection::State::Ready)
        return;
    const TimePoint now = Clock::now();
    if (const std::optional<Reason> reason = nextReason(now))
        send(*reason);
    else
        sleepUntilNextWork(now);
}

std::optional<LockMonitor::Private::Reason> LockMonitor::Private::nextReason(TimePoint now)
{
    if (now < pausedUntil)
        return std::nullopt;
    const auto touch = touches.next();
    if (!hints.isEmpty() || (touch && *touch <= now))
        return Reason::Urgent;
    if (now < pacer.next())
        return std::nullopt;
    const auto reread = rereads.next();
    // The first sweep reads all that is there: until it is through, reading anything twice would only delay it.
    const bool canReread = !suspects.isEmpty() || (sweptOnce && reread && *reread <= now);
    const bool canSweep = sweep || now >= nextSweep;
    // Neither may starve the other, however many locks there are.
    if (canReread && (!canSweep || !rereadLast))
        return Reason::Reread;
    if (canSweep)
        return Reason::Sweep;
    return std::nullopt;
}

void LockMonitor::Private::sleepUntilNextWork(TimePoint now)
{
    const auto earliest = [](std::optional<TimePoint> a, TimePoint b) { return a ? std::min(*a, b) : b; };
    TimePoint next = sweep ? now : nextSweep;
    if (sweptOnce)
        next = earliest(rereads.next(), next);
    if (!suspects.isEmpty())
        next = now;
    next = std::max(next, pacer.next());
    next = std::max(earliest(touches.next(), next), pausedUntil);
    wake.start(std::chrono::ceil<milliseconds>(std::max(next - now, Clock::duration(0))));
}

LockMonitor::Private::Targets LockMonitor::Private::known(const QList<LockKey> &keys) const
{
    Targets targets;
    targets.reserve(keys.size());
    for (const LockKey &key : keys) {
        if (isCompanion(key.bytes) || refusedKeys.contains(key) || suspects.contains(key))
            continue;
        const WatchedLock *watched = locks.find(key);
        targets.append({key, watched ? watched->lock.type : KeyType::NotKnown});
    }
    return targets;
}

LockMonitor::Private::Targets LockMonitor::Private::targetsFor(Reason reason, TimePoint now)
{
    switch (reason) {
    case Reason::Urgent: {
        QList<LockKey> keys = touches.takeDue(now, inspector::batchKeys);
        while (!hints.isEmpty() && keys.size() < inspector::batchKeys)
            keys.append(*hints.begin()), hints.erase(hints.begin());
        return known(keys);
    }
    case Reason::Reread:
        if (!suspects.isEmpty())
            return {{*suspects.cbegin(), KeyType::NotKnown}};
        return known(rereads.takeDue(now, inspector::batchKeys));
    case Reason::Sweep:
        return std::exchange(pageTargets, {});
    }
    return {};
}

void LockMonitor::Private::send(Reason reason)
{
    const TimePoint now = Clock::now();
    const Targets targets = targetsFor(reason, now);
    CommandBatch batch;
    for (const inspector::Target &target : targets)
        inspector::appendRead(batch, target);
    bool paged = false;
    if (reason == Reason::Sweep) {
        if (!sweep) {
            sweep.emplace(options.patterns);
            sweepStarted = now;
        }
        paged = !sweep->scanned();
        if (paged)
            sweep->appendNextPage(batch);
    }
    rereadLast = reason == Reason::Reread;
    inFlight = true;
    whenDone(
        this, connection.send(batch),
        [this, reason, targets, paged, now, sentIn = generation](const Result<std::vector<Reply>> &replies) {
            if (sentIn == generation)
                received(reason, targets, paged, now, replies);
            else if (!replies)
                lostBatch(targets);
        });
}

void LockMonitor::Private::received(Reason reason, const Targets &targets, bool paged, TimePoint asked,
                                    const Result<std::vector<Reply>> &replies)
{
    const TimePoint heard = Clock::now();
    inFlight = false;
    if (!replies)
        return lostBatch(targets); // the connection's own signal follows
    const int pageCommands = paged ? sweep->commandCount() : 0;
    const std::span all(*replies);
    account(reason, asked, heard, static_cast<int>(all.size()));
    for (const inspector::Target &target : targets)
        suspects.remove(target.key);
    if (!takeReads(targets, all.first(all.size() - static_cast<size_t>(pageCommands)), asked, heard))
        return step();
    if (paged)
        takePage(sweep->takePage(all.last(static_cast<size_t>(pageCommands))), heard);
    else if (reason == Reason::Sweep)
        finishSweep(heard);
    tellConfirmed(heard);
    // By the event loop, so that a full-speed sweep leaves room for what others ask of this thread.
    if (connection.state() == Connection::State::Ready)
        wake.start(0ms);
}

bool LockMonitor::Private::takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint asked,
                                     TimePoint heard)
{
    const int database = connection.address().database;
    for (auto at = targets.begin(); at != targets.end(); ++at) {
        const inspector::Target &target = *at;
        const auto count = static_cast<size_t>(inspector::commandCount(target.type));
        const auto inspection =
            inspector::interpret({target.key, database}, target.type, replies.first(count), asked, heard);
        replies = replies.subspan(count);
        if (inspection && *inspection) {
            tooBig.remove(target.key);
            store(**inspection, heard);
        } else if (inspection && tooBig.contains(target.key)) {
            rereads.set(target.key, heard + options.rereadInterval);
        } else if (inspection) {
            store({target.key, std::nullopt}, heard); // another type took the name
            hints.insert(target.key);
        } else if (inspection.error().kind == ErrorKind::NoPermission) {
            refusedKeys.insert(target.key);
            forget(target.key); // what can't be read any more can't be shown as it is
            flush();
            emit q->troubled(inspection.error());
        } else {
            // None of the rest may fall out of its turn: a lock that nobody reads would be shown for ever.
            for (; at != targets.end(); ++at)
                rereads.set(at->key, heard);
            refuse(inspection.error());
            return false;
        }
    }
    return true;
}

void LockMonitor::Private::store(const Inspection &inspection, TimePoint now)
{
    locks.apply(inspection, now);
    if (!inspection.lock) {
        touches.remove(inspection.key);
        rereads.remove(inspection.key);
    } else {
        rereads.set(inspection.key, now + options.rereadInterval);
        if (inspection.lock->deadline)
            touches.set(inspection.key, inspection.lock->deadline->latest + afterExpiry);
        else
            touches.remove(inspection.key);
    }
    if (locks.hasChanges() && !flushTimer.isActive())
        flushTimer.start(frame);
}

void LockMonitor::Private::forget(const LockKey &key)
{
    locks.forget(key);
    touches.remove(key);
    rereads.remove(key);
}

void LockMonitor::Private::takePage(const Result<QList<LockKey>> &page, TimePoint now)
{
    if (!page) {
        sweep.reset();
        return refuse(page.error());
    }
    pageTargets = known(*page);
    if (sweep->scanned() && pageTargets.isEmpty())
        return finishSweep(now);
    sweep->stats.locks = locks.size();
    sweep->stats.wallTime = microseconds(now - sweepStarted);
    emit q->sweepProgressed(sweep->stats);
}

void LockMonitor::Private::finishSweep(TimePoint now)
{
    SweepStats stats = sweep->stats;
    stats.complete = true;
    stats.locks = locks.size();
    stats.wallTime = microseconds(now - sweepStarted);
    stats.finishedAt = now;
    sweep.reset();
    sweptOnce = true;
    fullSpeed = false;
    nextSweep = now + options.sweepInterval;
    locks.endGap();
    flush(); // the picture is whole: show it before it is called so
    emit q->swept(stats);
}

void LockMonitor::Private::account(Reason reason, TimePoint asked, TimePoint heard, int commands)
{
    // What a round trip takes beyond the shortest one of this connection is what the server worked for us, or less: a
    // reply may also have waited for others, or for us to wake. So it counts up to what our commands can cost at all.
    const auto roundTrip = heard - asked;
    idleRoundTrip = std::min(idleRoundTrip, roundTrip);
    const Clock::duration most = commands * costliestRead + (reason == Reason::Sweep ? costliestScan : 0us);
    const auto cost =
        std::clamp<Clock::duration>(roundTrip - idleRoundTrip, commands * cheapestCommand, most);
    const double share = sweptOnce ? options.share : options.firstSweepShare;
    if (!fullSpeed)
        pacer.charge(cost, share, asked);
    if (reason == Reason::Sweep) {
        sweep->stats.commands += commands;
        sweep->stats.serverTime += microseconds(cost);
    }
}

void LockMonitor::Private::lostBatch(const Targets &targets)
{
    const TimePoint now = Clock::now();
    for (const inspector::Target &target : targets)
        rereads.set(target.key, now);
    if (connection.lastError().kind != ErrorKind::NotRedis || targets.isEmpty())
        return;
    // A reply broke a limit of the codec. Which key it was shows when each is read alone; that one is not
    // read again.
    if (targets.size() > 1) {
        for (const inspector::Target &target : targets)
            suspects.insert(target.key);
        return;
    }
    Lock lock;
    lock.address = {targets.front().key, connection.address().database};
    lock.type = KeyType::Other;
    lock.problems = Problem::TooBig;
    lock.readAt = now;
    suspects.remove(lock.key());
    tooBig.insert(lock.key());
    store({lock.key(), lock}, now);
}

void LockMonitor::Private::refuse(const Error &why)
{
    // What permission forbids is not asked again on this connection; the rest passes by itself.
    pausedUntil = needsUser(why.kind) ? TimePoint::max() : Clock::now() + afterRefusal;
    emit q->troubled(why);
}

void LockMonitor::Private::tellConfirmed(TimePoint now)
{
    if (now - toldConfirmed < confirmedEvery || !sweptOnce)
        return;
    toldConfirmed = now;
    // The picture is as old as the lock that was read longest ago.
    const auto oldest = rereads.next();
    emit q->confirmed(oldest ? std::min(now, *oldest - options.rereadInterval) : now);
}

void LockMonitor::Private::flush()
{
    flushTimer.stop();
    if (locks.hasChanges())
        emit q->changed(locks.takeChanges());
}

LockMonitor::LockMonitor(Connection &connection, MonitorOptions options, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, connection, std::move(options)))
{
}

LockMonitor::~LockMonitor() = default;

const MonitorOptions &LockMonitor::options() const
{
    return d->options;
}

void LockMonitor::start()
{
    d->wanted = true;
    if (d->connection.state() == Connection::State::Ready)
        d->begin();
}

void LockMonitor::sweepNow()
{
    d->fullSpeed = true;
    d->pacer.forgive();
    d->nextSweep = {};
    d->pausedUntil = {};
    d->step();
}

void LockMonitor::setPatterns(const QList<QByteArray> &patterns)
{
    d->options.patterns = patterns;
    d->sweep.reset();
    d->pageTargets.clear();
    for (const LockKey &key : d->locks.keys()) {
        if (!globMatchesAny(patterns, key.bytes))
            d->forget(key);
    }
    d->flush();
    sweepNow();
}

void LockMonitor::hint(const QList<LockKey> &keys)
{
    for (const LockKey &key : keys)
        d->hints.insert(key);
    d->step();
}

void LockMonitor::setVisible(const QList<LockKey> &keys)
{
    hint(keys);
}

} // namespace lockscope
