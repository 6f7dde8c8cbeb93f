// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/base/time.h"
#include "core/family/ownergroup.h"
#include "core/history/waitcopy.h"

#include <QList>

#include <functional>
#include <utility>
#include <vector>

namespace lockscope {

/// What others waited for.
struct Blocker
{
    enum class Kind : quint8 {
        Owner,
        Several,    ///< simultaneous owners, none of them in particular
        Nobody,     ///< no owner is known: a hand-off, or an orphaned queue
        DeadWaiter, ///< at the head of the queue of a free lock
        Cycle,      ///< a deadlock; `owner` is one of those in it
    };

    Kind kind = Kind::Nobody;
    LockKey lock;  ///< that it held, or did not leave
    OwnerId owner; ///< of Owner, DeadWaiter and Cycle
    Family family{};

    friend bool operator==(const Blocker &, const Blocker &) = default;
};

/// A time in which one or more waited for a lock, without a break.
struct WaitEpisode
{
    LockKey lock;
    qint64 fromMs = 0; ///< on the axis of the history
    qint64 toMs = 0;
    bool isCut = false;     ///< the waits may have begun before, or ended after what was seen in the period
    bool isAtLeast = false; ///< waiters that leave no trace, or unseen time, may add to `waited`
    qint64 mostWaiters = 0;
    milliseconds waited{0}; ///< of all waiters together
    /// Who holds the lock, who holds what that one waits for, and so on: when most was waited for the last
    /// one, the root blocker.
    QList<Blocker> chain;
    milliseconds byRoot{0}; ///< the part of `waited` for the root blocker

    const Blocker &root() const { return chain.last(); }
};

enum class BlameBy : quint8 { Lock, Owner, Process, Host, Pair };
/// The names in command lines and JSON.
inline constexpr EnumNames blameByName{
    Named<BlameBy>{BlameBy::Lock, "lock"}, Named<BlameBy>{BlameBy::Owner, "owner"},
    Named<BlameBy>{BlameBy::Process, "process"}, Named<BlameBy>{BlameBy::Host, "host"},
    Named<BlameBy>{BlameBy::Pair, "pair"}};

/// A row of a ranking: what one lock, owner or pair cost others.
struct BlameRow
{
    LockKey lock; ///< by lock
    Blocker::Kind kind = Blocker::Kind::Owner;
    OwnerGroup blocker; ///< by owner, process, host or pair; of Kind::Owner, DeadWaiter and Cycle
    OwnerGroup waiter;  ///< by pair; Names::Nobody: waiters that are only counted
    milliseconds waited{0};
    qint64 episodes = 0;
    bool isAtLeast = false;
    /// Those that cost most, as indexes of Blame::episodes, and what of each.
    std::vector<std::pair<size_t, milliseconds>> worst;
    static constexpr size_t maxWorst = 20;
};

/// Who made whom wait, in a period of a history. A wait counts by its length as seen: pollers leave no trace, so
/// all totals are lower bounds where `silent` is not empty, `isAtLeast`, or a row says so. Unlike LockStatistics,
/// dead waiters are not counted, nor those that hold the lock while the queue still names them.
struct Blame
{
    std::vector<WaitEpisode> episodes; ///< the most waited first
    milliseconds waited{0};
    bool isAtLeast = false; ///< the begin of the period is no longer in the history
    QList<LockKey> silent;  ///< held, nobody was seen to wait, and not all can be seen

    /// Ranks what others waited: for a lock; for the root blocker (owner, process, host), at the end of the
    /// chain of those who wait themselves; or by pairs of who held the lock and who waited for it.
    std::vector<BlameRow> rankedBy(BlameBy by) const;
    /// True if more may have been waited.
    bool isLowerBound() const;
    /// Leaves out all other locks.
    void keep(const std::function<bool(const LockKey &)> &isWanted);

    /// A part of the waits: `root` and `holder` made `waiter` wait.
    struct Share
    {
        Blocker root;
        Blocker holder;
        OwnerId waiter; ///< empty: only counted
        Family family{};
        LockKey lock;
        milliseconds waited{0};
        size_t episode = 0; ///< index of `episodes`
        bool isAtLeast = false;
    };
    std::vector<Share> shares;
};

/// Near-linear in what was copied. Pure: on any thread.
Blame blameOf(WaitCopy copy);
/// The same at once. Times on the history's axis.
Blame blameIn(const LockHistory &history, qint64 fromMs, qint64 toMs);

} // namespace lockscope
