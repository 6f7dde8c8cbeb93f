// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/pollerestimate.h"
#include "core/redis/connection.h"

#include <QTimer>

namespace lockscope {

/// Samples a server's clients for a PollerEstimator, on a connection of its own: twice a second, less often where the
/// samples would take more than 1% of a core of the server. Once a command is refused, it is not sent again: each
/// refusal is an entry in the server's ACL LOG. On one thread with an event loop.
class PollerWatch : public QObject
{
    Q_OBJECT

public:
    explicit PollerWatch(const ServerAddress &address);
    ~PollerWatch() override;

    /// True while the server is known to be connected to and to be sampled.
    void setActive(bool isActive);
    /// Absent: unknown, such as without permission or with too many clients.
    std::optional<PollerEstimate> estimate(bool areLocksHeld) const
    {
        return m_estimator.estimate(areLocksHeld);
    }

private:
    struct Counts
    {
        qint64 attempts = 0;
        qint64 changes = 0;
        qint64 savedAt = 0; ///< epoch seconds
        TimePoint at;
        qint64 lists = 0; ///< calls of CLIENT LIST
        std::chrono::microseconds listTime{0};
    };

    void begin();
    void sample();
    void take(const std::vector<Reply> &replies, TimePoint sentAt);
    void takeCounts(const QByteArray &commands, const QByteArray &persistence, TimePoint at);
    void schedule(milliseconds phase, TimePoint sentAt);
    void giveUp();

    Connection m_connection;
    QTimer m_timer;
    PollerEstimator m_estimator;
    std::optional<Counts> m_counts;
    std::chrono::microseconds m_cost{0}; ///< of a sample
    int m_generation = 0;
    int m_samples = 0;
    bool m_isActive = false;
    bool m_hasGivenUp = false;
};

} // namespace lockscope
