// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArrayView>
#include <QHash>

#include <optional>

namespace lockscope {

/// How many clients poll for locks, with an error bar.
struct PollerEstimate
{
    qint64 clients = 0;
    qint64 low = 0;
    qint64 high = 0;

    friend bool operator==(const PollerEstimate &, const PollerEstimate &) = default;
};

/// Estimates the number of polling clients from samples of CLIENT LIST and of INFO. Pure.
///
/// A client polls if all of its last samples, some six seconds, show a command with which locks are polled, and it
/// was active each time. One that only reads must also be slow: a sample just after a full second of the server shows
/// by the idle time, which has whole seconds, whether there was a command since then.
class PollerEstimator
{
public:
    static constexpr int window = 12; ///< samples, at most 16

    /// `phase`: of the reply to CLIENT LIST, since the server's last full second.
    void takeClients(QByteArrayView list, milliseconds phase);
    /// The growth of counters in `time`: calls of commands that set locks, and changes of all keys.
    void takeCounts(qint64 attempts, qint64 changes, milliseconds time);
    /// Forgets all: another connection.
    void clear() { *this = {}; }

    /// `areLocksHeld`: false if no lock is known that could be polled. Absent until there are enough samples.
    std::optional<PollerEstimate> estimate(bool areLocksHeld) const;

private:
    /// Bits of the last samples, the last one lowest.
    struct Seen
    {
        quint16 there = 0;
        quint16 polled = 0; ///< the last command was one with which locks are polled
        quint16 wrote = 0;  ///< and one that acquires
        quint16 active = 0; ///< idle for a second at most
        quint16 fresh = 0;  ///< a command since the server's last full second
    };

    bool isSlow(const Seen &seen) const;

    QHash<quint64, Seen> m_clients; ///< by their ID at the server
    int m_samples = 0;
    quint16 m_near = 0;     ///< samples just after a full second
    quint16 m_far = 0;      ///< samples long after it
    double m_successes = 0; ///< a second, at most
    double m_failures = 0;  ///< a second, at least
    bool m_isCounted = false;
};

} // namespace lockscope
