// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/serverreset.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// Detects that the keys of a server went at once. A server reports flushes of any database, and for other
/// reasons: only the number of keys shows whether ours are gone. Pure.
class ResetWatch
{
public:
    /// The number of known locks, and of Vanished events so far.
    struct Locks
    {
        qint64 known = 0;
        qint64 vanished = 0;
    };
    enum class Finding {
        Nothing,
        Empty,  ///< all known locks are gone; next: claim()
        Shrunk, ///< most are gone: what a new scan does not find is gone; next: scanFinished()
    };

    /// Takes the identity of the server's process at login; empty: unknown. A different address means a
    /// takeover or the same process, not a restart.
    void connected(const ServerAddress &address, const QByteArray &runId, Locks locks);
    /// The server reported that the keys of a database went. Without known locks none of ours did.
    void reported(Locks locks, TimePoint now);
    /// The server swapped databases, unknown which: a scan from now on shows whether ours was.
    void swapped(Locks locks, TimePoint now);
    /// Takes the reply to DBSIZE; returns a finding only once per reset.
    Finding counted(qint64 keys, Locks locks, TimePoint now);
    /// The reset after Finding::Empty; call before the locks are dropped.
    ServerReset claim(Locks locks, TimePoint now);
    /// The reset, if any, after a full scan since the last finding.
    std::optional<ServerReset> scanFinished(Locks locks, TimePoint now);

    /// True if keys are gone that a scan since the last finding does not find.
    bool provesAbsence() const { return m_pending && m_pending->isShrunk; }
    /// True if DBSIZE is permitted on this server.
    bool canCount() const { return m_keys.has_value(); }

private:
    /// A finding to be claimed after a scan.
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
    std::optional<qint64> m_keys; ///< last count
    bool m_isCounted = false;     ///< by the current process
    std::optional<TimePoint> m_toldAt;
    std::optional<Pending> m_pending;
};

} // namespace lockscope
