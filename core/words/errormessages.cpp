// SPDX-License-Identifier: GPL-3.0-or-later
// What failed, in words: the cause and the next step of each kind of error.
#include "core/base/printable.h"
#include "core/redis/refusal.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

/// The cause and the next step, without the server's own text. %1: the server.
QString explanation(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::HostNotFound:
        return Words::tr("Host of %1 not found. Check spelling and DNS.");
    case ErrorKind::ConnectionRefused:
        return Words::tr("%1 refused the connection. Check the address and the server.");
    case ErrorKind::ConnectTimeout:
        return Words::tr("%1 did not answer in time. Check the address and any firewall.");
    case ErrorKind::NoSuchSocket:
        return Words::tr("The socket %1 cannot be opened. Check the server and your permissions.");
    case ErrorKind::TlsFailed:
        return Words::tr("No secure connection to %1. Check the certificates and the port.");
    case ErrorKind::NodeNotReached:
        return Words::tr("A node of the cluster at %1 cannot be reached. Check it, or use --node-address.");
    case ErrorKind::NotOfGroup:
        return Words::tr("%1 is not counted in the Redlock group. Give independent primaries.");
    case ErrorKind::PrimaryNotReached:
        return Words::tr(
            "The primary that the Sentinels name for %1 cannot be reached. Check it, or use --node-address.");
    case ErrorKind::SentinelNotReached:
        return Words::tr("No Sentinel names the primary of %1. Check their addresses.");
    case ErrorKind::NoUsableReplica:
        return Words::tr(
            "The Sentinels know no usable replica of %1. Check the replicas, or read from the primary.");
    case ErrorKind::SshNotReached:
        return Words::tr("No SSH connection for %1. Check host and network.");
    case ErrorKind::NotReachedFromSsh:
        return Words::tr("The SSH host cannot reach %1. Check the address as seen from there.");
    case ErrorKind::NetworkFailed:
        return Words::tr("The connection to %1 failed. Check the network.");
    case ErrorKind::ProtocolError:
        return Words::tr("%1 is not a Redis or Valkey server, or expects TLS. Check the port.");
    case ErrorKind::NotConnected:
        return Words::tr("Not connected to %1; nothing was sent.");
    case ErrorKind::Canceled:
        return Words::tr("The request to %1 was canceled before sending.");
    case ErrorKind::OutcomeUnknown:
        return Words::tr(
            "Outcome unknown: the connection to %1 was lost after sending. Check the lock before retrying.");
    case ErrorKind::AuthRequired:
        return Words::tr("%1 requires a password. Give one, with a user name if needed.");
    case ErrorKind::WrongPassword:
        return Words::tr("%1 refused the user name or password. Check both.");
    case ErrorKind::NoPermission:
        return Words::tr("This user lacks a permission on %1. Request it.");
    case ErrorKind::Loading:
        return Words::tr("%1 is still loading its data. Retry in a moment.");
    case ErrorKind::Busy:
        return Words::tr("%1 is running another client's script. Retry later.");
    case ErrorKind::Moved:
        return Words::tr(
            "Nothing was done: the nodes at %1 disagree about this key's slot. Retry in a moment.");
    case ErrorKind::Ask:
        return Words::tr("Nothing was done: the cluster at %1 is moving this key. Retry.");
    case ErrorKind::NodeDown:
        return Words::tr("This key's node in the cluster at %1 is down. Check the node.");
    case ErrorKind::TryAgain:
        return Words::tr("%1 is moving keys between nodes. Retry in a moment.");
    case ErrorKind::ClusterDown:
        return Words::tr("The cluster of %1 is down. Check its nodes.");
    case ErrorKind::CrossSlot:
        return Words::tr(
            "Nothing was done: this lock's keys are in different slots of %1. Use a {hash tag}.");
    case ErrorKind::ReadOnlyReplica:
        return Words::tr("%1 is a read-only replica. Connect to its primary.");
    case ErrorKind::PersistenceFailed:
        return Words::tr("%1 rejects writes: saving to disk fails. Check its disk.");
    case ErrorKind::OutOfMemory:
        return Words::tr("%1 is out of memory. Locks can still be released.");
    case ErrorKind::NoReplicas:
        return Words::tr("%1 rejects writes: too few replicas in sync.");
    case ErrorKind::MasterDown:
        return Words::tr("%1 is a replica without its primary. Connect to another server.");
    case ErrorKind::NoScript:
        return Words::tr("%1 lost the script that was just sent. Retry.");
    case ErrorKind::WrongType:
        return Words::tr("The key on %1 does not have this family's data type.");
    case ErrorKind::TooManyClients:
        return Words::tr("%1 has reached maxclients. Retry later, or raise it.");
    case ErrorKind::ServerError:
        return Words::tr("%1 answered with an error.");
    case ErrorKind::UnexpectedReply:
        return Words::tr("%1 sent an unexpected reply. Check for a proxy in between.");
    case ErrorKind::EndlessScan:
        return Words::tr("The scan of %1 cannot complete; locks may be missing. Check any proxy.");
    case ErrorKind::TooManyLocks:
        return Words::tr("%1 has too many locks; some are missing. Narrow the patterns.");
    case ErrorKind::ReadOnlyMode:
        return Words::tr("Refused by read-only mode. Nothing was sent to %1.");
    case ErrorKind::NotAgreed:
        return Words::tr("Nothing was sent to %1: its environment requires confirmation.");
    case ErrorKind::AuditFailed:
        return Words::tr("Nothing was sent to %1: the audit log cannot be written.");
    case ErrorKind::SentinelRefused:
        return Words::tr("A Sentinel of %1 refused the request.");
    case ErrorKind::SshRefused:
        return Words::tr("The SSH connection for %1 was refused.");
    case ErrorKind::RecordingFailed:
        return Words::tr("The recording of %1 cannot be read or written.");
    case ErrorKind::InvalidArgument:
        return Words::tr("This request is not possible on %1.");
    case ErrorKind::NotStarted:
        return Words::tr("A required program did not start.");
    }
    return {};
}

