// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "core/model/lock.h"
#include "core/redis/deployment/deployment.h"
#include "core/watch/clusterstatus.h"
#include "core/watch/permissionstatus.h"

#include <QJsonObject>
#include <QObject>

#include <functional>

namespace lockscope {

/// The programs' answer to scripts.
enum class ExitStatus : quint8 {
    Done = 0,
    Rejected = 1,
    WrongUsage = 2,
    Unavailable = 3,
    RefusedByReadOnly = 4,
    NotWritten = 5
};

/// The exit status for an error of this kind.
ExitStatus exitStatusOf(ErrorKind kind);

/// Returns `status`, or NotWritten after a failed write, with the reason on standard error. After a closed pipe `status`
/// stands.
ExitStatus exitStatusOf(const console::WriteResult &written, ExitStatus status);

/// Prints a whole result. Returns `status`, or NotWritten.
ExitStatus deliver(const QByteArray &text, ExitStatus status);

/// Prints on standard error why there is no result and, with --json, a document with the error. Usage errors and verbs
/// that print events have no document.
ExitStatus deliverNone(const Options &options, ExitStatus status, const QString &why);

/// The environment given on the command line, otherwise the stored one of the same server.
Environment environmentOf(const Options &options);

/// A verb at work on one server: a KeyCommand or a SessionCommand. It starts from the event loop and ends by leaving it with an
/// exit status; later events are ignored.
class Command : public QObject
{
    Q_OBJECT

public:
    explicit Command(Options options);

    virtual void start() = 0;

protected:
    /// A signal asks for the end. By default nothing is printed: half a result would look like a whole one.
    virtual void interrupted();

    /// The servers that are not ready, with the reasons.
    QList<NodeStatus> missingServers() const;
    /// Addresses of a Redlock group's servers, in its order; else empty.
    QStringList groupServers() const;
    /// LOCK of the contract for one reading of a lock, with its node.
    QJsonObject lockObject(const Lock &lock, TimePoint now, qint64 wallMs) const;
    QByteArray lockText(const Lock &lock, TimePoint now, qint64 wallMs) const; ///< the same as text
    QList<Link *> groupLinks() const;
    /// Prints on standard error which servers are not available, and why.
    void warnOfMissing(const QList<NodeStatus> &missing);
    /// Calls `end` when --duration is over; never without one.
    void endInTime(const std::function<void()> &end);
    void finish(ExitStatus status);
    /// Prints the result and finishes.
    void finish(ExitStatus status, const QByteArray &result);
    /// Prints an incomplete result and, on standard error, the reason.
    void finish(const Error &why, const QByteArray &result);
    /// Prints the reason on standard error and finishes, by default without a result.
    virtual void fail(const Error &why);
    /// deliverNone(), and finishes.
    void finishWithout(ExitStatus status, const QString &why);
    /// Says on standard error how many keys could not be read, and beside how many others something could not be; why, and
    /// what to ask for. Nothing where all could.
    void warnOfUnread(const PermissionStatus &status, qint64 unreadCompanions);
    /// Says on standard error where what was read comes from a replica, which may be behind.
    void warnOfReplica();
    bool isFinished() const { return m_finished; }

    const Options &options() const { return m_options; }
    virtual Deployment &deployment() const = 0;
    /// To all nodes.
    Link &link() const { return deployment().link(); }
    const ServerInfo &server() const { return link().server(); }
    QString serverName() const { return m_options.server.toDisplayString(); }

private:
    void endIn(milliseconds left, const std::function<void()> &end);

    Options m_options;
    Interrupt m_interrupt;
    bool m_finished = false;
};

} // namespace lockscope
