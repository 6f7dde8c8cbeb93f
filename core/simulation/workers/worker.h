// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/simulation/referee/referee.h"
#include "core/simulation/strategy/strategy.h"
#include "core/simulation/strategy/workerconnections.h"
#include "core/simulation/workers/roundbarrier.h"
#include "core/simulation/workers/workerclock.h"
#include "core/simulation/workers/workercontrol.h"
#include "core/simulation/workers/workerreporter.h"
#include "core/simulation/workers/workload.h"

#include <map>
#include <optional>

namespace lockscope {

/// The common context of a run's workers. All references must outlive them.
struct WorkerContext
{
    ServerAddress server;
    Algorithm algorithm;
    QList<QByteArray> keys;
    QByteArray process; ///< UUID: the first half of its workers' owner IDs
    quint32 seed = 1;
    TimePoint start;
    bool keepsLog = false;
    Referee &referee;
    SubscriptionHub &hub;
    RoundBarrier *gate = nullptr; ///< null: no rounds
    bool isTraced = false;
};

/// A client that acquires locks, works and releases them by its routine, on its own thread. Linear blocking
/// code. It releases all its locks at the end, except after a crash.
class Worker : private FaultHook
{
public:
    Worker(const WorkerContext &context, WorkerControl &control, Workload &routine, int number);
    ~Worker() override;

    /// Runs until the routine ends or a stop is requested.
    void run(std::stop_token stop);

private:
    enum class Step : quint8 { Done, Refused, Ended }; ///< Ended: crashed, killed or stopped
    struct Held
    {
        int lock;
        int levels;
        TimePoint entered;
    };

    void live(std::stop_token life);
    void waitOutLease(std::stop_token stop);
    Step perform(const Iteration &visit);
    Step takeAll(const Iteration &visit);
    Step take(const Iteration &visit, int lock);
    Step acquire(const Iteration &visit, int lock, int level);
    std::optional<AcquireResult> recover(LockStrategy &strategy, const Error &why);
    bool endsForGood(const Error &why);
    Step enter(const Iteration &visit, int lock, const AcquireResult &attempt);
    Step work(const Iteration &visit);
    bool renew(const Iteration &visit);
    void releaseAll(const Iteration &visit);
    void releaseLast(const Iteration &visit);
    bool pauseBeforeRelease(const Iteration &visit);
    void releaseLevel(const Iteration &visit, int lock);
    void checkForLeak(int lock);
    Step crash();
    Step abandonAttempt(int level);

    bool pass(Moment moment) override;
    bool connect();
    bool pauseFor(milliseconds pause);
    LockStrategy &strategy(const Iteration &visit, int lock);
    const Algorithm &algorithmOf(const Iteration &visit) const
    {
        return visit.algorithm ? *visit.algorithm : m_context.algorithm;
    }
    void countCommands();

    const WorkerContext &m_context;
    WorkerControl &m_control;
    Workload &m_routine;
    const int m_number;
    WorkerClock m_clock;
    std::mt19937 m_random;
    std::optional<WorkerReporter> m_reporter; ///< since run()
    int m_lives = 0;

    // State of one life.
    std::stop_token m_life;
    bool m_crashed = false;
    std::unique_ptr<WorkerConnections> m_links;
    std::map<std::pair<int, QByteArray>, std::unique_ptr<LockStrategy>> m_strategies;
    std::vector<Held> m_held;
    const Iteration *m_visit = nullptr;
    int m_current = 0; ///< lock of the current strategy
    milliseconds m_visitLease{0};
    TimePoint m_roundStart;
    qint64 m_commandsCounted = 0;

    // State of the current acquisition.
    TimePoint m_wanted;
    TimePoint m_asked;
    bool m_handedOver = false;
    bool m_byTimer = false;
};

} // namespace lockscope
