// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/processbackend.h"

#include "core/base/childenvironment.h"
#include "core/redis/sshtunnel.h"
#include "core/simulation/processes/eventmerge.h"
#include "core/simulation/processes/messages.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QSet>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto roundLead = 60ms; // the order to begin a round must have reached every child by then
/// A child that stops for longer does not delay others' events. At most one event that a worker was about to
/// send comes late, and counts as of then.
constexpr auto longestStandstill = 2s;
constexpr auto stallPatience = 100ms; // twenty times as long as a child lets pass between two signs of life
constexpr int maxReads = 64;          // of one child's pipe in a row

class ProcessBackend : public WorkerBackend
{
public:
    explicit ProcessBackend(Run run) : WorkerBackend(run), m_run(std::move(run)), m_events(ownEvents() + 1) {}

    ~ProcessBackend() override
    {
        for (const Child &child : m_children)
            child.process->closeWriteChannel(); // the end of their input is the end of them
        for (const Child &child : m_children) {
            child.process->waitForFinished(1000);
            child.process->kill();
            child.process->waitForFinished(1000);
        }
    }

    Result<void> begin() override
    {
        for (int i = 0; i < m_run.plan.processes; ++i) {
            if (const Result<void> started = startChild(i); !started)
                return started;
        }
        return {};
    }

    void attend(milliseconds time) override
    {
        std::this_thread::sleep_for(time);
        for (Child &child : m_children) {
            if (!child.isGone)
                readFrom(child);
            if (child.isGone && !child.status.hasEnded && !child.isLost && m_events.isEmpty(child.number))
                handleLostChild(child);
            noteStall(child);
        }
        const microseconds now = m_referee.onClock(Clock::now()); // after all that was read
        m_events.mark(ownEvents(), now);
        for (const Child &child : m_children)
            m_events.mark(child.number, now - longestStandstill);
        judgeEvents();
        if (m_run.plan.rounds)
            openNextRound();
    }

    void requestStop() override { sendToAll({ChildOrder::Kind::Stop}); }
    void kill(int worker) override { sendFor(worker, ChildOrder::Kind::Kill); }
    void setPaused(int worker, bool paused) override
    {
        sendFor(worker, paused ? ChildOrder::Kind::Pause : ChildOrder::Kind::Resume);
    }
    std::optional<int> killHolder() override
    {
        if (m_killed) {
            m_forgoesKill = false;
            return std::exchange(m_killed, std::nullopt);
        }
        for (size_t i = 0; i < m_children.size() && !m_searching && !m_forgoesKill; ++i) {
            Child &child = m_children[m_nextToSearch++ % m_children.size()];
            if (!child.isAlive())
                continue;
            sendTo(child, {ChildOrder::Kind::KillHolder, -1, {}});
            m_searching = child.number;
        }
        return std::nullopt;
    }

    /// Not while a child searches: it may be killing a worker, and reports within milliseconds.
    bool forgoKill() override
    {
        m_forgoesKill = m_searching || m_killed;
        return !m_forgoesKill;
    }

    void note(RefereeEvent::Kind kind) override
    {
        m_events.add(ownEvents(), {.kind = kind, .at = m_referee.onClock(Clock::now())});
    }

    bool hasEnded() const override
    {
        return std::ranges::all_of(m_children,
                                   [](const Child &child) { return child.status.hasEnded || child.isLost; });
    }

    WorkersStatus takeStatus() override
    {
        WorkersStatus all;
        for (Child &child : m_children) {
            all.views += child.status.views;
            all.total.merge(child.status.total);
            all.log += std::exchange(child.log, {});
            if (!all.error)
                all.error = child.status.error;
        }
        if (!all.error)
            all.error = m_error;
        all.hasEnded = hasEnded();
        all.trace = m_referee.takeTrace();
        all.trace.add(std::exchange(m_trace, RunTrace()));
        return all;
    }

private:
    struct Child
    {
        size_t number = 0;
        int first = 0;
        int count = 0;
        std::unique_ptr<QProcess> process;
        MessageReader<MessageToParent> reader;
        WorkersStatus status;
        QList<LogLine> log;
        std::optional<microseconds> lastMark;
        microseconds toldUntil{0}; ///< end of the received trace
        bool isStalled = false;
        bool isGone = false;     ///< ended, and all its output was read
        bool isLost = false;     ///< ended without notice
        bool hasArrived = false; ///< its workers have finished the round

