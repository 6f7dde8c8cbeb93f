// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/coordinator.h"
#include "core/simulation/referee/roundtracker.h"
#include "core/simulation/server/childenvironment.h"
#include "core/simulation/server/privateserver.h"
#include "core/simulation/workers/workerbackend.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QSet>

#include <thread>
#include <utility>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto roundLead = 60ms; // the order to begin a round must have reached every child by then
constexpr auto statusInterval = 50ms;

/// Workers that are threads of child processes.
class ProcessBackend : public WorkerBackend
{
public:
    explicit ProcessBackend(Run run) : m_run(std::move(run)), m_book(m_run.plan) {}
    ~ProcessBackend() override;

    Result<void> begin() override;
    void attend(milliseconds time) override;
    void requestStop() override { order("stop"); }
    void kill(int worker) override { orderFor(worker, "kill "); }
    void setPaused(int worker, bool paused) override { orderFor(worker, paused ? "pause " : "resume "); }
    std::optional<int> killHolder() override;
    bool forgoKill() override;
    void note(RefereeEvent::Kind kind) override;
    void add(const Violation &violation) override { m_detector->add(violation); }

    bool hasEnded() const override;
    QList<WorkerView> views() const override;
    QList<WorkerStats> workerStats() const override;
    QList<LogLine> takeLog() override;
    Findings findings() const override { return m_detector ? m_detector->findings() : Findings(); }
    QList<Round> rounds() const override { return m_book.rounds(); }
    std::optional<Error> error() const override;
    qint64 commandsByNobody() const override;

private:
    struct Child
    {
        int first;
        int count;
        std::unique_ptr<QProcess> process;
        board::Status status;
        bool isGone = false;     ///< it ended, and nothing more will come of it
        bool isLost = false;     ///< without having said so
        bool hasArrived = false; ///< its workers have come back from the round
    };

    Result<void> startChild(int number);
    void readEvents();
    void readStatus();
    void readArrivals();
    void handleLostChild(Child &child);
    void order(const QByteArray &text);
    void orderFor(int worker, const QByteArray &verb);

    Run m_run;
    RoundTracker m_book;
    PrivateServer m_server;
    std::unique_ptr<BoardReferee> m_referee;
    std::unique_ptr<BlockingConnection> m_connection;
    std::unique_ptr<RefereeClient> m_client;
    std::optional<ViolationDetector> m_detector;
    QSet<std::pair<int, int>> m_inside; ///< worker and lock
    std::optional<Error> m_error;
    std::vector<Child> m_children;
    bool m_killOffered = false;
    TimePoint m_nextStatus;
    Round m_past;
};

ProcessBackend::~ProcessBackend()
{
    for (const Child &child : m_children)
        child.process->closeWriteChannel(); // the end of their input is the end of them
    for (const Child &child : m_children) {
        child.process->waitForFinished(1000);
        child.process->kill();
        child.process->waitForFinished(1000);
    }
}

Result<void> ProcessBackend::begin()
{
    if (const Result<void> started = m_server.start(); !started)
        return started;
    Result<std::unique_ptr<BoardReferee>> referee = BoardReferee::open(m_server.address());
    if (!referee)
        return tl::unexpected(referee.error());
    m_referee = std::move(*referee);
    m_detector.emplace(m_referee->onClock(m_run.start));
    m_client = m_referee->admit();
    m_connection = std::make_unique<BlockingConnection>(
        m_server.address(), BlockingConnection::Options{.clientName = "lockscope-parent"});
    if (const Result<void> opened = m_connection->open(); !opened)
        return opened;
    for (int i = 0; i < m_run.plan.processes; ++i) {
        if (const Result<void> started = startChild(i); !started)
            return started;
    }
    return {};
}

