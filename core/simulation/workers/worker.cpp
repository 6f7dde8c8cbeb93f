// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/worker.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using What = LogLine::What;
using Traced = TraceEntry::Kind;

namespace {

constexpr int livesApart = 1000;
constexpr auto look = 10ms;           // how often a dead one looks whether the run has ended
constexpr auto reconnectPause = 30ms; // between tries to reach a server that is away

} // namespace

Worker::Worker(const WorkerContext &context, WorkerControl &control, Workload &routine, int number)
    : m_context(context),
      m_control(control),
      m_routine(routine),
      m_number(number),
      m_clock(control, context.start)
{
    std::seed_seq seed{context.seed, static_cast<quint32>(number), 7U};
    m_random.seed(seed);
}

Worker::~Worker() = default;

void Worker::run(std::stop_token stop)
{
    m_reporter.emplace(m_control, m_clock, m_context.referee, m_number, m_context.keepsLog);
    while (!stop.stop_requested()) {
        const std::stop_token life = m_control.beginLife();
        const std::stop_callback ending(stop, [this] { m_control.endLife(); });
        live(life);
        if (!m_control.isKilled() || stop.stop_requested())
            break;
        waitOutLease(stop);
    }
    m_reporter->show(m_control.isKilled() ? WorkerState::Dead : WorkerState::Finished);
    m_reporter->trace(Traced::Finished);
}

/// Runs iterations until the routine, or this life, ends.
void Worker::live(std::stop_token life)
{
    m_life = life;
    ++m_lives;
    m_crashed = false;
    m_clock.beginLife(m_life);
    m_commandsCounted = 0;
    m_links = std::make_unique<WorkerConnections>(m_context.server, life);
    m_reporter->trace(Traced::LifeBegan);
    if (connect() && m_clock.sleepUntil(m_context.start)) {
        while (const std::optional<Iteration> visit = m_routine.next()) {
            m_visit = &*visit;
            m_visitLease = visit->lease;
            if (perform(*visit) == Step::Ended)
                break;
            m_reporter->show(WorkerState::Resting);
            if (!m_clock.sleepUntil(m_clock.now() + visit->rest))
                break;
        }
    }
    countCommands();
    if (m_control.isKilled() && !m_crashed)
        crash();
    m_strategies.clear();
    m_links.reset();
}

/// A replacement starts only after the dead worker's lease is over.
void Worker::waitOutLease(std::stop_token stop)
{
    m_reporter->show(WorkerState::Dead);
    const TimePoint end = Clock::now() + m_visitLease;
    while (!stop.stop_requested() && Clock::now() < end)
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(look, end - Clock::now()));
}

Worker::Step Worker::perform(const Iteration &visit)
{
    m_roundStart = m_context.start;
    if (m_context.gate) {
        m_reporter->show(WorkerState::Resting);
        const std::optional<TimePoint> start = m_context.gate->pass(m_life);
        if (!start)
            return Step::Ended;
        m_roundStart = *start;
    }
    const milliseconds startAt = visit.startAt.value_or(0ms);
    if ((m_context.gate || visit.startAt) && !m_clock.sleepUntil(m_clock.own(m_roundStart + startAt)))
        return Step::Ended;
    Step step = takeAll(visit);
    if (step == Step::Done)
        step = work(visit);
    if (m_control.isKilled())
        return Step::Ended;
    releaseAll(visit);
    return step == Step::Ended || m_life.stop_requested() ? Step::Ended : Step::Done;
}

Worker::Step Worker::takeAll(const Iteration &visit)
{
    for (const int lock : visit.locks) {
        if (const Step step = take(visit, lock); step != Step::Done)
            return step;
        if (visit.locks.size() > 1 && lock != visit.locks.last() &&
            !m_clock.sleepUntil(m_clock.now() + visit.step))
            return Step::Ended;
    }
    return Step::Done;
}

