// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QString>

#include <array>
#include <random>
#include <vector>

namespace lockscope {

/// Locks that are acquired, renewed and released, each as a monitor would tell it; 60 times a second. Of them three in five are
/// held at once, when each was changed a few times.
class RecordedTraffic
{
public:
    /// 60 times a second: 10,000.
    static constexpr int usualEvents = 167;

    /// `hasTokens`: each acquisition has another owner; otherwise they are threads of a few clients.
    RecordedTraffic(int locks, bool hasTokens);

    /// So many, each of another lock; fewer where there are fewer locks.
    LockDiff next(int events);
    TimePoint now() const { return m_now; }
    qint64 wallMs() const;
    qsizetype held() const;

private:
    void change(WatchedLock &watched, LockDiff &diff);
    OwnerId owner();

    std::mt19937 m_random{5};
    bool m_hasTokens;
    Family m_family;
    std::array<QByteArray, 20> m_clients;
    std::vector<WatchedLock> m_locks;
    std::vector<char> m_used;
    TimePoint m_now{};
    TimePoint m_readAt{};
};

/// Writes a recording of so many events, or qFatal().
void recordTraffic(RecordedTraffic &traffic, const QString &path, qint64 events);

} // namespace lockscope