Result<void> ProcessBackend::startChild(int number)
{
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/lockscope-cli");
    if (!QFileInfo(program).isExecutable())
        return tl::unexpected(
            Error{ErrorKind::NotStarted,
                  Phrase(QT_TRANSLATE_NOOP(
                             "phrases",
                             "Processes need %1, which is missing. Install the file next to this program."),
                         program)});
    const int workers = m_run.plan.workers;
    const int processes = m_run.plan.processes;
    const int first = static_cast<int>(qint64(workers) * number / processes);
    const int end = static_cast<int>(qint64(workers) * (number + 1) / processes);
    Child child{first, end - first, std::make_unique<QProcess>(), {}};
    child.status.views.resize(child.count);
    child.status.workerStats.resize(child.count);
    child.process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child.process->setStandardOutputFile(QProcess::nullDevice());
    child.process->setProcessEnvironment(childEnvironment());
#ifdef Q_OS_UNIX
    // Ctrl-C in our terminal must reach us alone: we tell them to stop, and they release what they hold.
    child.process->setChildProcessModifier([] { ::setsid(); });
#endif
    child.process->start(program, {QStringLiteral("simulate-crew")});
    if (!child.process->waitForStarted())
        return tl::unexpected(Error{ErrorKind::NotStarted, child.process->errorString().toUtf8()});
    child.process->write(board::written(board::ChildConfig{
        m_run.server, m_server.address(), m_run.plan, m_run.keys, number, first, child.count, m_run.start}));
    child.process->waitForBytesWritten();
    m_children.push_back(std::move(child));
    return {};
}

void ProcessBackend::attend(milliseconds time)
{
    std::this_thread::sleep_for(time);
    // The status first: when it says that a child has ended, all of its events are there to be read.
    const bool statusIsDue = Clock::now() >= m_nextStatus;
    if (statusIsDue) {
        m_nextStatus = Clock::now() + statusInterval;
        readStatus();
    }
    readEvents();
    if (m_run.plan.rounds)
        readArrivals();
}

void ProcessBackend::readEvents()
{
    const Result<QList<RefereeEvent>> events = m_referee->read();
    if (!events && !m_error)
        m_error = events.error();
    for (const RefereeEvent &event : events.value_or(QList<RefereeEvent>())) {
        if (event.kind == RefereeEvent::Kind::Enter)
            m_inside.insert({event.worker, event.lock});
        if (event.kind == RefereeEvent::Kind::Leave || event.kind == RefereeEvent::Kind::Crash)
            m_inside.remove({event.worker, event.lock});
        m_detector->take(event);
    }
}

void ProcessBackend::readStatus()
{
    for (size_t i = 0; i < m_children.size(); ++i) {
        Child &child = m_children[i];
        if (child.isGone) {
            // One interval later: what it had sent has been taken in since.
            if (!child.status.hasEnded && !child.isLost)
                handleLostChild(child);
            continue; // what it reported last must not bring it back to life
        }
        child.isGone = child.process->waitForFinished(0) || child.process->state() == QProcess::NotRunning;
        const Result<Reply> bytes = m_connection->send({"GET", board::statusKey(static_cast<int>(i))});
        if (auto status = bytes ? board::readStatus(bytes->text) : std::nullopt;
            status && status->views.size() == child.count && status->workerStats.size() == child.count)
            child.status = std::move(*status);
    }
}

/// A child that was killed: its workers write nothing more. Who was inside is what the referee knows; the child's
/// last report is older.
void ProcessBackend::handleLostChild(Child &child)
{
    child.isLost = true;
    if (child.process->exitStatus() == QProcess::NormalExit && !m_error)
        m_error = Error{ErrorKind::NetworkFailed,
                        Phrase(QT_TRANSLATE_NOOP("phrases", "a process of the run failed"))};
    for (const auto &[worker, lock] : std::as_const(m_inside)) {
        if (worker < child.first || worker >= child.first + child.count)
            continue;
        RefereeEvent event;
        event.kind = RefereeEvent::Kind::Crash;
        event.worker = worker;
        event.lock = lock;
        m_client->take(event);
    }
    for (WorkerView &view : child.status.views)
        view.state = WorkerState::Dead;
    for (WorkerStats &stats : child.status.workerStats)
        ++stats.crashes;
}

