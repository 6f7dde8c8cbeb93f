// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"
#include "core/monitor/lockmonitor.h"
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
    /// `asksSize`: DBSIZE may be asked for.
    Sweep(QList<QByteArray> patterns, TimePoint startedAt, bool asksSize = true);

    TimePoint startedAt() const { return m_startedAt; }

    /// Adds DBSIZE (the first time) and the SCAN for the next page, of about `count` keys. Not after scanned().
    void appendNextPage(CommandBatch &batch, int count);
    /// Commands that appendNextPage() added.
    int commandCount() const { return m_first && m_asksSize ? 2 : 1; }
    /// Takes their replies; the names of the page, which live as long as those.
    Result<std::span<const Reply>> takePage(std::span<const Reply> replies);
    /// Those of them that match a pattern.
    QList<LockKey> matching(std::span<const Reply> names) const;

    /// DBSIZE was refused for lack of permission.
    bool isSizeForbidden() const { return m_isSizeForbidden; }
    /// The cursor has come round.
    bool scanned() const { return m_cursor == "0" && !m_first; }

    SweepStats stats; ///< commands and times are added by the caller

private:
    void noteProgress();

    QList<QByteArray> m_patterns;
    TimePoint m_startedAt;
    QByteArray m_match;
    QByteArray m_cursor = "0";
    const bool m_asksSize;
    bool m_isSizeForbidden = false;
    bool m_first = true;
    bool m_keyspaceKnown = false;
};

} // namespace lockscope
