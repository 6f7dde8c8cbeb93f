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

struct LockAddress
{
    LockKey key;
    int database = 0;

    friend bool operator==(const LockAddress &, const LockAddress &) = default;
};

/// The lease time of an acquisition: 1 ms to about 31,000 years (the limit of PEXPIRE).
class Lease
{
public:
    static constexpr milliseconds longest{1'000'000'000'000'000};
    /// Absent out of range.
    static std::optional<Lease> fromMilliseconds(milliseconds value);
    /// Reads decimal seconds with an optional fraction ("0.1" is 100 ms). Absent for anything else.
    static std::optional<Lease> fromSeconds(QByteArrayView text);

    milliseconds value() const { return m_value; }
    QByteArray inSeconds() const; ///< for the scripts: "30", "0.1"

private:
    explicit Lease(milliseconds value) : m_value(value) {}
    milliseconds m_value;
};

/// A key's type. Reading a key as another type is an error, which counts in the server's error statistics: hash
/// and string are both tried only if the type is unknown.
enum class KeyType : quint8 { Unknown, Hash, String, SortedSet, Set, Other };

/// Whose TTL ends a lock: since Redis 7.4 a hash's fields may have their own.
enum class LeaseOf : quint8 {
    Key,
    Fields,  ///< the key has no or a later expiry; it goes with its last field
    Unknown, ///< the key has none, and its fields' may not be read
};

/// One reading of a key. Immutable; cheap to copy.
struct Lock
{
    LockAddress address;
    QList<LockOwner> owners;
    CompactOptional<milliseconds> ttl;  ///< PTTL as read; absent: no expiry
    CompactOptional<Deadline> deadline; ///< absent: no expiry
    TimePoint readAt;
    Problems problems;
    KeyType type = KeyType::Unknown;
    Family family;
    EvidenceSet evidence; ///< for the family, or for being a lock at all: see certaintyOf()
    LeaseOf leaseOf = LeaseOf::Key;
    CompanionStatePtr companions; ///< last reading, less frequent than the lock's
    QuorumPtr quorum;             ///< absent: no Redlock group

    const LockKey &key() const { return address.key; }
};

/// A lock with what the monitor observed.
struct WatchedLock
{
    Lock lock;
    TimePoint heldSince;            ///< at least since then; max(): unknown
    milliseconds maxObservedTtl{0}; ///< this owner's largest: the lease, as far as known
    CompactOptional<TimePoint> lastRenewal;
    int renewals = 0;                    ///< by this owner
    bool hasSeenAcquisition : 1 = false; ///< false: the time held is only a lower bound
    bool isReadOnce : 1 = false;         ///< known by one reading only
    /// The smallest share of the longest TTL left at a renewal, in 255ths; 0: no renewal seen.
    quint8 minRenewalShare = 0;
    quint16 watchedProblems = 0;
    /// After this time the hold is far longer than usual for its key: see HoldTimes. max(): unknown.
    TimePoint unusualAfter = TimePoint::max();

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
