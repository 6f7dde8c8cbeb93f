// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

#include <optional>
#include <utility>

namespace lockscope {

/// What happened to a lock between two readings.
enum class EventKind : quint8 {
    Found,        ///< there when the monitor first looked
    Acquired,     ///< absent before, held now
    Reentered,    ///< holds went up
    Unwound,      ///< holds went down, still held
    Renewed,      ///< the deadline moved away; of a weak token it may have been acquired again
    Shortened,    ///< the deadline came closer than time alone brings it
    Released,     ///< gone before its deadline
    Expired,      ///< gone at or after its deadline
    OwnerChanged, ///< held by another than before
    ExpiryLost,   ///< had a deadline, has none now
    Vanished,     ///< gone across a gap in the watching: the cause is not known
    Forced,       ///< ended by force, by this user: only where that is known
};

/// One thing that happened to a lock between two readings of it.
struct LockChange
{
    // NOLINTNEXTLINE(google-explicit-constructor): most concern the lock as a whole
    LockChange(EventKind what) : kind(what) {}
    LockChange(EventKind what, LockOwner whose) : kind(what), holder(std::move(whose)) {}

    EventKind kind;
    std::optional<LockOwner> holder; ///< whom it concerns; absent: all that hold the lock, or held it
};

struct LockEvent
{
    EventKind kind = EventKind::Found;
    LockAddress address;
    Family family;
    QList<LockOwner> owners;           ///< after the event; the last ones where the lock is gone
    CompactOptional<milliseconds> ttl; ///< after the event; absent: no expiry, or gone
    TimePoint at;
    qint64 wallMs = 0; ///< the same moment in epoch ms, for people
    int others = 0; ///< after an event that concerns one owner: so many others hold the lock, as far as known
    bool byOtherProgram = false; ///< of a forced end: made by another program of this user
    /// Of an end: how long the hold was, where its beginning was seen as well and changes are pushed.
    CompactOptional<milliseconds> held{};
    /// It may have happened so long before `at`: then nobody was told of changes, and the lock was read last. milliseconds::max():
    /// nobody knows since when. 0: it was told as it happened; across a gap nothing is said here.
    milliseconds unseenFor{0};
};

/// A set of changes, applied by the window's model and by nobody else.
struct LockDiff
{
    QList<WatchedLock> changed; ///< new or different; each key at most once
    QList<LockKey> removed;
    QList<LockEvent> events; ///< in order
    bool isEmpty() const { return changed.isEmpty() && removed.isEmpty() && events.isEmpty(); }
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::LockDiff)
