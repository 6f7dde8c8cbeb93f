// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/base/time.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/scanguard.h"
#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/reply.h"
#include "core/watch/outsidenames.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// One SCAN pass over the keyspace for all patterns, page by page. Keeps the cursor; sends nothing itself.
class KeyspaceScan
{
public:
    /// `asksSize`: DBSIZE may be asked for.
    KeyspaceScan(QList<QByteArray> patterns, TimePoint startedAt, bool asksSize = true);

    /// Before the first page: stats.outside is to tell of names that match no pattern, where the pass can meet any.
    void lookOutside();

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
    QList<LockKey> matching(std::span<const Reply> names);

    /// DBSIZE was refused for lack of permission.
    bool isSizeForbidden() const { return m_isSizeForbidden; }
    /// The cursor has come round.
    bool scanned() const { return m_cursor == "0" && !m_first; }

    /// What DBSIZE said with the last page; absent where it was not asked, or may not be.
    std::optional<qint64> keyspaceNow() const { return m_keyspaceNow; }

    ScanStats stats; ///< commands and times are added by the caller

private:
    void noteProgress();

    QList<QByteArray> m_patterns;
    TimePoint m_startedAt;
    ScanGlob m_glob;
    OutsideNames m_outside;
    QByteArray m_cursor = "0";
    const bool m_asksSize;
    bool m_isSizeForbidden = false;
    ScanGuard m_guard;
    std::optional<qint64> m_keyspaceNow;
    bool m_first = true;
    bool m_isSized; ///< DBSIZE goes before the next page, or went before the one on its way
    bool m_keyspaceKnown = false;
};

} // namespace lockscope
