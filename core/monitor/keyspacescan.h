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
#include "core/watch/keynamefilter.h"
#include "core/watch/unlistednames.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// One SCAN pass over the keyspace for all nominated names, page by page. Names that only a family nominates,
/// and under which no lock was found yet, are included if the pass reads all. Sends nothing.
class KeyspaceScan
{
public:
    /// `names` must outlive this object. `asksSize`: DBSIZE may be sent. `samplesAnyName`: also for names that do
    /// not hint at a lock; a login that may not read them would leave entries in the ACL LOG.
    KeyspaceScan(KeyNameFilter &names, TimePoint startedAt, bool asksSize = true,
                 bool samplesAnyName = false);

    /// Before the first page: includes all nominated names and reads even keys known as no locks;
    /// stats.outside then reports other names that look like locks, if the pass includes any.
    void readAll();
    bool readsAll() const { return m_readsAll; }
    /// True if the pass includes this nominated name.
    bool meets(QByteArrayView name) const;
    /// Skips names that match these globs from now on; they count as outside names.
    void leaveOut(const QList<QByteArray> &globs);

    TimePoint startedAt() const { return m_startedAt; }

    /// Adds DBSIZE (the first time, and now and then) and SCAN for the next page of about `count` keys. Not
    /// after scanned().
    void appendNextPage(CommandBatch &batch, int count);
    /// True if the next page asks for DBSIZE.
    bool isSizeDue() const;
    /// Commands that appendNextPage() added.
    int commandCount() const { return m_isSized ? 2 : 1; }
    /// Takes the replies, and returns the names of the page, which live as long as the replies.
    /// ErrorKind::EndlessScan if the pass cannot end.
    Result<std::span<const Reply>> takePage(std::span<const Reply> replies);
    /// The nominated names among them.
    QList<LockKey> matching(std::span<const Reply> names);
    /// Keys to read after the last page: by their content, the names nominate others like them, or stats.outside
    /// reports these.
    QList<inspector::Target> samples();
    /// Returns what to read next: all names that are nominated now, or further samples; of these few at a time,
    /// since each refusal is an entry in the ACL LOG.
    QList<inspector::Target> judge(const inspector::Target &sample, const Reading &reading);

    /// True if DBSIZE was refused for lack of permission.
    bool isSizeForbidden() const { return m_isSizeForbidden; }
    /// True if the cursor has returned to 0.
    bool scanned() const { return m_cursor == "0" && !m_first; }

    /// The reply to DBSIZE with the last page; absent if not sent or refused.
    std::optional<qint64> keyspaceNow() const { return m_keyspaceNow; }

    ScanStats stats; ///< commands and times are added by the caller

private:
    void noteProgress();
    QList<inspector::Target> nextSamples(qsizetype most);

    KeyNameFilter &m_names;
    QList<QByteArray> m_inUse; ///< patterns in use at the start
    TimePoint m_startedAt;
    ScanGlob m_glob;
    UnlistedNameCounter m_outside;
    QList<LockKey> m_samples; ///< not read yet
    bool m_readsAll = false;
    QByteArray m_cursor = "0";
    const bool m_asksSize;
    bool m_isSizeForbidden = false;
    ScanGuard m_guard;
    std::optional<qint64> m_keyspaceNow;
    bool m_first = true;
    bool m_isSized; ///< DBSIZE precedes SCAN in the next or current page
    bool m_keyspaceKnown = false;
};

} // namespace lockscope
