// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/sessioncommand.h"
#include "core/model/packedlocks.h"
#include "core/read/companionaccess.h"

#include <QElapsedTimer>
#include <QJsonArray>

namespace lockscope {

/// A verb that reads all locks once, with what stands beside them, and makes its result of them.
class SweepCommand : public SessionCommand
{
protected:
    explicit SweepCommand(Options options);

    /// All that can be read was read.
    virtual void print(const ScanStats &stats) = 0;

    /// Hidden ones are among them with --all alone.
    const PackedLocks &locks() const { return m_locks; }
    qint64 hidden() const { return m_hidden; }
    qint64 possible() const { return m_possible; }       ///< of the locks: isPossible()
    qint64 problematic() const { return m_problematic; } ///< of the locks: with problems
    qint64 filteredOut() const { return m_filteredOut; } ///< by --filter
    qint64 unreadCompanions() const { return m_unreadCompanions; }
    bool haveWaiters() const { return m_haveWaiters; }
    const QList<QByteArray> &patterns() const { return monitorOptions().patterns; }
    /// Why the scan ended early, where it did.
    const std::optional<Error> &incomplete() const { return m_incomplete; }
    /// No lock is missing, and nothing beside one.
    bool isWhole(const ScanStats &stats) const;
    /// Says on standard error what is missing, but for incomplete().
    void warnOfGaps(const ScanStats &stats);
    QJsonObject serverJson() const;
    /// Reads locks once more, with what stands beside them. `then` gets those that are still there, or `failed` the
    /// first error, where the connection was not lost.
    void readAgain(QList<LockKey> keys, const std::function<void(const QList<Lock> &)> &then,
                   const std::function<void(const Error &)> &failed, const QList<Lock> &soFar = {});
    /// The context for continuations: gone before the connection, whose end finishes every future.
    QObject *listener() { return &m_listener; }

private:
    void take(const MonitorReport &event) override;
    void errorOccurred(const Error &why) override;
    void takeDiff(const LockDiff &diff);
    void showProgress(const ScanStats &soFar);
    void takeScan(const ScanStats &stats);
    void readDoubted(const ScanStats &stats);
    /// Whose leases have ended since they were read.
    QList<LockKey> endedLocks(bool areAllDoubted = false) const;
    void readEnded(QList<LockKey> keys, const ScanStats &stats);
    void readCompanionsFrom(qsizetype server, const ScanStats &stats);
    void readCompanions(Link &link, qsizetype server, const std::function<void()> &then);
    void takeCompanions(const Result<QList<CompanionAccess::Forbidden>> &forbidden,
                        const std::function<void()> &then);
    void complete(const ScanStats &stats);
    QJsonArray nodesJson() const;

    PackedLocks m_locks;
    PermissionStatus m_permissions;
    QElapsedTimer m_running;
    std::optional<Error> m_incomplete; ///< why the list is not whole
    qint64 m_hidden = 0;
    qint64 m_possible = 0;
    qint64 m_problematic = 0;
    qint64 m_filteredOut = 0;
    bool m_haveWaiters = false;    ///< some locks
    qint64 m_unreadCompanions = 0; ///< locks, hidden ones included, beside which something could not be read
    bool m_isSwept = false;
    QObject m_listener;
};

QString keysInWords(qint64 number);
QString locksInWords(qint64 number);
/// With --pattern options that a shell takes as they stand.
QString outsideInWords(const UnlistedNames &outside);

} // namespace lockscope