/// Acquires all levels of one lock.
Worker::Step Worker::take(const Iteration &visit, int lock)
{
    for (int level = 1; level <= visit.levels; ++level) {
        if (level > 1 && !m_clock.sleepUntil(m_clock.now() + visit.step))
            return Step::Ended;
        if (const Step step = acquire(visit, lock, level); step != Step::Done)
            return step;
    }
    return Step::Done;
}

Worker::Step Worker::acquire(const Iteration &visit, int lock, int level)
{
    LockStrategy &lockStrategy = strategy(visit, lock);
    m_current = lock;
    m_wanted = Clock::now();
    m_handedOver = m_byTimer = false;
    const bool waits = visit.mode != WaitMode::Try;
    const TimePoint patience = visit.mode == WaitMode::Timeout ? m_wanted + visit.timeout : TimePoint::max();
    if (level == 1)
        m_control.count([](WorkerStats &stats) { ++stats.attempts; });
    m_reporter->log(What::Tried, lock);
    m_reporter->show(WorkerState::Waiting, lock, level - 1);
    m_reporter->trace(Traced::WaitBegan, lock);
    if (visit.fault == Fault::AcquireReplyLost && level == 1)
        m_links->commands().dropNextReply();
    for (;;) {
        if (m_control.isKilled())
            return abandonAttempt(level);
        m_asked = Clock::now();
        Result<AcquireResult> attempt =
            lockStrategy.acquire({visit.lease, waits ? std::optional(patience) : std::nullopt});
        if (!attempt) {
            const std::optional<AcquireResult> known = recover(lockStrategy, attempt.error());
            if (!known && m_life.stop_requested())
                return abandonAttempt(level);
            if (!known)
                continue;
            attempt = *known;
        }
        if (attempt->verdict == AcquireResult::Verdict::Died)
            return crash();
        if (attempt->holds())
            return enter(visit, lock, *attempt);
        if (attempt->verdict == AcquireResult::Verdict::Lost) {
            m_control.count([](WorkerStats &stats) { ++stats.lost; });
            m_reporter->trace(Traced::Lost, lock);
            return Step::Refused;
        }
        m_reporter->trace(Traced::Refused, lock, m_asked);
        if (m_control.isKilled())
            return abandonAttempt(level);
        if (!waits || Clock::now() >= patience || m_life.stop_requested()) {
            Result<AcquireResult> last = waits ? lockStrategy.giveUp() : attempt;
            if (!last) {
                if (const std::optional<AcquireResult> known = recover(lockStrategy, last.error()))
                    last = *known;
            }
            if (last && last->holds())
                return enter(visit, lock, *last);
            if (m_context.gate)
                m_context.gate->tried(m_clock.sinceStart(m_asked), m_clock.sinceStart(Clock::now()), false);
            if (m_life.stop_requested())
                return abandonAttempt(level);
            m_control.count([waits](WorkerStats &stats) { ++(waits ? stats.timedOut : stats.refused); });
            m_reporter->log(waits ? What::TimedOut : What::Refused, lock);
            m_reporter->trace(waits ? Traced::TimedOut : Traced::GaveUp, lock);
            return Step::Refused;
        }
        if (!m_clock.waitWhilePaused())
            continue; // to give up in order
        const Result<WakeResult> awakening = lockStrategy.await(patience);
        if (!awakening) {
            // What was handed over may be held by now. Else it was the connection for messages: what was missed
            // shows at the next attempt, which opens it anew.
            if (const std::optional<AcquireResult> known = recover(lockStrategy, awakening.error()))
                return enter(visit, lock, *known);
            m_clock.sleepUntil(m_clock.now() + reconnectPause);
            continue;
        }
        m_byTimer = lockStrategy.isWoken() && !awakening->byMessage;
        if (awakening->message)
            m_reporter->traceWake(lock, *awakening->message);
        if (awakening->grant && awakening->grant->holds()) {
            m_handedOver = true;
            return enter(visit, lock, *awakening->grant);
        }
    }
}

/// The attempt ends with this life, neither granted nor refused.
Worker::Step Worker::abandonAttempt(int level)
{
    if (level == 1)
        m_control.count([](WorkerStats &stats) { --stats.attempts; });
    return Step::Ended;
}

