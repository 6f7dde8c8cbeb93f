// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/run/simulationrunner.h"

#include "core/base/printable.h"
#include "core/simulation/processes/processbackend.h"
#include "core/simulation/strategy/strategy.h"

#include <QSet>

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tick = 10ms;
constexpr auto snapshotInterval = 100ms;
constexpr auto lookInterval = 25ms;
constexpr auto firstDeadline = 3s;
constexpr auto lookDeadline = 500ms;   // nobody is told anything meanwhile
constexpr auto endDeadline = 1s;       // what is not deleted then expires
constexpr auto orphanPatience = 100ms; // between SETNX and EXPIRE, on a busy machine
constexpr auto endPatience = 3s;       // for workers to end after a stop
constexpr auto serverPause = 400ms;    // where the plan names no other
constexpr auto restartPatience = 10s;
constexpr auto holderPatience = 2s; // for somebody to hold a lock, who is to be killed
constexpr int maxRoundTrips = 100;
constexpr auto roundTripsPatience = 250ms; // for all of them, on a slow way too
constexpr auto awayPatience = 3s;          // without a server, before the run is given up
constexpr auto awayAtEnd = 500ms;          // the same, where the run is over
// Between them, as between a worker's commands: a processor that has gone to sleep takes its time to wake.
constexpr auto roundTripPause = 1ms;
constexpr qsizetype maxLooked = 256; // locks looked at for orphans at once

/// Time before the workers begin, for all to connect.
milliseconds lead(const Plan &plan)
{
    return 50ms + 4ms * plan.workers + (plan.processes > 1 ? 400ms : 0ms);
}

QList<QByteArray> companionsOf(const Plan &plan, const QList<QByteArray> &keys)
{
    QSet<QByteArray> all;
    for (const Algorithm &algorithm : algorithmsOf(plan)) {
        for (const QByteArray &key : keys) {
            for (const QByteArray &one : keysOf(algorithm.strategy, LockKey(key)))
                all.insert(one);
        }
    }
    return all.values();
}

} // namespace

SimulationRunner::SimulationRunner(ServerAddress server, Plan plan, QList<QByteArray> keys, bool isTraced)
    : m_server(std::move(server)),
      m_plan(std::move(plan)),
      m_keys(std::move(keys)),
      m_allKeys(companionsOf(m_plan, m_keys)),
      m_isTraced(isTraced)
{
}

SimulationRunner::~SimulationRunner() = default;

Result<Report> SimulationRunner::run(std::stop_token stop)
{
    const Result<void> ready = prepare(stop);
    if (stop.stop_requested()) {
        Report nothing;
        nothing.plan = m_plan;
        nothing.keys = m_keys;
        nothing.stopped = true;
        return nothing;
    }
    if (!ready)
        return tl::unexpected(ready.error());
    m_start = Clock::now() + lead(m_plan);
    WorkerBackend::Run run{m_server, m_plan, m_keys, m_start, m_isTraced};
    m_backend = m_plan.processes > 1 ? processBackend(std::move(run)) : threadBackend(std::move(run));
    Result<Report> result = perform(std::move(stop));
    m_backend
        .reset(); // on this thread, to which its processes belong; before the keys, which it may still write
    cleanUp();
    return result;
}

Result<Report> SimulationRunner::perform(std::stop_token stop)
{
    if (const Result<void> begun = m_backend->begin(); !begun)
        return tl::unexpected(begun.error());
    emit started();
    connectAnew(lookDeadline, stop);
    const Result<void> conducted = conduct(stop);
    connectAnew(endDeadline, {});
    lookForOrphans(true);
    if (m_error)
        return tl::unexpected(*m_error);
    if (!conducted)
        return tl::unexpected(conducted.error());
    return report(stop.stop_requested());
}

/// For a connection that a stop ends at once, and which cannot be used afterwards.
void SimulationRunner::connectAnew(milliseconds deadline, std::stop_token stop)
{
    m_connection = std::make_unique<BlockingDeployment>(
        m_server,
        BlockingConnection::Options{
            .clientName = "lockscope-referee", .connectDeadline = deadline, .commandDeadline = deadline},
        std::move(stop));
}

Result<void> SimulationRunner::prepare(std::stop_token stop)
{
    connectAnew(firstDeadline, std::move(stop));
    if (const Result<void> opened = m_connection->open(); !opened)
        return opened;
    if (const Result<void> ours = refuseForeignKeys(); !ours)
        return ours;
    const Result<microseconds> roundTrip = measureRoundTrip();
    if (!roundTrip)
        return tl::unexpected(roundTrip.error());
    m_roundTrip = *roundTrip;
    return {};
}

