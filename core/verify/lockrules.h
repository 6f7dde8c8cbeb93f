// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/linearization.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace lockscope {

struct VerifiedHold
{
    int owner = 0;
    LockOperation::Mode mode = LockOperation::Mode::Any;
    int count = 1;
    int permits = 1;
    qint64 until = LockOperation::noEnd; ///< others may take it from then on

    bool isSame(const VerifiedHold &other) const
    {
        return owner == other.owner && mode == other.mode && count == other.count && permits == other.permits;
    }
};

/// A lock after some operations have taken effect, each as early as possible: later would allow no more.
struct LockState
{
    std::vector<VerifiedHold> holds;
    /// Owners whose holds others took when the lease was over; of several holders, those that had a lease. Sorted.
    std::vector<int> lapsed;
    std::vector<int> placed; ///< candidates that have taken effect and are not over; sorted
    qint64 time = -LockOperation::noEnd;
    qint64 token = -1;   ///< highest acquired
    qint64 written = -1; ///< highest accepted
    /// With an unknown begin: who has acquired it since; nobody, or several.
    int acquiredBy = nobody;
    static constexpr int nobody = -1;
    static constexpr int several = -2;

    bool hasPlaced(int index) const { return std::ranges::binary_search(placed, index); }
    bool hasLapsed(int owner) const { return std::ranges::binary_search(lapsed, owner); }
};

inline void insertSorted(std::vector<int> &sorted, int value)
{
    const auto at = std::ranges::lower_bound(sorted, value);
    if (at == sorted.end() || *at != value)
        sorted.insert(at, value);
}

inline void eraseSorted(std::vector<int> &sorted, int value)
{
    const auto at = std::ranges::lower_bound(sorted, value);
    if (at != sorted.end() && *at == value)
        sorted.erase(at);
}

/// The effects of operations by a model: the specification of a lock.
class LockRules
{
public:
    LockRules(const LinearizationRules &rules, std::span<const Candidate> candidates);
    /// Lets an operation take effect by `latest`. `variant` counts the ways; false: not in this way.
    bool place(LockState &state, const Candidate &candidate, int variant, qint64 latest) const;
    /// True if the owner may hold it from before an unknown begin, beside what has been acquired since.
    bool mayHoldSinceBegin(const LockState &state, int owner) const;

private:
    bool take(LockState &state, const LockOperation &operation, int variant, qint64 &at) const;
    LockOperation::Mode modeOf(const LockOperation &operation) const;
    std::vector<VerifiedHold>::iterator ownHold(LockState &state, const LockOperation &operation) const;
    bool acquire(LockState &state, const LockOperation &operation, int variant, qint64 &at) const;
    static VerifiedHold &addHold(LockState &state, const VerifiedHold &hold);
    void setLease(LockState &state, VerifiedHold &hold, const LockOperation &operation, qint64 at) const;
    /// Ends a hold by its lease, at which the next operation takes effect at the earliest.
    bool lapse(LockState &state, size_t index, qint64 &at) const;
    bool takeToken(LockState &state, const LockOperation &operation, bool isReentrance) const;
    bool acquirePermits(LockState &state, const LockOperation &operation, qint64 &at) const;
    bool isLapsed(const LockState &state, int owner) const;
    bool release(LockState &state, const LockOperation &operation, int variant, qint64 &at) const;
    bool releasePermits(LockState &state, const LockOperation &operation) const;
    /// True if the owner holds the lock, perhaps beyond its lease, and no other has acquired it since.
    bool isHeldBy(LockState &state, const LockOperation &operation) const;
    bool extend(LockState &state, const LockOperation &operation, qint64 at) const;
    bool write(LockState &state, const LockOperation &operation) const;

    const LinearizationRules &m_rules;
    QHash<int, qint64> m_lastRelease; ///< required, by owner
};

} // namespace lockscope
