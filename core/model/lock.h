// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/taggedbytes.h"
#include "core/base/time.h"
#include "core/model/companionstate.h"
#include "core/model/deadline.h"
#include "core/model/evidence.h"
#include "core/model/family.h"
#include "core/model/lockowner.h"
#include "core/model/quorum.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMetaType>

#include <chrono>
#include <optional>

namespace lockscope {

/// Where a lock is.
struct LockAddress
{
    LockKey key;
    int database = 0;

    friend bool operator==(const LockAddress &, const LockAddress &) = default;
};

/// How long an acquisition is to last: at least 1 ms, at most about 31,000 years (what PEXPIRE takes without
/// overflow).
class Lease
{
public:
    static constexpr milliseconds longest{1'000'000'000'000'000};
    /// nullopt outside the range.
    static std::optional<Lease> fromMilliseconds(milliseconds value);
    /// Decimal seconds, fractions allowed ("0.1" is 100 ms). nullopt for anything else.
    static std::optional<Lease> fromSeconds(QByteArrayView text);

    milliseconds value() const { return m_value; }
    QByteArray inSeconds() const; ///< as the scripts take it: "30", "0.1"

private:
    explicit Lease(milliseconds value) : m_value(value) {}
    milliseconds m_value;
};

/// What a key is stored as. Asking a key for another type is answered by an error, which counts in the
/// server's error statistics: so both are asked for only where nothing is known.
enum class KeyType : quint8 { Unknown, Hash, String, SortedSet, Set, Other };

/// Whose TTL ends a lock: with Redis 7.4 a hash's fields may have TTLs of their own.
enum class LeaseOf : quint8 {
    Key,
    Fields,  ///< the key has none, or a later end; it goes with its last field
    Unknown, ///< the key has none, and that of its fields may not be asked for
};

/// What one reading of a key said. Immutable once made; cheap to copy.
struct Lock
{
    LockAddress address;
    QList<LockOwner> owners;            ///< sorted by owner
    CompactOptional<milliseconds> ttl;  ///< the server's PTTL as read; absent: no expiry
    CompactOptional<Deadline> deadline; ///< absent: no expiry
    TimePoint readAt;
    Problems problems;
    KeyType type = KeyType::Unknown;
    Family family;
    EvidenceSet evidence; ///< for the family, or that it is a lock at all: certaintyOf()
    LeaseOf leaseOf = LeaseOf::Key;
    CompanionStatePtr beside; ///< as looked at last, which is less often
    QuorumPtr quorum;         ///< absent: of no Redlock group

    const LockKey &key() const { return address.key; }
};

/// A lock with what the monitor learned by watching it.
struct WatchedLock
{
    Lock lock;
    TimePoint heldSince;            ///< the present owner has held it at least since then; max(): not known
    milliseconds maxObservedTtl{0}; ///< the largest TTL seen for this owner: the lease, as far as we know
    CompactOptional<TimePoint> lastRenewal;
    int renewals = 0;                    ///< seen for this owner
    bool hasSeenAcquisition : 1 = false; ///< false: the monitor came late, "held for" is only a lower bound
    bool isReadOnce : 1 = false;         ///< one reading is all that is known
    /// The least share of the longest TTL that was left when this lock was renewed, in 255ths; 0: none was seen.
    quint8 minRenewalShare = 0;
    quint16 watchedProblems = 0; ///< what only watching can tell, as bits of Problem
    /// Beyond it, this hold is far longer than is usual for its key: HoldTimes. max(): not known.
    TimePoint unusualAfter = TimePoint::max();

    /// What the lock itself says, and what watching it has told.
    Problems problems() const { return lock.problems | Problems::fromInt(watchedProblems); }
    void setProblem(Problem problem, bool on)
    {
        watchedProblems = on ? watchedProblems | quint16(problem) : watchedProblems & ~quint16(problem);
    }
    const LockKey &key() const { return lock.address.key; }
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::Lock)
Q_DECLARE_METATYPE(lockscope::WatchedLock)