Result<void> SimulationRunner::refuseForeignKeys()
{
    CommandBatch batch;
    for (const QByteArray &key : m_allKeys)
        batch.add({"TYPE", key});
    const Result<std::vector<Reply>> types = m_connection->send(batch);
    if (!types)
        return tl::unexpected(types.error());
    for (size_t i = 0; i < types->size(); ++i) {
        const Reply &type = (*types)[i];
        if (type.isError())
            return tl::unexpected(serverError(type.text));
        if (type.text != "none")
            return tl::unexpected(Error{
                ErrorKind::InvalidArgument,
                Phrase(QT_TRANSLATE_NOOP("phrases",
                                         "Not started: the key %1 exists. Wait, or choose another server."),
                       m_allKeys[static_cast<qsizetype>(i)])});
    }
    return {};
}

Result<microseconds> SimulationRunner::measureRoundTrip()
{
    Histogram times;
    const TimePoint latest = Clock::now() + roundTripsPatience;
    for (int i = 0; i < maxRoundTrips && (i == 0 || Clock::now() < latest); ++i) {
        std::this_thread::sleep_for(roundTripPause);
        const TimePoint before = Clock::now();
        if (const Result<Reply> pong = m_connection->send({"PING"}); !pong)
            return tl::unexpected(pong.error());
        times.record(std::chrono::duration_cast<microseconds>(Clock::now() - before));
    }
    return times.percentile(0.5).value_or(0us);
}

/// An Error: the server is away, not by a fault of the plan.
Result<void> SimulationRunner::conduct(std::stop_token stop)
{
    // Rounds and scripts end by themselves; a script has a limit too, since its workers may wait for each other.
    const TimePoint end = m_plan.rounds ? TimePoint::max() : m_start + m_plan.duration;
    while (!stop.stop_requested() && Clock::now() < end && !m_backend->hasEnded() && !m_error) {
        m_backend->attend(std::min<milliseconds>(
            tick,
            std::chrono::ceil<milliseconds>(std::max<std::chrono::nanoseconds>(end - Clock::now(), 0ns))));
        carryOutOrders();
        seekHolder();
        breakServerInTime();
        lookForOrphans(false);
        publish();
        if (m_awaySince && Clock::now() - *m_awaySince >= awayPatience)
            break;
    }
    const bool isAway = !stop.stop_requested() && m_awaySince && Clock::now() - *m_awaySince >= awayAtEnd;
    m_backend->requestStop();
    const TimePoint latest = Clock::now() + endPatience;
    while (!m_backend->hasEnded() && Clock::now() < latest)
        m_backend->attend(tick);
    if (m_serverBackAt) {
        emit serverResumeDue();
        if (m_fault == ServerFault::Pause)
            trace(TraceEntry::Kind::ServerResumed);
        m_serverBackAt.reset();
    }
    m_nextSnapshot = {};
    publish();
    if (isAway)
        return tl::unexpected(Error{ErrorKind::NetworkFailed,
                                    Phrase(QT_TRANSLATE_NOOP("phrases", "server lost during the run"))});
    return {};
}

/// Workers that rest, hold or wait for a round miss nothing yet: the runner's own connection then counts.
void SimulationRunner::noteAbsence(const QList<WorkerView> &workers)
{
    const auto isGone = [](const WorkerView &worker) {
        return worker.state == WorkerState::Dead || worker.state == WorkerState::Finished;
    };
    const auto isCutOff = [](const WorkerView &worker) { return worker.state == WorkerState::Disconnected; };
    const auto isCutOffOrGone = [&](const WorkerView &worker) { return isCutOff(worker) || isGone(worker); };
    const bool isAway = !m_serverBackAt && std::ranges::any_of(workers, isCutOff) &&
                        (!m_connection->isOpen() || std::ranges::all_of(workers, isCutOffOrGone));
    if (!isAway)
        m_awaySince.reset();
    else if (!m_awaySince)
        m_awaySince = Clock::now();
}

void SimulationRunner::order(std::function<void(WorkerBackend &)> order)
{
    const std::lock_guard guard(m_mutex);
    m_orders.push_back(std::move(order));
}

void SimulationRunner::killHolder()
{
    order([this](WorkerBackend &) { m_holderSoughtUntil = Clock::now() + holderPatience; });
}

/// The choice is made by the workers, since holders in the last snapshot may have released.
void SimulationRunner::seekHolder()
{
    if (!m_holderSoughtUntil)
        return;
    const std::optional<int> killed = m_backend->killHolder();
    if (!killed && (Clock::now() < *m_holderSoughtUntil || !m_backend->forgoKill()))
        return;
    m_holderSoughtUntil.reset();
    killed ? emit holderKilled(*killed) : emit noHolderFound();
}