/// The actual state after a command without reply; absent: try again.
std::optional<AcquireResult> Worker::recover(LockStrategy &lockStrategy, const Error &why)
{
    if (m_life.stop_requested())
        return std::nullopt; // that is why
    m_control.count([](WorkerStats &stats) { ++stats.errors; });
    m_reporter->trace(Traced::NoReply, m_current);
    if (endsForGood(why) || !connect())
        return std::nullopt;
    if (why.kind != ErrorKind::OutcomeUnknown || algorithmOf(*m_visit).blindRetry)
        return std::nullopt;
    const Result<int> stored = lockStrategy.storedHolds();
    if (!stored || *stored <= lockStrategy.localHoldCount())
        return std::nullopt;
    lockStrategy.setLocalHoldCount(*stored);
    return AcquireResult{
        *stored > 1 ? AcquireResult::Verdict::Reentered : AcquireResult::Verdict::Acquired, {}, -1};
}

/// True for errors that no retry can fix, such as a missing permission: they end the run.
bool Worker::endsForGood(const Error &why)
{
    if (isTransient(why.kind))
        return false;
    m_control.fail(why);
    m_control.endLife();
    return true;
}

Worker::Step Worker::enter(const Iteration &visit, int lock, const AcquireResult &attempt)
{
    const auto held = std::ranges::find_if(m_held, [lock](const Held &one) { return one.lock == lock; });
    if (held != m_held.end()) {
        ++held->levels;
        m_reporter->log(What::Got, lock);
        m_reporter->traceLevel(algorithmOf(visit), lock, m_asked, visit.lease);
        m_reporter->show(WorkerState::Holding, lock, held->levels);
        return Step::Done;
    }
    const TimePoint entered = Clock::now();
    const microseconds waited = std::chrono::duration_cast<microseconds>(entered - m_wanted);
    m_reporter->tellReferee({.kind = RefereeEvent::Kind::Enter,
                             .lock = lock,
                             .fence = attempt.fence,
                             .asked = m_context.referee.onClock(m_asked),
                             .leaseEnds = m_context.referee.onClock(m_asked + visit.lease),
                             .granted = m_handedOver ? microseconds(visit.lease) : 0us,
                             .waited = waited,
                             .byTimer = m_byTimer});
    m_held.push_back({lock, 1, entered});
    m_control.comeIn();
    m_reporter->trace(m_handedOver ? Traced::MigratedLock : Traced::Acquired, lock, m_asked,
                      m_asked + visit.lease);
    if (m_context.gate)
        m_context.gate->tried(m_clock.sinceStart(m_asked), m_clock.sinceStart(entered), true);
    m_control.count([&](WorkerStats &stats) {
        ++stats.acquired;
        stats.wait.record(waited);
    });
    m_reporter->log(What::Got, lock);
    m_reporter->show(WorkerState::Holding, lock, 1);
    return Step::Done;
}

/// The critical section. Its length is measured by the worker's own clock.
Worker::Step Worker::work(const Iteration &visit)
{
    const bool fails = visit.fault == Fault::PauseHolding || visit.fault == Fault::CrashHolding;
    TimePoint end = m_clock.now() + visit.hold;
    TimePoint failure = fails ? m_clock.now() + visit.hold / 2 : TimePoint::max();
    const bool renews = visit.renew > 0ms && visit.fault != Fault::WatchdogStopped;
    TimePoint renewal = renews ? m_clock.now() + visit.renew : TimePoint::max();
    while (m_clock.now() < end || m_clock.now() >= failure) {
        if (!m_clock.sleepUntil(std::min({end, failure, renewal})))
            return Step::Ended;
        if (m_clock.now() >= failure) {
            failure = TimePoint::max();
            if (visit.fault == Fault::CrashHolding)
                return crash();
            if (!pauseFor(visit.pause))
                return Step::Ended;
        }
        if (m_clock.now() >= renewal)
            renewal = renew(visit) ? m_clock.now() + visit.renew : TimePoint::max();
    }
    return Step::Done;
}

