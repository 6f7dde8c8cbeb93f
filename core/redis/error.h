// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"

#include <QByteArray>
#include <QMetaType>

#include <tl/expected.hpp>

#include <vector>

namespace lockscope {

/// Why an operation failed. Kinds for server replies keep the text in Error::detail.
enum class ErrorKind {
    // No Redis server was reached.
    HostNotFound,
    ConnectionRefused,
    ConnectTimeout,
    NoSuchSocket,   ///< the Unix socket is missing or not accessible
    TlsFailed,      ///< handshake or certificate refused; detail says which
    NodeNotReached, ///< at its announced address
    NotOfGroup,
    PrimaryNotReached,  ///< at the address from the Sentinels, or it is no primary
    SentinelNotReached, ///< none of them
    NoUsableReplica,    ///< by the Sentinels' reports
    SentinelRefused,    ///< login or permission at a Sentinel; the note is a whole sentence
    SshNotReached,      ///< no SSH connection to the address' host
    SshRefused,         ///< login, key or setting, by ssh or its host; the note is a whole sentence
    NotReachedFromSsh,  ///< the SSH host cannot reach the server
    NetworkFailed,      ///< other failures of the transport
    NoCredential,       ///< the password command failed, or printed no password
    ProtocolError,      ///< the peer answered, but not in RESP
    NotConnected,       ///< no connection at the moment; the command was not sent
    Canceled,           ///< closed before the command was sent
    // Bytes were written, but no reply came: the command may have run.
    OutcomeUnknown,
    // Error replies of the server.
    AuthRequired,  ///< NOAUTH
    WrongPassword, ///< WRONGPASS, and the older "invalid password"
    NoPermission,  ///< NOPERM, also from inside a script
    Loading,
    Busy,
    Moved,
    Ask,
    TryAgain,
    ClusterDown,
    CrossSlot, ///< CROSSSLOT: keys of one lock in several cluster slots
    ReadOnlyReplica,
    PersistenceFailed, ///< MISCONF
    OutOfMemory,
    NoReplicas,
    MasterDown,
    NodeDown, ///< not a reply: the cluster node of this key cannot be reached
    NoScript,
    WrongType,
    TooManyClients,
    ServerError,     ///< any other error reply
    UnexpectedReply, ///< a valid reply of the wrong form for its command
    EndlessScan,     ///< SCAN does not end: results are incomplete
    TooManyLocks,    ///< above the limit: results are incomplete
    // Refused by Lockscope before sending.
    ReadOnlyMode,
    NotAgreed, ///< the server's environment requires confirmation
    AuditFailed,
    RecordingFailed, ///< a recording's file is unreadable or not writable; the note is a whole sentence
    InvalidArgument,
    NotStarted, ///< a required program is missing or did not start
};

/// The reason for a missing value. Displayed by describe() of core/words.
struct Error
{
    ErrorKind kind = ErrorKind::NetworkFailed;
    QByteArray detail;        ///< bytes of the server or system: escape before display
    Phrase note;              ///< our own findings
    QByteArray certificate{}; ///< TlsFailed: SHA-256 in hexadecimal of the refused server certificate

    Error() = default;
    Error(ErrorKind what, QByteArray said = {}) : kind(what), detail(std::move(said)) {}
    Error(ErrorKind what, const char *said) : kind(what), detail(said) {}
    Error(ErrorKind what, Phrase seen) : kind(what), note(std::move(seen)) {}
    Error(ErrorKind what, const Error &cause) : kind(what), detail(cause.detail), note(cause.note) {}

    /// The details besides the kind, from Lockscope or the server.
    Phrase because() const { return note.isEmpty() ? Phrase("%1", detail) : note; }
    bool hasReason() const { return !detail.isEmpty() || !note.isEmpty(); }
    /// The details for logs: in English, or the server's bytes.
    QByteArray text() const { return note.isEmpty() ? detail : note.inEnglish().toUtf8(); }

    friend bool operator==(const Error &, const Error &) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// An error with our own findings: a phrase with its arguments.
template <typename... Arguments>
tl::unexpected<Error> failedWith(ErrorKind kind, const char *phrase, const Arguments &...arguments)
{
    return tl::unexpected(Error(kind, Phrase(phrase, arguments...)));
}

/// Classifies the text of an error reply ("NOPERM this user has no …").
Error serverError(QByteArray text);

struct Reply;
/// The first reply; an error reply becomes an Error.
Result<Reply> singleReply(Result<std::vector<Reply>> replies);

/// True if retries are useless before the user changes login, permission or certificate.
bool requiresUserAction(ErrorKind kind);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::Error)