QString explain(ErrorKind kind, const QString &server)
{
    const QString text = explanation(kind);
    return kind == ErrorKind::NotStarted ? text : text.arg(server); // a program of ours has no server
}

/// The permission to request, if the server's text names it.
QString explainRefusal(const Refusal &refusal, const QString &server)
{
    const QString command = printable(refusal.command, 40);
    if (refusal.about == Refusal::About::Command && !command.isEmpty())
        return Words::tr("No permission for “%1” on %2. Request +%1.").arg(command, server);
    if (refusal.about == Refusal::About::Key)
        return Words::tr("This user may not access a key on %1. Request a matching pattern (~…).")
            .arg(server);
    return explain(ErrorKind::NoPermission, server);
}

// Where these say it all, a system's "Connection refused" behind them is only noise.
bool saysItAll(ErrorKind kind)
{
    return kind == ErrorKind::HostNotFound || kind == ErrorKind::ConnectionRefused ||
           kind == ErrorKind::ConnectTimeout || kind == ErrorKind::ReadOnlyMode;
}

bool isServersAnswer(ErrorKind kind)
{
    return kind >= ErrorKind::AuthRequired && kind <= ErrorKind::ServerError;
}

} // namespace

QString describe(const Error &error, const QString &serverName)
{
    const QString detail = inWords(error);
    // What we refuse or miss ourselves comes with its own full sentence.
    if ((error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::NotStarted ||
         error.kind == ErrorKind::SentinelRefused || error.kind == ErrorKind::SshRefused ||
         error.kind == ErrorKind::RecordingFailed) &&
        !detail.isEmpty())
        return detail;
    const QString server = serverName.isEmpty() ? Words::tr("the server") : serverName;
    const QString text = error.kind == ErrorKind::NoPermission
                             ? explainRefusal(refusalFrom(error.detail), server)
                             : explain(error.kind, server);
    if (error.kind == ErrorKind::TlsFailed && !error.note.isEmpty())
        return Words::tr("No secure connection to %1: %2.").arg(server, detail);
    if (detail.isEmpty() || saysItAll(error.kind))
        return text;
    if (isServersAnswer(error.kind) && error.note.isEmpty())
        return Words::tr("%1 It said: “%2”").arg(text, detail);
    return Words::tr("%1 (%2)").arg(text, detail);
}

} // namespace lockscope
