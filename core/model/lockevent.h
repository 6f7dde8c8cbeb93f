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

/// A change of a lock between two readings.
enum class EventKind : quint8 {
    Found, ///< existed at the first reading
    Acquired,
    Reentered, ///< more holds
    Unwound,   ///< fewer holds, but still held
    Renewed,   ///< later deadline; with a weak token it may have been acquired again
    Shortened, ///< earlier deadline than by time alone
    Released,  ///< gone before its deadline by a command of unknown origin
    Expired,   ///< gone at or after its deadline
    OwnerChanged,
    ExpiryLost,
    Vanished,    ///< gone for an unknown reason: see LockEvent::possible
    Forced,      ///< force-expired by this user, if known
    Evicted,     ///< gone before its deadline: the server needed memory
    Flushed,     ///< gone with all keys of its database
    Overwritten, ///< the key has another value, which is no lock
    Renamed,     ///< the key has another name, database or server
    Failover,    ///< gone with its primary
};
inline constexpr int eventKinds = static_cast<int>(EventKind::Failover) + 1;

/// True for events that end the holds of all owners or, with a holder, of this one.
constexpr bool isEnd(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind >= EventKind::Vanished;
}

/// A set of possible ends, in two bytes.
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
    /// The end, if it is the only possible one.
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

/// One change of a lock between two readings.
struct LockChange
{
    // NOLINTNEXTLINE(google-explicit-constructor): most changes concern the whole lock
    LockChange(EventKind what) : kind(what) {}
    LockChange(EventKind what, LockOwner whose) : kind(what), holder(std::move(whose)) {}

    EventKind kind;
    std::optional<LockOwner> holder; ///< absent: all owners
};

struct LockEvent
{
    EventKind kind = EventKind::Found;
    LockAddress address;
    Family family;
    QList<LockOwner> owners;           ///< after the event; the last ones if the lock is gone
    CompactOptional<milliseconds> ttl; ///< after the event; absent: no expiry, or gone
    TimePoint at;
    qint64 wallMs = 0;           ///< the same moment in epoch ms, for display
    int others = 0;              ///< for an event of one owner: number of other owners, as far as known
    bool byOtherProgram = false; ///< for a forced expiry: by another program of this user
    bool wasRenewed = false;     ///< for an end: a renewal was seen before
    /// For an end: the length of the hold, if its begin was seen and changes are pushed.
    CompactOptional<milliseconds> held{};
    /// The longest time before `at` at which it may have happened, since the lock's last reading without
    /// pushed changes. milliseconds::max(): unknown. 0: reported at once, or after a gap.
    milliseconds unseenFor{0};
    /// Possible causes of Vanished, or of the end of the previous hold for OwnerChanged, by the server's
    /// counters. A single one is certain.
    EndKinds possible{};
    /// For an end: when the lock was last seen unchanged. Only for EndCauseResolver.
    TimePoint seenAt{};
    bool hadLease = false; ///< for EndCauseResolver
};

/// A set of changes, applied only by the window's model.
struct LockDiff
{
    QList<WatchedLock> changed; ///< new or different; each key at most once
    QList<LockKey> removed;
    QList<LockEvent> events;
    /// Applied first: true for keys reported too early by a restarted pass over all keys; may be empty.
    std::function<bool(const LockKey &key)> withdrawn{};
    bool isEmpty() const { return changed.isEmpty() && removed.isEmpty() && events.isEmpty() && !withdrawn; }
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::LockDiff)
