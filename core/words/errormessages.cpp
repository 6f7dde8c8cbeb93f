// SPDX-License-Identifier: GPL-3.0-or-later
// What failed, in words: the cause and the next step of each kind of error.
#include "core/base/printable.h"
#include "core/redis/refusal.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

namespace lockscope {

namespace {

/// The cause and the next step, without the server's own text. %1: the server.
QString explanation(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::HostNotFound:
        return Texts::tr("Host of %1 not found. Check spelling and DNS.");
    case ErrorKind::ConnectionRefused:
        return Texts::tr("%1 refused the connection. Check the address and the server.");
    case ErrorKind::ConnectTimeout:
        return Texts::tr("%1 did not answer in time. Check the address and any firewall.");
    case ErrorKind::NoSuchSocket:
        return Texts::tr("The socket %1 cannot be opened. Check the server and your permissions.");
    case ErrorKind::TlsFailed:
        return Texts::tr("No secure connection to %1. Check the certificates and the port.");
    case ErrorKind::NodeNotReached:
        return Texts::tr("A node of the cluster at %1 cannot be reached. Check it, or use --node-address.");
    case ErrorKind::NotOfGroup:
        return Texts::tr("%1 is not counted in the Redlock group. Give independent primaries.");
    case ErrorKind::PrimaryNotReached:
        return Texts::tr(
            "The primary that the Sentinels name for %1 cannot be reached. Check it, or use --node-address.");
    case ErrorKind::SentinelNotReached:
        return Texts::tr("No Sentinel names the primary of %1. Check their addresses.");
    case ErrorKind::NoUsableReplica:
        return Texts::tr(
            "The Sentinels know no usable replica of %1. Check the replicas, or read from the primary.");
    case ErrorKind::SshNotReached:
        return Texts::tr("No SSH connection for %1. Check host and network.");
    case ErrorKind::NotReachedFromSsh:
        return Texts::tr("The SSH host cannot reach %1. Check the address as seen from there.");
    case ErrorKind::NetworkFailed:
        return Texts::tr("The connection to %1 failed. Check the network.");
    case ErrorKind::NoCredential:
        return Texts::tr("The password command for %1 failed.");
    case ErrorKind::ProtocolError:
        return Texts::tr("%1 is not a Redis or Valkey server, or expects TLS. Check the port.");
    case ErrorKind::NotConnected:
        return Texts::tr("Not connected to %1; nothing was sent.");
    case ErrorKind::Canceled:
        return Texts::tr("The request to %1 was canceled before sending.");
    case ErrorKind::OutcomeUnknown:
        return Texts::tr(
            "Outcome unknown: the connection to %1 was lost after sending. Check the lock before retrying.");
    case ErrorKind::AuthRequired:
        return Texts::tr("%1 requires a password, perhaps with a user name.");
    case ErrorKind::WrongPassword:
        return Texts::tr("%1 refused the user name or password. Check both.");
    case ErrorKind::NoPermission:
        return Texts::tr("This user lacks a permission on %1. Request it.");
    case ErrorKind::Loading:
        return Texts::tr("%1 is still loading its data. Retry later.");
    case ErrorKind::Busy:
        return Texts::tr("%1 is running another client's script. Retry later.");
    case ErrorKind::Moved:
        return Texts::tr("Nothing was done: the nodes at %1 disagree about this key's slot. Retry.");
    case ErrorKind::Ask:
        return Texts::tr("Nothing was done: the cluster at %1 is moving this key. Retry.");
    case ErrorKind::NodeDown:
        return Texts::tr("This key's node in the cluster at %1 is down. Check the node.");
    case ErrorKind::TryAgain:
        return Texts::tr("%1 is moving keys between nodes. Retry.");
    case ErrorKind::ClusterDown:
        return Texts::tr("The cluster of %1 is down. Check its nodes.");
    case ErrorKind::CrossSlot:
        return Texts::tr(
            "Nothing was done: this lock's keys are in different slots of %1. Use a {hash tag}.");
    case ErrorKind::ReadOnlyReplica:
        return Texts::tr("%1 is a read-only replica. Connect to its primary.");
    case ErrorKind::PersistenceFailed:
        return Texts::tr("%1 rejects writes: saving to disk fails. Check its disk.");
    case ErrorKind::OutOfMemory:
        return Texts::tr("%1 is out of memory. Locks can still be released.");
    case ErrorKind::NoReplicas:
        return Texts::tr("%1 rejects writes: too few replicas in sync.");
    case ErrorKind::MasterDown:
        return Texts::tr("%1 is a replica without its primary. Connect to another server.");
    case ErrorKind::NoScript:
        return Texts::tr("%1 lost the script that was just sent. Retry.");
    case ErrorKind::WrongType:
        return Texts::tr("The key on %1 does not have this family's data type.");
    case ErrorKind::TooManyClients:
        return Texts::tr("%1 has reached maxclients. Retry later, or raise it.");
    case ErrorKind::ServerError:
        return Texts::tr("%1 answered with an error.");
    case ErrorKind::UnexpectedReply:
        return Texts::tr("%1 sent an unexpected reply. Check for a proxy in between.");
    case ErrorKind::EndlessScan:
        return Texts::tr("The scan of %1 cannot complete; locks may be missing. Check any proxy.");
    case ErrorKind::TooManyLocks:
        return Texts::tr("%1 has too many locks; some are missing. Narrow the patterns.");
    case ErrorKind::ReadOnlyMode:
        return Texts::tr("Refused by read-only mode. Nothing was sent to %1.");
    case ErrorKind::NotAgreed:
        return Texts::tr("Nothing was sent to %1: its environment requires confirmation.");
    case ErrorKind::AuditFailed:
        return Texts::tr("Nothing was sent to %1: the audit log cannot be written.");
    case ErrorKind::SentinelRefused:
        return Texts::tr("A Sentinel of %1 refused the request.");
    case ErrorKind::SshRefused:
        return Texts::tr("The SSH connection for %1 was refused.");
    case ErrorKind::RecordingFailed:
        return Texts::tr("The recording of %1 cannot be read or written.");
    case ErrorKind::InvalidArgument:
        return Texts::tr("This request is not possible on %1.");
    case ErrorKind::NotStarted:
        return Texts::tr("A required program did not start.");
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
        return Texts::tr("No permission for “%1” on %2. Request +%1.").arg(command, server);
    if (refusal.about == Refusal::About::Key)
        return Texts::tr("This user may not access a key on %1. Request a matching pattern (~…).")
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
    const QString server = serverName.isEmpty() ? Texts::tr("the server") : serverName;
    const QString text = error.kind == ErrorKind::NoPermission
                             ? explainRefusal(refusalFrom(error.detail), server)
                             : explain(error.kind, server);
    if (error.kind == ErrorKind::TlsFailed && !error.note.isEmpty())
        return Texts::tr("No secure connection to %1: %2.").arg(server, detail);
    if (detail.isEmpty() || saysItAll(error.kind))
        return text;
    if (isServersAnswer(error.kind) && error.note.isEmpty())
        return Texts::tr("%1 It said: “%2”").arg(text, detail);
    return Texts::tr("%1 (%2)").arg(text, detail);
}

} // namespace lockscope
