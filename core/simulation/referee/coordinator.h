// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "core/simulation/model/workerview.h"
#include "core/simulation/referee/referee.h"

#include <atomic>
#include <optional>

namespace lockscope {

/// Where the processes of a run meet: a redis-server of their own, apart from the one with the locks, so that no
/// fault of that one reaches it. Its ordered log, with its clock, is the referee's; the rest are the parent's
/// orders and the children's reports.
namespace board {

/// What a child is told at its start, on its standard input.
struct ChildConfig
{
    ServerAddress server; ///< with the locks
    ServerAddress board;
    Plan plan;
    QList<QByteArray> keys;
    int process = 0;
    int first = 0; ///< its workers
    int count = 0;
    TimePoint start; ///< the steady clock is one for all processes of a machine
};
QByteArray written(const ChildConfig &config); ///< one line
std::optional<ChildConfig> readConfig(const QByteArray &line);

/// What a child reports.
struct Status
{
    QList<WorkerView> views;
    QList<WorkerStats> workerStats;
    QList<LogLine> log; ///< from its beginning
    std::optional<Error> error;
    qint64 commandsByNobody = 0;
    bool hasEnded = false;
    bool isIncomplete = false; ///< BoardReferee::isIncomplete() there
};
QByteArray written(const Status &status);
std::optional<Status> readStatus(const QByteArray &bytes);

QByteArray written(const Round &round);
std::optional<Round> readRound(const QByteArray &bytes);

QByteArray statusKey(int process);
QByteArray ordersKey(int process);
QByteArray warrantKey(); ///< a list of one at most: whoever takes it may kill a worker that holds a lock
QByteArray killedKey();  ///< the numbers of those that were
QByteArray arrivalsKey(int process); ///< rounds that the child's workers have finished

} // namespace board

/// The referee across processes. Not thread-safe but for what Referee promises, and isIncomplete().
class BoardReferee : public Referee
{
public:
    /// Connects, to learn what the board's clock says.
    static Result<std::unique_ptr<BoardReferee>> open(const ServerAddress &board);
    ~BoardReferee() override;

    std::unique_ptr<RefereeClient> admit() override;
    /// Never later than the board's clock says then, and earlier by no more than a command takes on its way.
    microseconds onClock(TimePoint moment) const override;
    /// An event of a witness of this one did not reach the board: what stands there proves nothing any more.
    bool isIncomplete() const { return m_incomplete; }

    /// The events since the last call, in their order; they are gone from the board then. For the parent.
    Result<QList<RefereeEvent>> read();

private:
    explicit BoardReferee(const ServerAddress &board);
    Result<void> compareClocks();

    const ServerAddress m_board;
    BlockingConnection m_connection;
    std::chrono::nanoseconds m_offset{0}; ///< the board's clock less the steady one
    std::atomic<bool> m_incomplete = false;
};

} // namespace lockscope
