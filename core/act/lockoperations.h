// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/auditlog.h"
#include "core/model/actionrequest.h"
#include "core/read/inspector.h"
#include "core/redis/connection.h"

#include <QFuture>
#include <QMap>
#include <QObject>

#include <optional>
#include <utility>

namespace lockscope {

/// The outcome of a script. A rejection is an outcome, not an error.
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
    Removed, ///< a waiter, from its queue
    NotWaiting,
    StillListens,    ///< the waiter is alive and was not removed
    LeaseChanged,    ///< the time left has risen since it was seen: maybe a new lock with the same token
    NotHeard,        ///< nobody subscribes to the waiter's channel here, which proves nothing; not removed
    Woken,           ///< the head of an orphaned queue was notified, and is subscribed
    Renewed,         ///< a renewal ended the grace period; not an answer of scripts
    EvidenceChanged, ///< an orphan's heartbeats are not as they were read; not an answer of scripts
    Unknown,         ///< the request was sent without an answer: it may have been executed
};

/// The state of a key after an action of unknown outcome.
struct Found
{
    enum class State : quint8 {
        Held,
        Absent,
        Unreadable,  ///< the key exists, but its owner or content cannot be read
        Unreachable, ///< no server answered in time
    };
    State state = State::Unreachable;
    std::optional<Lock> lock;       ///< if readable
    std::optional<Error> why;       ///< for Unreadable and Unreachable: the missing answer, or a refusal
    LockKey attachedTo = {};        ///< for Unreadable: the lock that this key belongs to
    bool looksLikeNoLock = false;   ///< for Unreadable: the value does not look like a lock, and has no owner
    QList<LockOwner> expected = {}; ///< the owners whose holds the action was to end

    static Found from(const Result<Inspection> &look, const ActionRequest &asked);
};

/// True for possible outcomes of an action's scripts; false for Outcome::Unknown.
bool canEndIn(Action action, Outcome outcome);

/// True if the action was carried out; false for rejections and Outcome::Unknown.
bool succeeded(Outcome outcome);

/// The outcome on one server of a Redlock group.
struct ServerResult
{
    QString server;
    std::optional<Outcome> outcome; ///< absent: nothing was done
    std::optional<Error> error;     ///< the reason or, for Outcome::Unknown, why there is no answer
    QByteArray message{};
    std::optional<Found> found{};
    bool isTakenBack = false; ///< an acquisition that was released again
    bool hasDone() const { return outcome && succeeded(*outcome) && !isTakenBack; }
};

struct ActionResult
{
    Action action = Action::Acquire;
    LockKey key;
    Outcome outcome = Outcome::Unknown;
    std::optional<qint64> holdCount;
    std::optional<milliseconds> ttl;
    QByteArray message;  ///< further details from the script ("waiters not woken: …")
    QList<Phrase> notes; ///< further details from Lockscope
    /// Outcome::Unknown: why there is no answer. OutcomeUnknown: the connection; Canceled: closed by
    /// Lockscope; UnexpectedReply: an invalid answer; otherwise the server's error.
    Error cause{ErrorKind::OutcomeUnknown};
    std::optional<Found> found;    ///< Outcome::Unknown: the key afterwards
    QList<ServerResult> servers{}; ///< each server of a Redlock group; otherwise empty
};

/// Acts on locks through the scripts of lua/. Lives on the connection's thread. Records every action in the
/// audit log before it is sent, and then its outcome; if the record cannot be written, nothing is sent. Never
/// sends an action twice. An Error means that nothing was done: ReadOnlyMode, InvalidArgument, AuditFailed,
/// NotConnected, or a refusal that proves it. Any other error or invalid answer is Outcome::Unknown, followed
/// by a read of the key.
class LockOperations : public QObject
{
    Q_OBJECT

public:
    LockOperations(Link &connection, AuditLog &audit, QObject *parent = nullptr);

    QFuture<Result<ActionResult>> run(ActionRequest request);

signals:
    /// An action that may end holds is sent: before touched() the cause of their end is unknown.
    void underway(const lockscope::LockKey &key);
    /// An action ended: the key should be read.
    void touched(const lockscope::LockKey &key);
    /// These holds were force-expired.
    void ended(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &owners);

private:
    class Run;

    Link &m_connection;
    AuditLog &m_audit;
    /// Since when each server, by its run ID, has refused no more writes than these: for the ends of orphans.
    QMap<QByteArray, std::pair<qint64, TimePoint>> m_unrefused;
};

} // namespace lockscope
