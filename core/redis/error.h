// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"

#include <QByteArray>
#include <QMetaType>

#include <tl/expected.hpp>

#include <vector>

namespace lockscope {

/// Why something could not be known or done. The kinds that name a server's answer keep its text in
/// Error::detail.
enum class ErrorKind {
    // Nothing reached a Redis server.
    HostNotFound,
    ConnectionRefused,
    ConnectTimeout,
    NoSuchSocket,       ///< the Unix socket is missing or may not be opened
    TlsFailed,          ///< handshake or certificate refused; detail says which
    NodeNotReached,     ///< at the address that its cluster announces
    NotOfGroup,         ///< a server that can't be one of several independent primaries
    PrimaryNotReached,  ///< at the address that its Sentinels name, or it is no primary
    SentinelNotReached, ///< none of them
    NoUsableReplica,    ///< as far as the Sentinels know
    SentinelRefused,    ///< one of them: a login, or a permission; the note is a whole sentence
    SshNotReached,      ///< no SSH connection to the host that the address names
    SshRefused,         ///< by ssh or by that host: a login, a key, a setting; the note is a whole sentence
    NotReachedFromSsh,  ///< there is one, but that host can't reach the server
    NetworkFailed,      ///< any other failure of the transport
    ProtocolError,      ///< the peer answered, but not in RESP
    NotConnected,       ///< no connection at the moment; the command was not sent
    Canceled,           ///< closed by us before the command was sent
    // Bytes were written, no reply came: the command may have run.
    OutcomeUnknown,
    // The server's own answers.
    AuthRequired,  ///< NOAUTH
    WrongPassword, ///< WRONGPASS, and the older "invalid password"
    NoPermission,  ///< NOPERM, also from inside a script
    Loading,
    Busy,
    Moved,
    Ask,
    TryAgain,
    ClusterDown,
    CrossSlot, ///< CROSSSLOT: the keys of one lock are in several slots of a cluster
    ReadOnlyReplica,
    PersistenceFailed, ///< MISCONF
    OutOfMemory,
    NoReplicas,
    MasterDown,
    NodeDown, ///< our own word: the node of a cluster that keeps this key can't be reached
    NoScript,
    WrongType,
    TooManyClients,
    ServerError,     ///< any other error reply
    UnexpectedReply, ///< a well-formed reply of a shape that the command never has
    EndlessScan,     ///< SCAN can't come to an end: what was found until then is not all
    TooManyLocks,    ///< more than are held at once: what is known is not all
    // Refused by us before anything was sent.
    ReadOnlyMode,
    NotAgreed, ///< the server's environment asks for more than the user has agreed to
    AuditFailed,
    RecordingFailed, ///< a file of a recording can't be read or written; the note is a whole sentence
    InvalidArgument,
    NotStarted, ///< a program that we need is missing or did not start
};

/// The reason why there is no value. Shown by describe() of core/words.
struct Error
{
    ErrorKind kind = ErrorKind::NetworkFailed;
    QByteArray detail; ///< bytes of the server or the system: escape before showing
    Phrase note;       ///< what we saw ourselves
    QByteArray
        certificate{}; ///< TlsFailed: SHA-256, in hexadecimal, of the one that the server showed and that was refused

    Error() = default;
    Error(ErrorKind what, QByteArray said = {}) : kind(what), detail(std::move(said)) {}
    Error(ErrorKind what, const char *said) : kind(what), detail(said) {}
    Error(ErrorKind what, Phrase seen) : kind(what), note(std::move(seen)) {}
    /// For the same reason as another.
    Error(ErrorKind what, const Error &cause) : kind(what), detail(cause.detail), note(cause.note) {}

    /// What is known besides the kind, ours or theirs.
    Phrase because() const { return note.isEmpty() ? Phrase("%1", detail) : note; }
    bool hasReason() const { return !detail.isEmpty() || !note.isEmpty(); }
    /// The same for logs: in English, or the server's bytes as they are.
    QByteArray text() const { return note.isEmpty() ? detail : note.inEnglish().toUtf8(); }

    friend bool operator==(const Error &, const Error &) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// No value, for what we saw ourselves: a phrase with its arguments.
template <typename... Arguments>
tl::unexpected<Error> failedWith(ErrorKind kind, const char *phrase, const Arguments &...arguments)
{
    return tl::unexpected(Error(kind, Phrase(phrase, arguments...)));
}

/// Classifies the text of a RESP error reply ("NOPERM this user has no …").
Error serverError(QByteArray text);

struct Reply;
/// The first of the replies; an error reply is an Error of its kind.
Result<Reply> singleReply(Result<std::vector<Reply>> replies);

/// True where trying again cannot help until the user changes something: login, permission, certificate.
bool requiresUserAction(ErrorKind kind);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::Error)
