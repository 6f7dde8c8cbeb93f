// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/resetwatch.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// A count of keys within this time after a server's report is attributed to it.
constexpr auto toldFor = 5s;
/// Fewer keys may be deleted or expire one by one between two counts.
constexpr qint64 many = 100;

} // namespace

bool ResetWatch::wasTold(TimePoint now) const
{
    return m_toldAt && now - *m_toldAt < toldFor;
}

ServerReset ResetWatch::resetOf(ServerReset::Cause cause, std::optional<bool> hasData, qint64 locks,
                                TimePoint now) const
{
    ServerReset reset{cause, hasData, locks, now, QDateTime::currentMSecsSinceEpoch()};
    if (cause == ServerReset::Cause::Failover) {
        reset.from = m_takenOverFrom;
        reset.to = m_address->toDisplayString();
    }
    return reset;
}

void ResetWatch::connected(const ServerAddress &address, const QByteArray &runId, Locks locks)
{
    const auto addressBefore = std::exchange(m_address, address);
    const QByteArray before = std::exchange(m_runId, runId);
    m_toldAt.reset();
    if (addressBefore && *addressBefore != address) {
        m_takenOverFrom = addressBefore->toDisplayString();
        return follow(!runId.isEmpty() && before == runId, locks);
    }
    if (before.isEmpty() || runId.isEmpty() || before == runId) {
        if (m_pending && m_pending->isShrunk)
            m_pending.reset(); // its scan will not be finished; what is gone vanishes all the same
        return;
    }
    m_isCounted = false;
    if (!m_pending || m_pending->cause != ServerReset::Cause::Restart)
        m_pending = Pending{ServerReset::Cause::Restart, locks, false};
}

void ResetWatch::follow(bool isSame, Locks locks)
{
    m_keys.reset();
    m_isCounted = false;
    if (!isSame && m_pending && m_pending->cause == ServerReset::Cause::Failover)
        m_pending->isShrunk = false; // one after the other, and nothing was told of the first
    else if (isSame)
        m_pending.reset();
    else
        m_pending = Pending{ServerReset::Cause::Failover, locks, false};
}

void ResetWatch::reported(Locks locks, TimePoint now)
{
    if (locks.known > 0)
        m_toldAt = now;
}

void ResetWatch::swapped(Locks locks, TimePoint now)
{
    // One after the other, and which took the keys is not told.
    const bool isFlushedToo = m_pending ? m_pending->cause == ServerReset::Cause::Flush : wasTold(now);
    if (!m_pending)
        m_pending = Pending{ServerReset::Cause::Swap, locks, false};
    if (isFlushedToo)
        m_pending->cause = ServerReset::Cause::Unknown;
}

ResetWatch::Finding ResetWatch::counted(qint64 keys, Locks locks, TimePoint now)
{
    const qint64 before = std::exchange(m_keys, keys).value_or(0);
    m_isCounted = true;
    const bool isExpected =
        m_pending && m_pending->cause != ServerReset::Cause::Flush; // restarted, swapped or failed over
    if (locks.known == 0) {
        m_toldAt.reset(); // none of ours went
        return Finding::Nothing;
    }
    if (keys == 0)
        return isExpected || wasTold(now) || before >= many ? Finding::Empty : Finding::Nothing;
    const bool isCertain = isExpected || wasTold(now);
    m_toldAt.reset(); // what is there now, that flush has left, or it has come since
    if (!isCertain || provesAbsence() || keys * 2 >= std::max(locks.known, before))
        return Finding::Nothing;
    if (isExpected)
        m_pending->isShrunk = true;
    else
        m_pending = Pending{ServerReset::Cause::Flush, locks, true};
    return Finding::Shrunk;
}

ServerReset ResetWatch::claim(Locks locks, TimePoint now)
{
    const auto pending = std::exchange(m_pending, std::nullopt);
    const auto otherwise = wasTold(now) ? ServerReset::Cause::Flush : ServerReset::Cause::Unknown;
    m_toldAt.reset();
    return resetOf(pending ? pending->cause : otherwise, false, locks.known, now);
}

std::optional<ServerReset> ResetWatch::scanFinished(Locks locks, TimePoint now)
{
    const auto pending = std::exchange(m_pending, std::nullopt);
    if (!pending)
        return std::nullopt;
    const qint64 gone = locks.vanished - pending->before.vanished;
    // After a flush or a swap what is there is new: where most are as before it was none of ours.
    const bool isDoubted =
        pending->cause == ServerReset::Cause::Flush || pending->cause == ServerReset::Cause::Swap;
    if (isDoubted && (gone == 0 || gone * 2 < pending->before.known))
        return std::nullopt;
    std::optional<bool> hasData;
    if (locks.known > 0)
        hasData = true;
    else if (m_isCounted)
        hasData = *m_keys > 0;
    return resetOf(pending->cause, hasData, gone, now);
}

} // namespace lockscope
