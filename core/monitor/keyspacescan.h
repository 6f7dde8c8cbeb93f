// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/base/time.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/scanguard.h"
#include "core/read/inspector.h"
#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/reply.h"
#include "core/watch/nominatednames.h"
#include "core/watch/outsidenames.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// One SCAN pass over the keyspace for all names that are nominated, page by page: for those that only a family nominates under
/// whose names nothing was found yet, where it reads all. Keeps the cursor; sends nothing itself.
class KeyspaceScan
{
public:
    /// `names` outlive it. `asksSize`: DBSIZE may be asked for.
    KeyspaceScan(const NominatedNames &names, TimePoint startedAt, bool asksSize = true);

    /// Before the first page: all is to be met that is nominated, and read, be it known as no lock; and stats.outside is to tell
    /// of other names that look like locks, where the pass can meet any.
    void readAll();
    bool readsAll() const { return m_readsAll; }
    /// Of a name that is nominated: it is met, if it is there.
    bool meets(QByteArrayView name) const;
    /// Nothing more is read under these globs: what was is told with the rest.
    void leaveOut(const QList<QByteArray> &globs);

    TimePoint startedAt() const { return m_startedAt; }

    /// Adds DBSIZE (the first time, and now and then) and the SCAN for the next page, of about `count` keys. Not after
    /// scanned().
    void appendNextPage(CommandBatch &batch, int count);
    /// Commands that appendNextPage() added.
    int commandCount() const { return m_isSized ? 2 : 1; }
    /// Takes their replies; the names of the page, which live as long as those. ErrorKind::EndlessScan where the pass can't
    /// come to an end.
    Result<std::span<const Reply>> takePage(std::span<const Reply> replies);
    /// Those of them that are nominated.
    QList<LockKey> matching(std::span<const Reply> names);
    /// Keys to read after the last page: what they hold tells whether stats.outside is to name others like them.
    QList<inspector::Target> samples();
    /// What is to be read next: this login may be allowed none of them, and each refusal is a line in the server's log.
    QList<inspector::Target> judge(const inspector::Target &sample, const Reading &reading);

    /// DBSIZE was refused for lack of permission.
    bool isSizeForbidden() const { return m_isSizeForbidden; }
    /// The cursor has come round.
    bool scanned() const { return m_cursor == "0" && !m_first; }

    /// What DBSIZE said with the last page; absent where it was not asked, or may not be.
    std::optional<qint64> keyspaceNow() const { return m_keyspaceNow; }

    ScanStats stats; ///< commands and times are added by the caller

private:
    void noteProgress();
    QList<inspector::Target> nextSamples(qsizetype most);

    const NominatedNames &m_names;
    QList<QByteArray> m_inUse; ///< patterns, when it began
    TimePoint m_startedAt;
    ScanGlob m_glob;
    OutsideNames m_outside;
    QList<LockKey> m_samples; ///< to be read still
    bool m_readsAll = false;
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