void SimulationRunner::carryOutOrders()
{
    std::vector<std::function<void(WorkerBackend &)>> orders;
    {
        const std::lock_guard guard(m_mutex);
        orders.swap(m_orders);
    }
    for (const auto &order : orders)
        order(*m_backend);
}

/// Injects the plan's server faults at equal intervals.
void SimulationRunner::breakServerInTime()
{
    if (m_serverBackAt && Clock::now() >= *m_serverBackAt) {
        if (m_fault == ServerFault::Pause) {
            emit serverResumeDue();
            trace(TraceEntry::Kind::ServerResumed);
        }
        // A restart is over when the new server answers; until then every lock may be gone.
        if (m_fault == ServerFault::Restart && !hasRestarted() &&
            Clock::now() < *m_serverBackAt + restartPatience)
            return;
        if (m_fault == ServerFault::Restart)
            m_backend->note(RefereeEvent::Kind::ServerLost);
        m_serverBackAt.reset();
    }
    const auto count = static_cast<size_t>(m_plan.serverFaults.size());
    if (m_serverBackAt || m_faultsDone == count)
        return;
    if (Clock::now() <
        m_start + m_plan.duration * static_cast<qint64>(m_faultsDone + 1) / static_cast<qint64>(count + 1))
        return;
    breakServer(m_plan.serverFaults[static_cast<qsizetype>(m_faultsDone++)]);
}

/// While the old connection lives, so does the old server: the restart may be pending.
bool SimulationRunner::hasRestarted()
{
    if (m_connection->isOpen() && m_connection->send({"PING"}))
        return false;
    return m_connection->open().has_value();
}

void SimulationRunner::breakServer(ServerFault fault)
{
    m_fault = fault;
    if (!m_connection->isOpen())
        m_connection->open();
    const milliseconds pause = m_plan.pause > 0ms ? m_plan.pause : serverPause;
    switch (fault) {
    case ServerFault::Pause:
        emit serverFaultDue(fault);
        trace(TraceEntry::Kind::ServerPaused);
        m_serverBackAt = Clock::now() + pause;
        break;
    case ServerFault::Restart:
        m_backend->note(RefereeEvent::Kind::ServerLosing);
        emit serverFaultDue(fault);
        m_serverBackAt = Clock::now() + serverPause;
        break;
    case ServerFault::FlushAll:
        m_backend->note(RefereeEvent::Kind::ServerLosing);
        m_connection->send({"FLUSHALL"});
        m_backend->note(RefereeEvent::Kind::ServerLost);
        break;
    }
}

/// A lock without expiry is an orphan if unchanged for a while: between SETNX and EXPIRE it has none either.
void SimulationRunner::lookForOrphans(bool atEnd)
{
    if ((!atEnd && Clock::now() < m_nextLook) || m_serverBackAt)
        return;
    m_nextLook = Clock::now() + lookInterval;
    if (!m_connection->isOpen() && !m_connection->open())
        return;
    // In turn, where there are many; at the end all of them.
    const qsizetype first = atEnd ? 0 : m_nextLooked;
    const qsizetype last = atEnd ? m_keys.size() : std::min(first + maxLooked, m_keys.size());
    m_nextLooked = last == m_keys.size() ? 0 : last;
    const Result<std::map<qsizetype, QByteArray>> endless = endlessLocks(first, last);
    if (!endless)
        return;
    std::erase_if(m_endless, [&](const auto &known) {
        const bool isOver = known.first >= first && known.first < last && !endless->contains(known.first);
        if (isOver)
            traceOrphanEnd(known.first, known.second);
        return isOver;
    });
    for (const auto &[i, value] : *endless) {
        Endless &seen = m_endless.try_emplace(i, Endless{value, Clock::now()}).first->second;
        if (seen.value != value) {
            traceOrphanEnd(i, seen);
            seen = {value, Clock::now()};
        }
        const bool stays = atEnd || Clock::now() - seen.since >= orphanPatience;
        if (stays)
            traceOrphan(i, seen);
        const auto told = m_orphans.find(i);
        if (!stays || (told != m_orphans.end() && told->second == value))
            continue;
        m_orphans[i] = value;
        Violation orphan{ViolationKind::Orphan, OverlapCause::None, static_cast<int>(i)};
        orphan.at = elapsed();
        m_backend->add(orphan);
    }
}

