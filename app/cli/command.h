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

/// What an Error means for the exit status.
ExitStatus exitStatusOf(ErrorKind kind);

/// `status`, or where it was not written NotWritten, and why on standard error. Where nobody reads any more there is nobody
/// to tell, and `status` stands.
ExitStatus exitStatusOf(const console::WriteResult &written, ExitStatus status);

/// Prints a result, all of it, with the exit status that comes of it.
ExitStatus deliver(const QByteArray &text, ExitStatus status);

/// Says on standard error why there is no result; with --json prints a document that says so as well. Wrong usage has none,
/// nor have verbs that print events.
ExitStatus deliverNone(const Options &options, ExitStatus status, const QString &why);

/// As it was given, else as it is stored of the same server.
Environment environmentOf(const Options &options);

/// A verb at work on one server: a KeyCommand, or a SessionCommand. It starts from the event loop and ends by leaving it with an exit
/// status; what happens after that is not told any more.
class Command : public QObject
{
    Q_OBJECT

public:
    explicit Command(Options options);

    virtual void start() = 0;

protected:
    /// A signal asks for the end. Unless said otherwise nothing is printed, since half a result would look like a whole
    /// one.
    virtual void interrupted();

    /// Those that are not ready, and why.
    QList<NodeStatus> missingServers() const;
    /// Of a Redlock group, in its order; else empty.
    QStringList groupServers() const;
    /// LOCK of the contract: what one reading tells of it at that moment, and where it is.
    QJsonObject lockObject(const Lock &lock, TimePoint now, qint64 wallMs) const;
    QByteArray lockText(const Lock &lock, TimePoint now, qint64 wallMs) const; ///< the same as text
    QList<Link *> groupLinks() const;
    /// Says on standard error which servers are not available, and why.
    void warnOfMissing(const QList<NodeStatus> &missing);
    /// Calls `end` when --duration is over. Nothing where there is none.
    void endInTime(const std::function<void()> &end);
    void finish(ExitStatus status);
    /// Prints the result, and finishes.
    void finish(ExitStatus status, const QByteArray &result);
    /// Prints a result that is not whole, and then why, on standard error.
    void finish(const Error &why, const QByteArray &result);
    /// Says why on standard error, and finishes: unless said otherwise, without a result.
    virtual void fail(const Error &why);
    /// Says on standard error why there is no result, and finishes. A program gets that as its document.
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
