// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"
#include "core/monitor/knownlock.h"
#include "core/read/inspector.h"
#include "core/redis/connection.h"
#include "core/watch/keynamefilter.h"
#include "core/watch/monitorreport.h"

#include <QObject>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

struct MonitorOptions
{
    QList<QByteArray> patterns = KeyNameFilter::defaultPatterns(); ///< in addition: usual names of families
    FamilySet undiscovered{};         ///< families whose usual names are not scanned
    double firstScanShare = 0.25;     ///< share of one server core
    double share = 0.05;              ///< share of one server core after the first scan
    double shareOfNodes = 0.25;       ///< sum for all cluster nodes after the first scan: limits our own work
    milliseconds rereadInterval{250}; ///< for known locks; longer if the share requires it
    milliseconds scanInterval{
        1000};           ///< minimum pause between scans; five times as long if all changes are pushed
    bool listens = true; ///< false: polling only
    milliseconds waitersInterval{1000}; ///< minimum interval for reading companion keys
    QList<FamilyRule> rules{};
    qint64 maxLocks = locksInMemory(); ///< beyond it, the scan ends with TooManyLocks
    qint64 maxBytes = 256 * maxLocks;  ///< size of names and owners; beyond it, TooManyLocks too
    bool keepsLocks = true; ///< false: in a pass over all keys, each lock is forgotten once reported
    milliseconds permissionInterval{30'000}; ///< retry interval for refused commands and keys

    /// The number of locks that take an eighth of the memory in the window, but 500,000 to 4,000,000.
    static qint64 locksInMemory();
    /// Each node of several gets its part of maxLocks, but no less than 500,000 of it.
    MonitorOptions ofOneNode(qsizetype nodes) const;
    /// The share on one of so many nodes. `isHurried`: during the first scan, or after a large gap.
    double shareOfOne(bool isHurried, qsizetype nodes) const
    {
        return isHurried ? firstScanShare : std::min(share, shareOfNodes / static_cast<double>(nodes));
    }
};

class LockMonitorLoop;

/// Monitors the locks of one server: scans for new ones, rereads known ones, reads each just after its
/// predicted expiry, and reports changes. Lives on the connection's thread. A lock counts as removed only
/// after its key was read. After a gap (reconnection) everything is read again before it counts as current.
class LockMonitor : public QObject
{
    Q_OBJECT

public:
    LockMonitor(Link &connection, MonitorOptions options, QObject *parent = nullptr);
    ~LockMonitor() override;

    /// In a cluster: `keeps` returns whether this node has a key. It is called for every key that a scan, a read or a
    /// hint reports; other keys are ignored.
    void setKeyFilter(std::function<bool(const LockKey &key)> keeps);
    /// Removes locks that this node no longer has, without events, for takeOver() of another monitor.
    QList<MigratedLock> handOver();
    void takeOver(const QList<MigratedLock> &locks);
    /// True for a key that was found or known, but may not be read.
    bool isUnreadable(const LockKey &key) const;
    /// Sets the number of cluster nodes, which share MonitorOptions::shareOfNodes.
    void setNodes(qsizetype nodes);
    void setDeadlocks(const QList<Deadlock> &deadlocks);

public slots:
    /// Starts now or when the connection is ready, and after each reconnection.
    void start();
    /// Starts one scan at full speed from the beginning, and retries everything forbidden.
    void scanNow();
    void setPatterns(const QList<QByteArray> &patterns, const lockscope::FamilySet &undiscovered = {});
    /// Recognizes known locks again by these rules.
    void setRules(const QList<lockscope::FamilyRule> &rules);
    /// Keys that may have changed: read soon. A hint may be wrong, late or missing.
    void requestRead(const QList<lockscope::LockKey> &keys);
    /// Records a forced expiry: an owner that soon writes the lock again is reported as a problem.
    void recordForceExpire(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &ended);
    /// Marks the start and end of an action on a key. A change read in between may be due to the action, and
    /// is reported only afterwards.
    void beginAction(const lockscope::LockKey &key);
    void actionEnded(const lockscope::LockKey &key);
    /// Visible locks are read first if not all can be read in time; the first of them at once.
    void setVisible(const QList<lockscope::LockKey> &keys);

signals:
    /// The current waits of a cluster node.
    void waitsSeen(const QList<lockscope::WaitEdge> &waits);
    /// Names of locks of another node.
    void foreignKeysFound(const QList<lockscope::LockKey> &keys);
    /// Changes of the locks and the monitor's state.
    void reported(const lockscope::MonitorReport &event);

private:
    std::unique_ptr<LockMonitorLoop> d;
};

} // namespace lockscope