/// Locks without expiry among the keys from `first` to before `last`, with their values' begin.
Result<std::map<qsizetype, QByteArray>> SimulationRunner::endlessLocks(qsizetype first, qsizetype last)
{
    CommandBatch ends;
    for (qsizetype i = first; i < last; ++i)
        ends.add({"PTTL", m_keys[i]});
    const Result<std::vector<Reply>> ttls = m_connection->send(ends);
    if (!ttls)
        return tl::unexpected(ttls.error());
    std::vector<qsizetype> found;
    CommandBatch contents;
    for (qsizetype i = first; i < last; ++i) {
        const Reply &ttl = (*ttls)[static_cast<size_t>(i - first)];
        if (!ttl.isInteger() || ttl.integer != -1)
            continue;
        found.push_back(i);
        contents.add({"GETRANGE", m_keys[i], "0", "64"});
    }
    std::map<qsizetype, QByteArray> endless;
    if (found.empty())
        return endless;
    const Result<std::vector<Reply>> values = m_connection->send(contents);
    if (!values)
        return tl::unexpected(values.error());
    for (size_t i = 0; i < found.size(); ++i) {
        const Reply &value = (*values)[i];
        if (value.isText() ||
            value.text.startsWith("WRONGTYPE")) // a hash has its end from the first moment on
            endless[found[i]] = value.isText() ? value.text : QByteArray();
    }
    return endless;
}

microseconds SimulationRunner::elapsed() const
{
    return sinceStart(Clock::now());
}

/// May be called before the workers begin.
microseconds SimulationRunner::sinceStart(TimePoint at) const
{
    return std::max(std::chrono::duration_cast<microseconds>(at - m_start), 0us);
}

void SimulationRunner::publish()
{
    if (Clock::now() < m_nextSnapshot)
        return;
    m_nextSnapshot = Clock::now() + snapshotInterval;
    SimulationSnapshot snapshot;
    snapshot.elapsed = elapsed();
    WorkersStatus status = takeStatus();
    noteAbsence(status.views);
    snapshot.workers = std::move(status.views);
    snapshot.total = std::move(status.total);
    snapshot.findings = m_backend->findings();
    snapshot.round = static_cast<int>(m_backend->rounds().size());
    snapshot.news = m_trace.entries().sliced(std::exchange(m_told, m_trace.entries().size()));
    snapshot.traceLeftOut = m_trace.leftOut();
    snapshot.traceFullAt = m_trace.fullAt();
    emit progressed(snapshot);
}

void SimulationRunner::trace(TraceEntry::Kind kind)
{
    if (m_isTraced)
        m_trace.add(TraceEntry{.kind = kind, .at = elapsed()});
}

void SimulationRunner::traceOrphan(qsizetype lock, Endless &seen)
{
    if (m_isTraced && !std::exchange(seen.isTraced, true))
        m_trace.add(TraceEntry{.kind = TraceEntry::Kind::Orphaned,
                               .lock = static_cast<qint16>(lock),
                               .at = elapsed(),
                               .since = sinceStart(seen.since)});
}

void SimulationRunner::traceOrphanEnd(qsizetype lock, const Endless &seen)
{
    if (seen.isTraced)
        m_trace.add(TraceEntry{
            .kind = TraceEntry::Kind::OrphanedNoMore, .lock = static_cast<qint16>(lock), .at = elapsed()});
}

/// Keeps its news for the report.
WorkersStatus SimulationRunner::takeStatus()
{
    WorkersStatus status = m_backend->takeStatus();
    m_trace.add(std::exchange(status.trace, RunTrace()));
    m_log += status.log;
    m_error = status.error;
    return status;
}

void SimulationRunner::cleanUp()
{
    if (!m_connection->isOpen() && !m_connection->open())
        return; // they expire
    CommandBatch batch;
    for (const QByteArray &key : m_allKeys)
        batch.add({"DEL", key});
    m_connection->send(batch);
}

Report SimulationRunner::report(bool stopped)
{
    Report report;
    report.plan = m_plan;
    report.keys = m_keys;
    const WorkersStatus status = takeStatus();
    report.total = status.total;
    for (const WorkerView &worker : status.views)
        report.acquiredByWorker.push_back(worker.acquired);
    report.findings = m_backend->findings();
    report.rounds = m_backend->rounds();
    report.log = m_log;
    std::ranges::stable_sort(report.log, {}, &LogLine::at);
    report.trace = m_trace;
    report.trace.sort();
    report.serverFaults = static_cast<int>(m_faultsDone);
    report.duration = elapsed();
    report.roundTrip = m_roundTrip;
    report.stopped = stopped;
    return report;
}

} // namespace lockscope
