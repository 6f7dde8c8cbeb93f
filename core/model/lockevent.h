// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

#include <bit>
#include <functional>
#include <initializer_list>
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
    Released,     ///< gone before its deadline, deleted by a command: by whose is not known
    Expired,      ///< gone at or after its deadline
    OwnerChanged, ///< held by another than before
    ExpiryLost,   ///< had a deadline, has none now
    Vanished,     ///< gone, and the cause is not known: LockEvent::possible
    Forced,       ///< ended by force, by this user: only where that is known
    Evicted,      ///< gone before its deadline: the server needed the memory
    Flushed,      ///< gone with all keys of its database
    Overwritten,  ///< another value stands in its key, which is no lock
    Renamed,      ///< its key has another name now, or is in another database or server
    Failover,     ///< gone with the primary that had it
};
inline constexpr int eventKinds = static_cast<int>(EventKind::Failover) + 1;

/// All that hold the lock have lost it, or, of a change with a holder, this one.
constexpr bool isEnd(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind >= EventKind::Vanished;
}

/// Several ways in which a hold may have ended, in two bytes.
class EndKinds
{
public:
    constexpr EndKinds() = default;
    constexpr EndKinds(std::initializer_list<EventKind> ends)
    {
        for (const EventKind end : ends)
            set(end);
    }

    constexpr bool isEmpty() const { return m_bits == 0; }
    constexpr bool has(EventKind end) const { return m_bits & bit(end); }
    constexpr void set(EventKind end, bool on = true)
    {
        m_bits = static_cast<quint16>(on ? m_bits | bit(end) : m_bits & ~bit(end));
    }
    /// The only one.
    constexpr std::optional<EventKind> single() const
    {
        for (int kind = first; std::has_single_bit(m_bits) && kind < eventKinds; ++kind) {
            if (has(static_cast<EventKind>(kind)))
                return static_cast<EventKind>(kind);
        }
        return std::nullopt;
    }
    QList<EventKind> list() const
    {
        QList<EventKind> ends;
        for (int kind = first; kind < eventKinds; ++kind) {
            if (has(static_cast<EventKind>(kind)))
                ends.append(static_cast<EventKind>(kind));
        }
        return ends;
    }
    friend constexpr bool operator==(EndKinds, EndKinds) = default;

private:
    static constexpr int first = static_cast<int>(EventKind::Released);
    static constexpr int bit(EventKind end) { return 1 << (static_cast<int>(end) - first); }

    quint16 m_bits = 0;
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
    bool wasRenewed = false;     ///< of an end: its holder was seen to renew it before
    /// Of an end: how long the hold was, where its beginning was seen as well and changes are pushed.
    CompactOptional<milliseconds> held{};
    /// It may have happened so long before `at`: then nobody was told of changes, and the lock was read last. milliseconds::max():
    /// nobody knows since when. 0: it was told as it happened; across a gap nothing is said here.
    milliseconds unseenFor{0};
    /// Vanished: what can have been the cause, as far as the server's counters tell. OwnerChanged: how the hold before ended;
    /// where it is the only one, that is known.
    EndKinds possible{};
    /// Of an end: the lock was there still, as it was, at that moment. For EndJudge alone.
    TimePoint seenAt{};
    bool hadLease = false; ///< likewise
};

/// A set of changes, applied by the window's model and by nobody else.
struct LockDiff
{
    QList<WatchedLock> changed; ///< new or different; each key at most once
    QList<LockKey> removed;
    QList<LockEvent> events; ///< in order
    /// Before all else: of a pass over all keys that began anew, so that these were told too early. Empty: none were.
    std::function<bool(const LockKey &key)> withdrawn{};
    bool isEmpty() const { return changed.isEmpty() && removed.isEmpty() && events.isEmpty() && !withdrawn; }
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::LockDiff)
