// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"
#include "core/monitor/knownlock.h"
#include "core/read/inspector.h"
#include "core/redis/connection.h"
#include "core/watch/nominatednames.h"
#include "core/watch/watchevent.h"

#include <QObject>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

struct MonitorOptions
{
    QList<QByteArray> patterns =
        NominatedNames::defaultPatterns(); ///< with all of these: families' usual names, too
    FamilySet undiscovered{};              ///< whose names are not looked for all the same
    double firstScanShare = 0.25;          ///< of one server core, for the first scan
    double share = 0.05;                   ///< for everything after it
    double shareOfNodes = 0.25; ///< of all nodes of a cluster together, likewise: our own work grows with it
    milliseconds rereadInterval{250}; ///< known locks are read again this often, unless the share says slower
    milliseconds scanInterval{
        1000};           ///< pause between scans, at least; five of them where every change is told
    bool listens = true; ///< false: polling alone
    milliseconds waitersInterval{
        1000}; ///< what stands beside known locks is looked at this often, or more seldom
    QList<FamilyRule> rules{};
    qint64 mostLocks = 500'000;           ///< held at once: beyond it the scan ends with TooManyLocks,
    qint64 mostBytes = qint64(128) << 20; ///< and beyond so many bytes of their names and owners
    bool keepsLocks = true; ///< false: of a pass over all keys, each is forgotten when it was told
    milliseconds permissionInterval{30'000}; ///< what is forbidden is tried again this often

    /// For one of so many nodes. `isHurried`: in the first scan, or where much may have been missed.
    double shareOfOne(bool isHurried, qsizetype nodes) const
    {
        return isHurried ? firstScanShare : std::min(share, shareOfNodes / static_cast<double>(nodes));
    }
};

class LockMonitorLoop;

/// Keeps a live picture of the locks of one server: scans for new ones, reads known ones again, touches each
/// just after its predicted end, and tells what changed. Lives on the connection's thread. "Removed" is
/// decided only by a look at that very key. After a gap (reconnection) everything is read again before it
/// counts as current.
class LockMonitor : public QObject
{
    Q_OBJECT

public:
    LockMonitor(Link &connection, MonitorOptions options, QObject *parent = nullptr);
    ~LockMonitor() override;

    /// Of a cluster, of which this is one node's: whether it keeps a key. Others are no locks of this monitor, wherever their
    /// names are met. Asked anew each time.
    void setKeeps(std::function<bool(const LockKey &key)> keeps);
    /// Gives away what it does not keep any more, without a word: for takeOver() of the monitor that keeps it now.
    QList<HandedOver> handOver();
    void takeOver(const QList<HandedOver> &locks);
    /// Its name was met, or it was known, and this login may not read it.
    bool isUnreadable(const LockKey &key) const;
    /// How many nodes it is one of: they share MonitorOptions::shareOfNodes.
    void setNodes(qsizetype nodes);
    /// Of the whole cluster.
    void setDeadlocks(const QList<Deadlock> &deadlocks);

public slots:
    /// Starts when the connection is ready, and after each reconnection.
    void start();
    /// Scans at full speed, once, now, from the beginning. Whatever is forbidden is tried again.
    void scanNow();
    void setPatterns(const QList<QByteArray> &patterns, const lockscope::FamilySet &undiscovered = {});
    /// Known locks are named anew by them.
    void setRules(const QList<lockscope::FamilyRule> &rules);
    /// Keys that may have changed: read soon. A hint may be wrong, late or missing.
    void requestRead(const QList<lockscope::LockKey> &keys);
    /// These holds were just ended by force: who takes the lock back soon is told as a problem.
    void recordForceExpire(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &ended);
    /// An action on a key is on its way, and has ended: what a reading between them finds gone or changed may be its work, so it
    /// is told only afterwards.
    void actionBegins(const lockscope::LockKey &key);
    void actionEnded(const lockscope::LockKey &key);
    /// What somebody looks at is read before the rest where not all can be read in time; the first of them at once.
    void setVisible(const QList<lockscope::LockKey> &keys);

signals:
    /// Of a cluster's node: its waits as of now.
    void waitsSeen(const QList<lockscope::WaitEdge> &waits);
    /// Names of locks that another node keeps.
    void foreignMet(const QList<lockscope::LockKey> &keys);
    /// The picture, and what is known of it.
    void told(const lockscope::WatchEvent &event);

private:
    std::unique_ptr<LockMonitorLoop> d;
};

} // namespace lockscope
