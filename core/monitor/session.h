// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"
#include "core/act/holderprobe.h"
#include "core/act/lockoperations.h"
#include "core/monitor/clientfinder.h"
#include "core/monitor/contentsearch.h"
#include "core/monitor/deploymentmonitor.h"
#include "core/read/keycontents.h"
#include "core/watch/monitorsource.h"

#include <QFuture>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <memory>

namespace lockscope {

class SessionWorker;

/// Monitors a server or cluster, on its own thread unless hasThread is false. Signals arrive and futures
/// finish on the caller's thread: continue them with whenDone().
class Session : public MonitorSource
{
    Q_OBJECT

public:
    struct Options
    {
        MonitorOptions monitor;
        bool readOnly = false;
        QString auditPath;   ///< empty: AuditLog::defaultPath()
        ActionGuard guard{}; ///< for production: read-only until unlock()
        QString probe{};     ///< the server's command for HolderProbe; may be empty
        QByteArray clientName = "lockscope";
        bool reconnects = true; ///< false: the first failure ends the session
        /// False: everything runs on the caller's thread, and waits while signals are handled.
        bool hasThread = true;
    };

    Session(ServerAddress address, Options options, QObject *parent = nullptr);
    /// Closes the connection and waits for the thread, which never blocks for long.
    ~Session() override;

    const ServerAddress &address() const { return m_address; }
    const Options &options() const { return m_options; }
    /// Only if hasThread is false.
    Deployment &deployment() const;
    /// True for a session that is always read-only, or for production before unlock().
    bool isReadOnly() const;

    const ActionGuard &guard() const { return m_options.guard; }
    /// Disables the question before this action until the session ends. No effect if that is not allowed.
    void skipQuestion(Action action);
    /// For production: permits actions for unlockTime. No effect if always read-only.
    void unlock();
    void lock();
    /// Zero if locked; absent if not production, or always read-only.
    std::optional<milliseconds> unlockedFor() const;
    static constexpr std::chrono::minutes unlockTime{15};

    void open();
    void retryNow();
    /// Reports events that wait for the audit log as they are.
    void settleNow();
    void scanNow();
    void setPatterns(const QList<QByteArray> &patterns);
    /// Stops looking for locks of these families under their usual names.
    void setUndiscovered(const FamilySet &families);
    void setRules(const QList<FamilyRule> &rules);
    void requestRead(const QList<LockKey> &keys);
    /// Visible locks, the selected one first: read first if not all can be read in time.
    void setVisible(const QList<LockKey> &keys);
    QFuture<Result<ActionResult>> run(const ActionRequest &request);
    /// Runs a program of the operator's on this machine; reads and changes no lock.
    QFuture<Result<ProbeAnswer>> probe(const ProbeRequest &request);
    /// Reads the raw contents of the lock's keys once, on a connection of its own.
    QFuture<Result<LockContents>> readContents(const Lock &lock);

    /// Searches all keys for locks by content; ends a running search first.
    void search(double share = ContentSearch::defaultShare);
    void cancelSearch();
    /// Searches for the clients behind a lock, at a cost: see ClientFinder. Ends a running search first.
    void findClients(const Lock &lock, milliseconds duration = ClientFinder::usualTime);
    void stopFindingClients();

signals:
    void lockedOrUnlocked(); ///< also when unlockTime is over
    void searchFound(const QList<lockscope::Lock> &locks);
    void searchProgressed(const lockscope::SearchProgress &progress);
    void searchEnded(const lockscope::SearchResult &end);
    void clientsFound(const lockscope::ClientFinderResult &end);

private:
    template <typename Do>
    void later(Do act);

    const ServerAddress m_address;
    Options m_options;
    std::shared_ptr<WriteGate> m_gate; ///< for production
    QTimer m_relock;
    QThread m_thread;
    SessionWorker *m_worker = nullptr; ///< owned by the thread, if any, and deleted there
};

} // namespace lockscope