        bool isAlive() const { return !isGone && !status.hasEnded; }
        bool has(int worker) const { return worker >= first && worker < first + count; }
    };

    Result<void> startChild(int number)
    {
        const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/lockscope-cli");
        if (!QFileInfo(program).isExecutable())
            return tl::unexpected(
                Error{ErrorKind::NotStarted,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is missing next to this program."), program)});
        const int workers = m_run.plan.workers;
        const int processes = m_run.plan.processes;
        const int first = static_cast<int>(qint64(workers) * number / processes);
        const int end = static_cast<int>(qint64(workers) * (number + 1) / processes);
        Child child;
        child.number = static_cast<size_t>(number);
        child.first = first;
        child.count = end - first;
        child.process = std::make_unique<QProcess>();
        child.status.views.resize(child.count);
        child.process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.process->setProcessEnvironment(childEnvironment());
#ifdef Q_OS_UNIX
        // Ctrl-C in our terminal must reach us alone: we tell them to stop, and they release what they hold.
        child.process->setChildProcessModifier([] { ::setsid(); });
#endif
        child.process->start(program, {QStringLiteral("simulation-child")});
        if (!child.process->waitForStarted())
            return tl::unexpected(Error{ErrorKind::NotStarted, child.process->errorString().toUtf8()});
        Run run = m_run;
        if (run.server.sshControl.isEmpty()) // one login, and one question, for all
            run.server.sshControl = SshTunnel::controlOf(run.server);
        child.process->write(encode(ChildConfig{run, child.first, child.count}));
        child.process->waitForBytesWritten();
        m_children.push_back(std::move(child));
        return {};
    }

    void readFrom(Child &child)
    {
        int reads = 0;
        while (reads < maxReads && child.process->waitForReadyRead(0))
            ++reads;
        const bool isGone =
            child.process->waitForFinished(0) || child.process->state() == QProcess::NotRunning;
        child.reader.append(child.process->readAllStandardOutput());
        while (std::optional<MessageToParent> message = child.reader.next())
            std::visit([&](auto &content) { take(child, std::move(content)); }, *message);
        if (child.reader.isBroken())
            handleBrokenChild(child);
        if (!isGone)
            return;
        child.isGone = true;
        m_events.close(child.number);
        if (m_searching == child.number)
            m_searching.reset();
    }

    void take(Child &child, const RefereeEvent &event)
    {
        if (event.lock >= 0 && event.lock < m_run.keys.size())
            m_events.add(child.number, event);
    }

    void take(Child &child, const EventMark &mark)
    {
        child.lastMark = mark.at;
        m_events.mark(child.number, mark.at);
    }

    void take(Child &child, const Round &round)
    {
        child.hasArrived = true;
        m_past.merge(round);
        m_past.number = round.number;
    }

    void take(Child & /*child*/, const KillResult &result)
    {
        m_searching.reset();
        if (result.worker >= 0)
            m_killed = result.worker;
    }

    void take(Child &child, WorkersStatus status)
    {
        child.log += std::exchange(status.log, {});
        takeTraceOf(child, std::exchange(status.trace, RunTrace()));
        child.toldUntil = child.lastMark.value_or(child.toldUntil); // sent before the trace was taken
        if (status.views.size() == child.count)
            child.status = std::move(status);
        if (child.status.hasEnded)
            m_events.close(child.number);
    }

    void takeTraceOf(const Child &child, const RunTrace &trace)
    {
        QList<TraceEntry> entries;
        std::ranges::copy_if(trace.entries(), std::back_inserter(entries), [&](const TraceEntry &entry) {
            return child.has(entry.worker) && entry.lock >= -1 && entry.lock < m_run.keys.size() &&
                   entry.kind > TraceEntry::Kind::DiedInside && entry.kind < TraceEntry::Kind::NotTold;
        });
        m_trace.add(RunTrace(entries, trace.leftOut(), trace.fullAt()));
    }

    void judgeEvents()
    {
        for (const RefereeEvent &event : m_events.take()) {
            if (event.kind == RefereeEvent::Kind::Enter)
                m_inside.insert({event.worker, event.lock});
            if (event.kind == RefereeEvent::Kind::Leave || event.kind == RefereeEvent::Kind::Crash)
                m_inside.remove({event.worker, event.lock});
            m_referee.record(event);
        }
    }

    /// Comes after its earlier events.
    void noteStall(Child &child)
    {
        const bool isStalled = child.isAlive() && child.lastMark &&
                               m_referee.onClock(Clock::now()) - *child.lastMark > stallPatience;
        if (isStalled != std::exchange(child.isStalled, isStalled))
            note(isStalled ? RefereeEvent::Kind::ProcessStalled : RefereeEvent::Kind::ProcessResumed);
    }

    /// Handles a killed child: its workers write nothing more. The referee knows who was inside; the child's
    /// last report is older.
    void handleLostChild(Child &child)
    {
        child.isLost = true;
        if (child.process->exitStatus() == QProcess::NormalExit && !m_error)
            m_error = Error{ErrorKind::NetworkFailed,
                            Phrase(QT_TRANSLATE_NOOP("phrases", "a worker process failed"))};
        const microseconds now = m_referee.onClock(Clock::now());
        for (const auto &[worker, lock] : std::as_const(m_inside)) {
            if (child.has(worker))
                m_events.add(ownEvents(), {RefereeEvent::Kind::Crash, lock, worker, now});
        }
        for (WorkerView &view : child.status.views)
            view.state = WorkerState::Dead;
        for (int worker = child.first; worker < child.first + child.count && m_run.isTraced; ++worker) {
            m_trace.add(TraceEntry{.kind = TraceEntry::Kind::NotTold,
                                   .worker = qint16(worker),
                                   .at = now,
                                   .since = child.toldUntil});
            m_trace.add(TraceEntry{.kind = TraceEntry::Kind::Died, .worker = qint16(worker), .at = now});
        }
        child.status.total.crashes += child.count;
    }

    /// Its further messages are lost, and with them the proof.
    void handleBrokenChild(Child &child)
    {
        if (!m_error)
            m_error = Error{ErrorKind::NetworkFailed,
                            Phrase(QT_TRANSLATE_NOOP("phrases", "a worker process failed"))};
        child.process->kill();
    }

    /// Call when the workers of all live children have finished a round.
    void openNextRound()
    {
        if (hasEnded() || !std::ranges::all_of(m_children, [](const Child &child) {
                return child.hasArrived || child.isLost;
            }))
            return;
        for (Child &child : m_children)
            child.hasArrived = false;
        if (m_rounds.take(std::exchange(m_past, {})))
            sendToAll({ChildOrder::Kind::OpenRound, -1, Clock::now() + roundLead});
        else
            sendToAll({ChildOrder::Kind::EndRounds});
    }

    void sendTo(Child &child, const ChildOrder &order)
    {
        if (child.process->state() != QProcess::Running)
            return;
        child.process->write(encode(order));
        child.process->waitForBytesWritten(0); // the pipe has room for more orders than anybody gives
    }

    void sendToAll(const ChildOrder &order)
    {
        for (Child &child : m_children)
            sendTo(child, order);
    }

    void sendFor(int worker, ChildOrder::Kind kind)
    {
        for (Child &child : m_children) {
            if (child.has(worker))
                sendTo(child, {kind, worker, {}});
        }
    }

    size_t ownEvents() const
    {
        return static_cast<size_t>(m_run.plan.processes);
    }

    const Run m_run;
    EventMerge m_events;                ///< by the children's numbers, our own last
    QSet<std::pair<int, int>> m_inside; ///< pairs of worker and lock
    RunTrace m_trace;                   ///< workers' trace, not taken yet
    std::optional<Error> m_error;
    std::vector<Child> m_children;
    Round m_past;
    /// Child that searches for a holder to kill, one at a time, to kill only one.
    std::optional<size_t> m_searching;
    size_t m_nextToSearch = 0;
    bool m_forgoesKill = false;
    std::optional<int> m_killed;
};

} // namespace

std::unique_ptr<WorkerBackend> processBackend(WorkerBackend::Run run)
{
    return std::make_unique<ProcessBackend>(std::move(run));
}

} // namespace lockscope
