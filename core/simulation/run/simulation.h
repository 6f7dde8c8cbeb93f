// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/simulation/model/workerview.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <thread>

namespace lockscope {

class PrivateServer;
class SimulationRunner;

/// Where workers contend.
struct SimulationTarget
{
    ServerAddress address;
    PrivateServer *server =
        nullptr; ///< our own: its faults can be simulated. Null: another's. May go before a run ends
};

/// Whether a run, or its sudden end, may leave a lock that never expires, or harm a server: it is refused on a server
/// that is not our own.
bool needsPrivateServer(const Plan &plan);

/// Runs a plan: worker threads here or in child processes, the faults, the referee; ends with a report. Lives on
/// the caller's thread, which needs an event loop and is never blocked for long. One run at a time.
///
/// Its keys begin with "sim:", belong to this run alone, expire, and are deleted at its end. A key that is there
/// already is another's: nothing is started then. A crash of our program leaves keys that expire; what could leave
/// one that does not is refused on a server that is not our own.
class Simulation : public QObject
{
    Q_OBJECT

public:
    explicit Simulation(const SimulationTarget &target, QObject *parent = nullptr);
    /// Stops without a report; waits for the workers' ends.
    ~Simulation() override;

    /// Ends in finished() or failed(), never in both.
    void start(const Plan &plan);
    /// Workers end what they do within 100 ms; finished() follows, with a report of nothing where none had begun.
    void stop();
    /// As kill -9 would: the worker's lock stays until its lease ends. Another takes its place after that.
    void kill(int worker);
    /// One that holds a lock at that moment, with which it dies: holderKilled() or noHolderFound() follows, within
    /// about 2 s, unless the run ends before.
    void killHolder();
    void setPaused(int worker, bool paused);
    /// Runs that start from now on tell what is observed, in snapshots and in their report.
    void setTraced(bool traced);

    bool isRunning() const;
    /// The keys of the running or last plan's locks.
    const QList<QByteArray> &keys() const;

signals:
    void started();
    void progressed(const lockscope::SimulationSnapshot &snapshot);
    void holderKilled(int worker);
    void noHolderFound(); ///< nobody held a lock for 2 s, and nobody was killed
    void finished(const lockscope::Report &report);
    void failed(const lockscope::Error &why);

private:
    void conclude(const Result<Report> &result);

    const ServerAddress m_address;
    QPointer<PrivateServer> m_server; ///< the target's, while it is there
    QList<QByteArray> m_keys;
    bool m_isTraced = false;
    std::shared_ptr<SimulationRunner> m_runner; ///< null: nothing runs
    std::jthread m_thread;                      ///< last: joined before what it uses is gone
};

} // namespace lockscope
