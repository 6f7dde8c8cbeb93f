// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/scanguard.h"
#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/reply.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// One SCAN pass over the keyspace for all patterns, page by page. Keeps the cursor; sends nothing itself.
class Sweep
{
public:
    Sweep(QList<QByteArray> patterns, TimePoint startedAt);

    TimePoint startedAt() const { return m_startedAt; }

    /// Adds DBSIZE (the first time, and now and then) and the SCAN for the next page, of about `count` keys. Not after
    /// scanned().
    void appendNextPage(CommandBatch &batch, int count);
    /// Commands that appendNextPage() added.
    int commandCount() const { return m_isSized ? 2 : 1; }
    /// Takes their replies; the names of the page, which live as long as those. ErrorKind::EndlessScan where the pass can't
    /// come to an end.
    Result<std::span<const Reply>> takePage(std::span<const Reply> replies);
    /// Those of them that match a pattern.
    QList<LockKey> matching(std::span<const Reply> names) const;

    /// The cursor has come round.
    bool scanned() const { return m_cursor == "0" && !m_first; }

    /// What DBSIZE said with the last page; absent where it was not asked, or may not be.
    std::optional<qint64> keyspaceNow() const { return m_keyspaceNow; }

    SweepStats stats; ///< commands and times are added by the caller

private:
    void noteProgress();

    QList<QByteArray> m_patterns;
    TimePoint m_startedAt;
    QByteArray m_match;
    QByteArray m_cursor = "0";
    ScanGuard m_guard;
    std::optional<qint64> m_keyspaceNow;
    bool m_first = true;
    bool m_isSized = true; ///< DBSIZE goes before the next page, or went before the one on its way
    bool m_keyspaceKnown = false;
};

} // namespace lockscope
