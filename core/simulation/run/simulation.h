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

struct SimulationTarget
{
    ServerAddress address;
    PrivateServer *server =
        nullptr; ///< a private one, for faults; null: another. May be deleted before a run ends
};

/// True if a run, or its sudden end, may leave a lock without expiry or harm a server: allowed only on a
/// private server.
bool needsPrivateServer(const Plan &plan);

/// Runs a plan with worker threads or child processes, faults and referee; ends with a report. Lives on the
/// caller's thread, which needs an event loop and is never blocked for long. One run at a time.
///
/// Its keys begin with "sim:", belong only to this run, expire, and are deleted at its end. If a key already
/// exists, nothing is started. A crash of this program leaves keys that expire; plans that could leave others
/// are refused except on a private server.
class Simulation : public QObject
{
    Q_OBJECT

public:
    explicit Simulation(const SimulationTarget &target, QObject *parent = nullptr);
    /// Stops without a report; waits for the workers to end.
    ~Simulation() override;

    /// Ends in either finished() or failed().
    void start(const Plan &plan);
    /// Workers stop within 100 ms; finished() follows, with an empty report if none had begun.
    void stop();
    /// Like kill -9: the worker's lock stays until its lease ends. Then another worker replaces it.
    void kill(int worker);
    /// Kills a worker that holds a lock: holderKilled() or noHolderFound() follows within about 2 s, unless
    /// the run ends before.
    void killHolder();
    void setPaused(int worker, bool paused);
    /// Later runs include observations in snapshots and report.
    void setTraced(bool traced);

    bool isRunning() const;
    /// The keys of the locks of the current or last plan.
    const QList<QByteArray> &keys() const;

signals:
    void started();
    void progressed(const lockscope::SimulationSnapshot &snapshot);
    void holderKilled(int worker);
    void noHolderFound(); ///< no worker held a lock for 2 s, and none was killed
    void finished(const lockscope::Report &report);
    void failed(const lockscope::Error &why);

private:
    void conclude(const Result<Report> &result);

    const ServerAddress m_address;
    QPointer<PrivateServer> m_server; ///< the target's, while it exists
    QList<QByteArray> m_keys;
    bool m_isTraced = false;
    std::shared_ptr<SimulationRunner> m_runner; ///< null: no run
    std::jthread m_thread;                      ///< last member: joined before the others are destroyed
};

} // namespace lockscope