/// False: nothing is left to renew.
bool Worker::renew(const Iteration &visit)
{
    bool any = false;
    for (const Held &held : m_held) {
        const TimePoint asked = Clock::now();
        const Result<bool> renewed = strategy(visit, held.lock).renew(visit.lease);
        if (!renewed) {
            m_control.count([](WorkerStats &stats) { ++stats.errors; });
            m_reporter->trace(Traced::NoReply, held.lock);
            any = connect(); // it may have run or not: the next one tells
            continue;
        }
        if (!*renewed) {
            m_control.count([](WorkerStats &stats) { ++stats.lost; });
            m_reporter->log(What::Lost, held.lock);
            m_reporter->trace(Traced::Lost, held.lock);
            continue;
        }
        any = true;
        m_reporter->tellReferee({.kind = RefereeEvent::Kind::Renewed,
                                 .lock = held.lock,
                                 .leaseEnds = m_context.referee.onClock(asked + visit.lease)});
        m_reporter->trace(Traced::Renewed, held.lock, asked, asked + visit.lease);
    }
    return any;
}

/// Ends this life without a command to the server.
Worker::Step Worker::crash()
{
    m_crashed = true;
    m_control.kill();
    countCommands();
    m_links->close();
    m_control.count([](WorkerStats &stats) { ++stats.crashes; });
    for (const Held &held : m_held)
        m_reporter->tellReferee({.kind = RefereeEvent::Kind::Crash, .lock = held.lock});
    m_reporter->log(What::Crashed, m_held.empty() ? m_current : m_held.back().lock);
    m_reporter->trace(Traced::Died);
    m_held.clear();
    return Step::Ended;
}

bool Worker::pass(Moment moment)
{
    if (moment == Moment::BeforeExpire)
        return m_visit->fault != Fault::CrashBeforeExpiry;
    if (m_visit->fault == Fault::PauseInRelease)
        pauseFor(m_visit->pause); // a stop cuts it short, and the release runs all the same
    m_reporter->tellReferee({.kind = RefereeEvent::Kind::Deleting, .lock = m_current});
    return !m_control.isKilled();
}

/// True once connected; false: stopped, killed, or refused for good.
bool Worker::connect()
{
    bool isAway = false;
    while (!m_life.stop_requested()) {
        const Result<void> opened = m_links->open();
        if (opened && isAway)
            m_reporter->trace(Traced::Connected);
        if (opened)
            return true;
        if (requiresUserAction(opened.error().kind)) {
            m_control.fail(opened.error());
            m_control.endLife();
            return false;
        }
        m_reporter->show(WorkerState::Disconnected);
        if (!std::exchange(isAway, true))
            m_reporter->trace(Traced::Disconnected);
        std::this_thread::sleep_for(reconnectPause);
    }
    return false;
}

bool Worker::pauseFor(milliseconds pause)
{
    m_control.count([](WorkerStats &stats) { ++stats.pauses; });
    m_reporter->log(What::Paused, m_current);
    const bool goesOn = m_clock.pauseFor(pause);
    m_reporter->log(What::Resumed, m_current);
    return goesOn;
}

LockStrategy &Worker::strategy(const Iteration &visit, int lock)
{
    auto &lockStrategy = m_strategies[{lock, visit.owner}];
    if (!lockStrategy) {
        // A number, as of a thread: one that took a dead one's place has another.
        const QByteArray owner =
            m_context.process + ':' + QByteArray::number(m_number + 1 + livesApart * (m_lives - 1));
        lockStrategy =
            makeStrategy(algorithmOf(visit),
                         StrategyContext{*m_links, m_context.hub, *this, m_random, m_life,
                                         LockKey(m_context.keys.value(lock)),
                                         OwnerId(visit.owner.isEmpty() ? owner : visit.owner), m_number});
    }
    return *lockStrategy;
}

void Worker::countCommands()
{
    const qint64 sent = m_links->commandsSent();
    m_control.count([more = sent - m_commandsCounted](WorkerStats &stats) { stats.commands += more; });
    m_commandsCounted = sent;
}

} // namespace lockscope
