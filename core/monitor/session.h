// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"
#include "core/act/lockoperations.h"
#include "core/monitor/clientfinder.h"
#include "core/monitor/contentsearch.h"
#include "core/monitor/deploymentmonitor.h"
#include "core/read/keycontents.h"
#include "core/watch/watchsource.h"

#include <QFuture>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <memory>

namespace lockscope {

class SessionWorker;

/// One server, or the nodes of a cluster, under watch, on a thread of its own unless the caller wants to pace it. This object lives on
/// the caller's thread (the window's); its signals arrive there, and its futures finish there: continue them with whenDone().
class Session : public WatchSource
{
    Q_OBJECT

public:
    struct Options
    {
        MonitorOptions monitor;
        bool readOnly = false;
        QString auditPath;   ///< empty: AuditLog::defaultPath()
        ActionGuard guard{}; ///< of production: read-only until unlock()
        QByteArray clientName = "lockscope";
        bool reconnects = true; ///< false: the first failure is the end
        /// False: all is done on the caller's thread, and waits while what is told is heard.
        bool hasThread = true;
    };

    Session(ServerAddress address, Options options, QObject *parent = nullptr);
    /// Closes the connection and waits for the thread, which never blocks for long.
    ~Session() override;

    const ServerAddress &address() const { return m_address; }
    const Options &options() const { return m_options; }
    /// Where it has no thread of its own.
    Deployment &deployment() const;
    /// For good, or of production until unlock().
    bool isReadOnly() const;

    const ActionGuard &guard() const { return m_options.guard; }
    /// The user wants no question before this action any more, until this session ends. Nothing where that may not be.
    void skipQuestion(Action action);
    /// Of production: lets actions through for a while. Nothing where the session is read-only for good.
    void unlock();
    void lock();
    /// Zero where it is locked; absent where it is not of production, or read-only for good.
    std::optional<milliseconds> unlockedFor() const;
    static constexpr std::chrono::minutes unlockTime{15};

    void open();
    void retryNow();
    /// Events that wait for what an audit log says of them are told as they are.
    void settleNow();
    void scanNow();
    void setPatterns(const QList<QByteArray> &patterns);
    /// Locks of these families are not looked for any more under their usual names.
    void setUndiscovered(const FamilySet &families);
    void setRules(const QList<FamilyRule> &rules);
    /// Keys that may have changed: read soon.
    void requestRead(const QList<LockKey> &keys);
    /// What somebody looks at, the chosen lock first: read before the rest where not all can be read in time.
    void setVisible(const QList<LockKey> &keys);
    QFuture<Result<ActionResult>> run(const ActionRequest &request);
    /// What is stored under the lock's keys, read once on a connection of its own.
    QFuture<Result<LockContents>> readContents(const Lock &lock);

    /// Looks at every key for what content proves to be a lock; one that is under way is ended first.
    void search(double share = ContentSearch::defaultShare);
    void cancelSearch();
    /// Looks for the clients behind a lock, at a cost: see ClientFinder. One that is under way is ended first.
    void findClients(const Lock &lock, milliseconds duration = ClientFinder::usualTime);
    void stopFindingClients();

signals:
    void lockedOrUnlocked(); ///< also when the time is over
    void searchFound(const QList<lockscope::Lock> &locks);
    void searchProgressed(const lockscope::SearchProgress &progress);
    void searchEnded(const lockscope::SearchResult &end);
    void clientsFound(const lockscope::ClientFinderResult &end);

private:
    template <typename Do>
    void later(Do act);

    const ServerAddress m_address;
    Options m_options;
    std::shared_ptr<WriteGate> m_gate; ///< of production
    QTimer m_relock;
    QThread m_thread;
    SessionWorker *m_worker = nullptr; ///< owned by the thread, if there is one: deleted there when it ends
};

} // namespace lockscope
