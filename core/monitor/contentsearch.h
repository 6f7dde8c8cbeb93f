// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/companionkeys.h"
#include "core/monitor/budget.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/patternadvice.h"
#include "core/monitor/permissiontracker.h"
#include "core/monitor/scancounttuner.h"
#include "core/read/companionreader.h"
#include "core/read/inspector.h"
#include "core/redis/connection.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <optional>

namespace lockscope {

/// How far a search has come.
struct SearchProgress
{
    double done = 0;     ///< from 0 to 1
    qint64 scanned = 0;  ///< keys
    qint64 keyspace = 0; ///< 0: not known
    qint64 found = 0;
    qint64 unreadable = 0; ///< keys whose content this login may not read
};

/// How a search ended.
struct SearchResult
{
    bool isComplete = false;    ///< every key was looked at; else it was cancelled, or failed
    std::optional<Error> error; ///< why it failed
    SearchProgress progress;
    PermissionStatus permissions{}; ///< why keys could not be read, and what stands beside others
    /// Keys that may be locks, or of another kind: what stands beside them may not be read.
    qint64 unreadCompanions = 0;
};

/// What was found is certainly a lock of its family, or the queue of one; else it is likely one.
bool isCertainFind(const Lock &found);

/// Finds locks by what they hold, whatever their names: walks once over all keys of a database and reads each, as the
/// scan reads those with a lock's name, with what stands beside it. Only what is certain or likely is found: a plain
/// token looks like any other text; and queues of fair locks that are gone (Problem::Orphaned, without a holder).
/// Started by the user alone. Has a connection of its own, so that a reply that breaks it harms nothing else, and keeps to
/// a share of one server core of its own. Lives on one thread with an event loop.
class ContentSearch : public QObject
{
    Q_OBJECT

public:
    static constexpr double defaultShare = 0.05;

    explicit ContentSearch(const ServerAddress &address, double share = defaultShare,
                           QObject *parent = nullptr);
    /// Before start(): only among keys of these names.
    void setPatterns(const QList<QByteArray> &patterns) { m_patterns = patterns; }
    ~ContentSearch() override;

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
    Connection m_connection;
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

Q_DECLARE_METATYPE(lockscope::SearchProgress)
Q_DECLARE_METATYPE(lockscope::SearchResult)
