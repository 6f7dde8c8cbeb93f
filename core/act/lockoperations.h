// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/auditlog.h"
#include "core/model/actionrequest.h"
#include "core/read/inspector.h"
#include "core/redis/connection.h"

#include <QFuture>
#include <QObject>

#include <optional>

namespace lockscope {

/// What a script answered. A refusal is an outcome, not an error.
enum class Outcome : quint8 {
    Acquired,
    Reentered,
    HeldByOther,
    Released,
    Unwound,
    NotHeld,
    Extended,
    Expired,
    AlreadyGone,
    OwnerChanged,
    HoldsChanged,
    WrongType,
    BadCount,
    Removed,      ///< a waiter, from its queue
    NotWaiting,   ///< there is no such waiter in the queue
    StillListens, ///< the waiter is alive: it is not removed
    LeaseChanged, ///< the time left has risen since it was seen: the lock may be a new one with the same token
    NotHeard,     ///< nobody subscribes to the waiter's channel here, which proves nothing: it is not removed
    Woken,        ///< the first in an orphaned queue was told, and heard
    Renewed,      ///< a grace period had begun, and a renewal undid it; no script answers so
    Unknown,      ///< the request was written, and no answer tells whether it was carried out
};

/// What a look at the key found after an action of unknown outcome.
struct Found
{
    enum class State : quint8 {
        Held,
        Absent,
        Unreadable,  ///< something is there, but who holds it can't be read; or it may not be read
        Unreachable, ///< no server answered in time
    };
    State state = State::Unreachable;
    std::optional<Lock> lock;     ///< what is there, as far as it can be read
    std::optional<Error> why;     ///< of Unreadable and Unreachable, where there was no answer, or a refusal
    LockKey attachedTo = {};      ///< of Unreadable: it is no lock, but belongs to that one
    bool looksLikeNoLock = false; ///< of Unreadable: its value says nothing of a lock, and so of no owner
    QList<LockOwner> expected = {}; ///< those that the action was to end

    static Found from(const Result<Inspection> &look, const ActionRequest &asked);
};

/// The outcomes that the scripts of an action have. Outcome::Unknown is none of them.
bool canEndIn(Action action, Outcome outcome);

/// The action did what it was asked to do; false for refusals and for Outcome::Unknown.
bool succeeded(Outcome outcome);

/// How an action on a Redlock group ended on one of its servers.
struct ServerResult
{
    QString server;
    std::optional<Outcome> outcome; ///< absent: nothing was done there
    std::optional<Error> error;     ///< why, or, of Outcome::Unknown, what kept the answer away
    QByteArray message{};
    std::optional<Found> found{};
    bool isTakenBack = false; ///< an acquisition that was released again
    bool hasDone() const { return outcome && succeeded(*outcome) && !isTakenBack; }
};

/// How an action ended.
struct ActionResult
{
    Action action = Action::Acquire;
    LockKey key;
    Outcome outcome = Outcome::Unknown;
    std::optional<qint64> holdCount;
    std::optional<milliseconds> ttl;
    QByteArray message;  ///< what else matters, as the script said it ("waiters not woken: …")
    QList<Phrase> notes; ///< what else we saw ourselves
    /// Outcome::Unknown: what kept the answer away. OutcomeUnknown: the connection; Cancelled: our own end;
    /// UnexpectedReply: an answer that no script gives; else the server's error.
    Error cause{ErrorKind::OutcomeUnknown};
    std::optional<Found> found;    ///< Outcome::Unknown: what a look at the key afterwards found
    QList<ServerResult> servers{}; ///< of a Redlock group, each; else empty
};

/// Acts on locks through the scripts of lua/. Lives on the connection's thread.
/// Every action is recorded in the audit log before it is sent and completed with its outcome; where the
/// record can't be written, nothing is sent. No action is ever sent twice. An Error means that nothing was
/// done: ReadOnlyMode, InvalidArgument, AuditFailed, NotConnected, or a refusal of the server that proves it. Any other
/// error, and an answer that the action can't have, is Outcome::Unknown, followed by a look at the key.
class LockOperations : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    LockOperations(Link &connection, AuditLog &audit, QObject *parent = nullptr);

    QFuture<Result<ActionResult>> run(ActionRequest request);

signals:
    /// An action that may end holds is sent: until touched() nobody knows whether it was that which ended them.
    void underway(const lockscope::LockKey &key);
    /// An action ended: the key is worth a look.
    void touched(const lockscope::LockKey &key);
    /// These holds have just been ended by force, for good.
    void ended(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &owners);

private:
    class Run;

    Link &m_connection;
    AuditLog &m_audit;
};

} // namespace lockscope
