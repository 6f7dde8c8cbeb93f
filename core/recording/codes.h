// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the format: the index in these tables. New entries are added at the end; none is moved or
// removed, whatever the enumerations do. Families have names instead.
#pragma once

#include "core/recording/recorded.h"

#include <array>

namespace lockscope::recordingcodes {

inline constexpr std::array events{EventKind::Found,      EventKind::Acquired, EventKind::Reentered,
                                   EventKind::Unwound,    EventKind::Renewed,  EventKind::Shortened,
                                   EventKind::Released,   EventKind::Expired,  EventKind::OwnerChanged,
                                   EventKind::ExpiryLost, EventKind::Vanished, EventKind::Forced,
                                   EventKind::Evicted,    EventKind::Flushed,  EventKind::Overwritten,
                                   EventKind::Renamed,    EventKind::Failover};
inline constexpr std::array ends{EventKind::Released, EventKind::Expired, EventKind::Evicted,
                                 EventKind::Flushed,  EventKind::Renamed, EventKind::Overwritten,
                                 EventKind::Failover};
inline constexpr std::array keyTypes{KeyType::Unknown,   KeyType::Hash, KeyType::String,
                                     KeyType::SortedSet, KeyType::Set,  KeyType::Other};
inline constexpr std::array leases{LeaseOf::Key, LeaseOf::Fields, LeaseOf::Unknown};
inline constexpr std::array modes{HoldMode::Exclusive, HoldMode::Read, HoldMode::Write};
inline constexpr std::array evidence{Evidence::Content, Evidence::Name,     Evidence::Companions,
                                     Evidence::Lease,   Evidence::Renewals, Evidence::Listeners,
                                     Evidence::Rule};
inline constexpr std::array problems{Problem::NoExpiry,  Problem::BadCount,         Problem::SeveralOwners,
                                     Problem::WrongType, Problem::TooBig,           Problem::DeadWaiter,
                                     Problem::Orphaned,  Problem::RewrittenByOwner, Problem::Deadlock,
                                     Problem::NoQuorum,  Problem::OwnersDiffer,     Problem::Unreadable,
                                     Problem::HolderDead};
inline constexpr std::array certainties{WaiterCertainty::Unknown, WaiterCertainty::AtLeast,
                                        WaiterCertainty::Exact};
inline constexpr std::array subscriptions{SubscriptionState::Unknown, SubscriptionState::Yes,
                                          SubscriptionState::No, SubscriptionState::NotHeard};
inline constexpr std::array silences{NoSubscribersMeaning::NotAsked,   NoSubscribersMeaning::Unknown,
                                     NoSubscribersMeaning::OtherNodes, NoSubscribersMeaning::IsReplica,
                                     NoSubscribersMeaning::Replicas,   NoSubscribersMeaning::Proves};
inline constexpr std::array unread{Unread::Nothing, Unread::Waiters, Unread::Kind};
inline constexpr std::array members{MemberReading::State::Held, MemberReading::State::Absent,
                                    MemberReading::State::NoLock, MemberReading::State::Unknown};
inline constexpr std::array connections{Link::State::Closed, Link::State::Connecting, Link::State::Ready,
                                        Link::State::Backoff, Link::State::Refused};
inline constexpr std::array feeds{FeedMode::Tracking, FeedMode::KeyedTracking, FeedMode::Notifications,
                                  FeedMode::Polling};
inline constexpr std::array feedGaps{FeedGap::Flushed, FeedGap::ForeignPublish, FeedGap::Lost,
                                     FeedGap::HeartbeatTimeout, FeedGap::RedirectBroken};
inline constexpr std::array resets{ServerReset::Cause::Flush, ServerReset::Cause::Swap,
                                   ServerReset::Cause::Restart, ServerReset::Cause::Failover,
                                   ServerReset::Cause::Unknown};

/// An event's head: its kind in four bits, then flags of the values that differ from defaults.
inline constexpr quint32 eventAt = 0x10;      ///< another moment than the previous event
inline constexpr quint32 eventHeld = 0x20;    ///< the hold's duration is known
inline constexpr quint32 eventOwners = 0x40;  ///< not the lock's present or last owners; up to here: one byte
inline constexpr quint32 eventTtl = 0x80;     ///< not the lock's
inline constexpr quint32 eventFamily = 0x100; ///< not the lock's
inline constexpr quint32 eventWall = 0x200;   ///< the wall clock was set since
inline constexpr quint32 eventOthers = 0x400; ///< other owners hold the lock too
inline constexpr quint32 eventOtherProgram = 0x800;
inline constexpr quint32 eventUnseen = 0x1000; ///< LockEvent::unseenFor in ms; -1: unknown
inline constexpr quint32 eventKindHigh =
    0x2000; ///< add 16 to the kind; since version 2, like the following flags
inline constexpr quint32 eventPossible = 0x4000; ///< LockEvent::possible: a bit for each of `ends`
inline constexpr quint32 eventRenewed = 0x8000;
static_assert(events.size() <= 32);

enum class Frame : quint8 { Changes, WatchState, Deadlocks, Reset, Scan, WallStep, WatchStateOfSlots };
inline constexpr quint64 frameKinds = 8;

} // namespace lockscope::recordingcodes
