// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/serverreset.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// Finds out whether the keys of a server went at once. A server says that it was flushed whichever database that was, and
/// for other reasons too: only the count of keys tells whether ours are gone. Pure.
class ResetWatch
{
public:
    /// The locks that are known, and how many have vanished so far.
    struct Locks
    {
        qint64 known = 0;
        qint64 vanished = 0;
    };
    enum class Finding {
        Nothing, ///< reading each key decides, as ever
        Empty,   ///< all known locks are gone: claim()
        Shrunk,  ///< most are: what a scan from now on does not meet is gone; scanFinished() claims
    };

    /// A login has told this identity of the server's process; empty: not known. Where it answers at another address than
    /// before, that is no restart: another one has taken over, or it is the same.
    void connected(const ServerAddress &address, const QByteArray &runId, Locks locks);
    /// The server has told that keys of some database went.
    void reported(TimePoint now) { m_toldAt = now; }
    /// Databases of the server were swapped: which, it does not tell. A scan from now on tells whether ours was.
    void swapped(Locks locks);
    /// What DBSIZE said. Of each reset the first finding only.
    Finding counted(qint64 keys, Locks locks, TimePoint now);
    /// After Finding::Empty, before the locks are dropped.
    ServerReset claim(Locks locks, TimePoint now);
    /// A whole scan since the last finding is through.
    std::optional<ServerReset> scanFinished(Locks locks, TimePoint now);

    /// A scan that begins now, or has begun since the last finding, proves the absence of what it does not meet.
    bool provesAbsence() const { return m_pending && m_pending->isShrunk; }
    /// DBSIZE has an answer on this server.
    bool canCount() const { return m_keys.has_value(); }

private:
    /// To be claimed when a scan has told how many locks are gone.
    struct Pending
    {
        ServerReset::Cause cause;
        Locks before;
        bool isShrunk;
    };
    bool wasTold(TimePoint now) const;
    void follow(bool isSame, Locks locks);
    ServerReset resetOf(ServerReset::Cause cause, std::optional<bool> hasData, qint64 locks,
                        TimePoint now) const;

    std::optional<ServerAddress> m_address;
    QString m_takenOverFrom;
    QByteArray m_runId;
    std::optional<qint64> m_keys; ///< as counted last
    bool m_isCounted = false;     ///< by the process that answers now
    std::optional<TimePoint> m_toldAt;
    std::optional<Pending> m_pending;
};

} // namespace lockscope