/// When the workers of all children that live have come back from a round.
void ProcessBackend::readArrivals()
{
    for (size_t i = 0; i < m_children.size(); ++i) {
        Child &child = m_children[i];
        if (child.hasArrived)
            continue;
        const Result<Reply> bytes = m_connection->send({"LPOP", board::arrivalsKey(static_cast<int>(i))});
        const auto round = bytes ? board::readRound(bytes->text) : std::nullopt;
        if (!round)
            continue;
        child.hasArrived = true;
        m_past.merge(*round);
        m_past.number = round->number;
    }
    if (hasEnded() ||
        !std::ranges::all_of(m_children, [](const Child &child) { return child.hasArrived || child.isLost; }))
        return;
    for (Child &child : m_children)
        child.hasArrived = false;
    if (m_book.take(std::exchange(m_past, {})))
        order("go " + QByteArray::number(qint64((Clock::now() + roundLead).time_since_epoch().count())));
    else
        order("end");
}

void ProcessBackend::order(const QByteArray &text)
{
    CommandBatch batch;
    for (size_t i = 0; i < m_children.size(); ++i)
        batch.add({"RPUSH", board::ordersKey(static_cast<int>(i)), text});
    if (!batch.isEmpty())
        m_connection->send(batch);
}

void ProcessBackend::orderFor(int worker, const QByteArray &verb)
{
    for (size_t i = 0; i < m_children.size(); ++i) {
        const Child &child = m_children[i];
        if (worker >= child.first && worker < child.first + child.count)
            m_connection->send(
                {"RPUSH", board::ordersKey(static_cast<int>(i)), verb + QByteArray::number(worker)});
    }
}

/// All children look for one; the first that finds a holder takes the only warrant from the board.
std::optional<int> ProcessBackend::killHolder()
{
    if (!m_killOffered) {
        m_killOffered = true;
        m_connection->send({"RPUSH", board::warrantKey(), "1"});
        order("kill-holder");
    }
    const Result<Reply> killed = m_connection->send({"LPOP", board::killedKey()});
    if (!killed || !killed->isText())
        return std::nullopt;
    m_killOffered = false;
    return killed->text.toInt();
}

bool ProcessBackend::forgoKill()
{
    const Result<Reply> warrant = m_connection->send({"LPOP", board::warrantKey()});
    if (warrant && warrant->isNil())
        return false;
    m_killOffered = false;
    return true;
}

void ProcessBackend::note(RefereeEvent::Kind kind)
{
    RefereeEvent event;
    event.kind = kind;
    m_client->take(event);
}

bool ProcessBackend::hasEnded() const
{
    return std::ranges::all_of(m_children,
                               [](const Child &child) { return child.status.hasEnded || child.isLost; });
}

QList<WorkerView> ProcessBackend::views() const
{
    QList<WorkerView> views;
    for (const Child &child : m_children)
        views += child.status.views;
    return views;
}

QList<WorkerStats> ProcessBackend::workerStats() const
{
    QList<WorkerStats> workerStats;
    for (const Child &child : m_children)
        workerStats += child.status.workerStats;
    return workerStats;
}

QList<LogLine> ProcessBackend::takeLog()
{
    QList<LogLine> lines;
    for (Child &child : m_children)
        lines += std::exchange(child.status.log, {});
    std::ranges::stable_sort(lines, {}, &LogLine::at);
    return lines;
}

std::optional<Error> ProcessBackend::error() const
{
    for (const Child &child : m_children) {
        if (child.status.error)
            return child.status.error;
    }
    const bool isIncomplete =
        (m_referee && m_referee->isIncomplete()) ||
        std::ranges::any_of(m_children, [](const Child &child) { return child.status.isIncomplete; });
    if (!isIncomplete)
        return m_error;
    return Error{
        ErrorKind::NetworkFailed,
        Phrase(QT_TRANSLATE_NOOP("phrases", "the server where the processes meet did not answer in time"))};
}

qint64 ProcessBackend::commandsByNobody() const
{
    qint64 commands = 0;
    for (const Child &child : m_children)
        commands += child.status.commandsByNobody;
    return commands;
}

} // namespace

std::unique_ptr<WorkerBackend> processBackend(WorkerBackend::Run run)
{
    return std::make_unique<ProcessBackend>(std::move(run));
}

} // namespace lockscope
