// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/companionkeys.h"
#include "core/monitor/budget.h"
#include "core/monitor/contentsearch.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/patternadvice.h"
#include "core/monitor/permissiontracker.h"
#include "core/monitor/scancounttuner.h"
#include "core/read/companionreader.h"
#include "core/read/inspector.h"
#include "core/redis/link.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <optional>

namespace lockscope {

/// A ContentSearch on one server: walks over its keys, and keeps to a share of one of its cores. A reply that breaks the
/// codec's limits ends the connection, which is opened again: so nothing else may use the link.
class NodeSearch : public QObject
{
    Q_OBJECT

public:
    /// The link must outlive this.
    NodeSearch(Link &link, double share, QObject *parent);
    /// Before start(): only among keys of these names.
    void setPatterns(const QList<QByteArray> &patterns) { m_patterns = patterns; }
    ~NodeSearch() override;

    void start();
    /// Ends it at once; what was found stays true.
    void cancel();

signals:
    void found(const QList<lockscope::Lock> &locks);
    void progressed(const lockscope::SearchProgress &progress);
    /// Once.
    void ended(const lockscope::SearchResult &end);

private:
    using Targets = QList<inspector::Target>;

    void begin();
    void step();
    void send(const Targets &targets, bool paged);
    void received(const Targets &targets, bool paged, const Result<std::vector<Reply>> &replies,
                  TimePoint asked, Clock::duration ownTime);
    bool hasPermits(const Inspection &inspection);
    std::optional<QueuedLock> orphanBehind(const LockKey &read, bool isLock);
    void readCompanions();
    void takeCompanions(const Result<std::vector<Reply>> &replies, int weight, TimePoint asked,
                        Clock::duration ownTime);
    void finishCompanions(const QList<Lock> &looked);
    void report(const QList<Lock> &locks);
    void takeReads(const Targets &targets, std::span<const Reply> replies, TimePoint asked, TimePoint heard);
    std::optional<Lock> takeUnread(const inspector::Target &target, const std::optional<Error> &why,
                                   TimePoint now);
    Targets nextTargets(TimePoint now);
    void takePage(std::span<const Reply> replies);
    void learnCost();
    void lost(const Error &why);
    void end(bool complete, std::optional<Error> error);

    double m_share;
    QList<QByteArray> m_patterns{"*"};
    Link &m_link;
    std::optional<KeyspaceScan> m_scan;
    Targets m_toRead;
    Targets m_again;      ///< of another type than a new name is asked for
    Targets m_sent;       ///< on their way
    QList<Lock> m_toLook; ///< what stands beside them may tell more
    CompanionAccess m_scope;
    std::optional<CompanionReader> m_companions;
    Targets m_suspects;              ///< a reply to one of them broke the codec's limits: read one at a time
    QSet<LockKey> m_known;           ///< SCAN may tell a name twice
    QHash<LockKey, Family> m_queued; ///< locks whose queues were met, to be read for their own sake
    QSet<LockKey> m_permitted;       ///< semaphores whose permits were met, to be read again
    QHash<LockKey, QueuedLock> m_wrapped; ///< whose queue it may be as well, to the lock that was not there
    PermissionTracker m_permissions{{"*"}, milliseconds(0)}; ///< of keys, no more than it needs to say why
    QSet<size_t> m_unread;                                   ///< hashes of keys: they may be all there are
    FieldLeases m_fieldLeases = FieldLeases::NotThere;
    ScanCountTuner m_scanCount;
    Budget m_budget;
    QTimer m_wake;
    QTimer m_costTimer;
    SearchProgress m_progress;
    qint64 m_unreadBeside = 0;
    bool m_isReading = false;
    bool m_hasEnded = false;
};

} // namespace lockscope
