// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/blockingdeployment.h"
#include "core/simulation/workers/workerbackend.h"

#include <QObject>

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>

namespace lockscope {

/// Runs one simulation from preparation to report, on its own thread; linear code.
class SimulationRunner : public QObject
{
    Q_OBJECT

public:
    /// `isTraced`: observations are kept for the report and emitted with the snapshots.
    SimulationRunner(ServerAddress server, Plan plan, QList<QByteArray> keys, bool isTraced);
    ~SimulationRunner() override;

    /// Blocks until the run has ended or a stop was requested; a stop before the start gives an empty report.
    /// Cleans up. An Error: nothing was started, or it cannot continue. Signals are emitted on its thread.
    Result<Report> run(std::stop_token stop);

    // Callable from any thread while it runs.
    void order(std::function<void(WorkerBackend &)> order);
    void killHolder(); ///< one that holds a lock now; a signal reports which

signals:
    void started();
    void progressed(const lockscope::SimulationSnapshot &snapshot);
    void serverFaultDue(lockscope::ServerFault fault); ///< Pause and Restart of the private server
    void serverResumeDue();
    void holderKilled(int worker);
    void noHolderFound(); ///< for a while

private:
    /// A lock without expiry: its value, and when it was first seen.
    struct Endless
    {
        QByteArray value;
        TimePoint since;
        bool isTraced = false; ///< traced as an orphan
    };

    Result<Report> perform(std::stop_token stop);
    Result<void> prepare(std::stop_token stop);
    void connectAnew(std::chrono::milliseconds deadline, std::stop_token stop);
    Result<void> refuseForeignKeys();
    Result<microseconds> measureRoundTrip();
    Result<void> conduct(std::stop_token stop);
    void noteAbsence(const QList<WorkerView> &workers);
    void carryOutOrders();
    void seekHolder();
    void breakServerInTime();
    void breakServer(ServerFault fault);
    bool hasRestarted();
    void lookForOrphans(bool atEnd);
    Result<std::map<qsizetype, QByteArray>> endlessLocks(qsizetype first, qsizetype last);
    void publish();
    void trace(TraceEntry::Kind kind);
    void traceOrphan(qsizetype lock, Endless &seen);
    void traceOrphanEnd(qsizetype lock, const Endless &seen);
    WorkersStatus takeStatus();
    void cleanUp();
    Report report(bool stopped);
    microseconds elapsed() const;
    microseconds sinceStart(TimePoint at) const;

    const ServerAddress m_server;
    const Plan m_plan;
    const QList<QByteArray> m_keys;
    QList<QByteArray> m_allKeys; ///< including companion keys
    const bool m_isTraced;
    std::unique_ptr<BlockingConnection> m_connection; ///< for reading the locks; not a worker's
    std::unique_ptr<WorkerBackend> m_backend;
    TimePoint m_start;
    microseconds m_roundTrip{0};
    TimePoint m_nextLook;
    TimePoint m_nextSnapshot;
    std::map<qsizetype, Endless> m_endless; ///< at the last read
    qsizetype m_nextLooked = 0;
    std::map<qsizetype, QByteArray> m_orphans; ///< already reported ones
    size_t m_faultsDone = 0;
    std::optional<TimePoint> m_serverBackAt;
    std::optional<TimePoint> m_awaySince; ///< begin of the server's outage
    ServerFault m_fault = ServerFault::Pause;
    RunTrace m_trace;
    QList<LogLine> m_log;
    std::optional<Error> m_error; ///< at the last status
    qsizetype m_told = 0;         ///< number of its entries emitted with snapshots

    std::optional<TimePoint> m_holderSoughtUntil;

    std::mutex m_mutex;
    std::vector<std::function<void(WorkerBackend &)>> m_orders;
};

} // namespace lockscope
