// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/model/lockevent.h"
#include "core/state/lockfilter.h"
#include "core/table/displayclock.h"
#include "core/table/lockorder.h"
#include "core/table/ownernames.h"
#include "core/table/slotindex.h"
#include "core/table/waitindex.h"
#include "core/watch/holdtimes.h"

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace lockscope {

/// The locks of one server as a table. Sorts and filters itself: QSortFilterProxyModel takes 100 times as
/// long and freezes the window at 100,000 rows.
///
/// apply() is the only input. Rows lie in slots that never move; the order is an index over them, sorted once
/// and then merged: a batch costs one pass and at most one layoutChanged. Selection and persistent indexes
/// follow their locks. Sorting uses moments: time moves only locks that become stalled or held unusually
/// long. The view repaints countdowns. While the rows are held, the order goes on without them.
class LockTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using Column = LockColumn;

    enum Role {
        KeyRole = Qt::UserRole, ///< QByteArray: the exact key
    };

    struct Counts
    {
        int all = 0;
        int noExpiry = 0;
        int expiring = 0;
        int problems = 0; ///< including stalled locks
        int waitedOn = 0; ///< with at least one known waiter
        int deadlock = 0;
        int stalled = 0;
        int corrupt = 0;
        int orphaned = 0;
        int deadWaiter = 0;
        int deadHolder = 0;
        int openExpiry = 0; ///< NoExpiry::Open
        int possible = 0;
        int hidden = 0; ///< keys that look like no lock; not in the other counts
        friend bool operator==(const Counts &, const Counts &) = default;
    };

    /// Number of rows that are not where the order has them.
    struct Pending
    {
        int moved = 0; ///< the fewest that would have to move
        int added = 0; ///< locks that have come
        int addedAbove = 0;
        int leaving = 0;       ///< gone locks, and those that the filter hides
        bool isPinned = false; ///< whether the pinned row is elsewhere
        bool operator==(const Pending &) const = default;
    };
    /// Number of new locks that get a row, below all others, while the rows are held.
    static constexpr size_t maxAppended = 500;
    /// For this long a pinned row stays after its lock is gone.
    static constexpr std::chrono::seconds goneTime{5};

    /// `clock` and `names` must outlive the model.
    explicit LockTableModel(const DisplayClock &clock, const OwnerNames &names = OwnerNames::none(),
                            QObject *parent = nullptr);

    /// Sets the usual hold times, which must outlive the model and know the events of a diff before apply().
    /// Without them no hold is unusual.
    void setHoldTimes(const HoldTimes &holds) { m_holds = &holds; }
    void apply(const LockDiff &diff);

    void followCluster();
    /// Returns the input of a lock's cells; valid while the model and the lock live.
    LockCell cellOf(const WatchedLock &lock, TimePoint now) const
    {
        return {lock, now, m_clock.cluster(), m_waits, m_names};
    }

    void setFilter(const LockFilter &filter);
    const LockFilter &filter() const { return m_filter; }
    /// Shows keys that look like no lock, and possible locks without a filter; otherwise only counts them.
    void setShowsHidden(bool shows);
    bool showsHidden() const { return m_showsHidden; }
    void restartWaits()
    {
        m_waits.restart(m_clock.present());
        emit waitsChanged();
    }
    /// Re-evaluates a filter that depends on time. Cheap if nothing changed.
    void refilter();
    /// Re-sorts locks that became stalled or unusually long held since the last call. Cheap if none did.
    void followTime();

    /// Re-evaluates all locks after the usual hold times changed, as in a recording. Emits the changed ones
    /// by applied().
    void followHoldTimes();

    /// Re-sorts locks whose count of waiters behind them changed since the last call. Cheap if the order does
    /// not use it.
    void followWaits();

    /// While true, no row moves or goes: cells change, gone locks keep a row, and new locks are appended. A change of
    /// sort order or filter applies at once.
    void setHeld(bool held);
    bool isHeld() const { return m_isHeld; }
    /// Keeps this row in place while others move, also for goneTime after its lock is gone; -1: none.
    void pin(int row);
    QModelIndex pinned() const { return m_pin == nowhere ? QModelIndex() : index(m_rows[size_t(m_pin)], 0); }
    /// Puts all rows in order, held or not.
    void settle();
    /// Moves rows that are out of order, unless held. Cheap if none is.
    void followOrder();
    /// Visits all locks if rows are out of order. `topRow` is the first visible row.
    Pending pending(int topRow) const;
    /// True for the row of a lock that is gone; at() returns its last reading.
    bool isGone(int row) const { return m_fates[size_t(m_view[size_t(row)])] == SlotState::Gone; }
    /// Number of rows with a lock that is not gone.
    int shown() const { return rowCount() - m_gone; }
    /// Returns the time of a row by a clock; it stops at the last reading of a gone lock.
    DisplayTime timeAt(int row, const DisplayClock &clock) const;

    const WatchedLock &at(int row) const { return m_locks[size_t(m_view[size_t(row)])]; }
    /// Returns nullptr for an unknown or gone lock; valid until the next apply().
    const WatchedLock *find(const LockKey &key) const;
    /// Calls `take` with each lock, without hidden ones, until it returns false. Ignores the filter.
    template <typename Take>
    void visit(Take take) const
    {
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (m_fates[slot] == SlotState::Settled && (m_showsHidden || !isHidden(m_locks[slot].lock)) &&
                !take(m_locks[slot]))
                return;
        }
    }
    /// Calls `take` with each lock, hidden ones included, in no order.
    template <typename Take>
    void visitAll(Take take) const
    {
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (m_fates[slot] == SlotState::Settled)
                take(m_locks[slot]);
        }
    }
    bool matchesAny(const LockFilter &filter) const
    {
        bool any = false;
        visit([&, now = m_clock.now()](const WatchedLock &lock) {
            any = filter.matches(lock, timeOf(lock, now));
            return !any;
        });
        return any;
    }
    /// Returns an invalid index if the lock is not shown.
    QModelIndex indexOf(const LockKey &key, Column column = Column::Key) const;
    /// Number of locks, without hidden ones.
    int total() const { return m_slots.size() - m_gone - hidden(); }
    int hidden() const
    {
        return m_showsHidden ? 0 : m_tally.hidden + (m_filter.isEmpty() ? m_tally.possible : 0);
    }
    const OwnerNames &names() const { return m_names; }
    const WaitIndex &waits() const { return m_waits; }
    Counts counts() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// The State column ascending puts the worst damage first.
    void sort(int column, Qt::SortOrder order) override;

signals:
    void waitsChanged();                           ///< after the rows have changed
    void applied(const lockscope::LockDiff &diff); ///< after all other signals; also by followHoldTimes()

private:
    using Slot = SlotIndex::Slot;
    static constexpr int nowhere = SlotIndex::nowhere;

    /// A slot with the rank of its lock, adjacent so that a merge seldom leaves the array.
    struct Entry
    {
        quint64 rank;
        Slot slot;
    };
    enum class SlotState : quint8 { Free, Settled, Moving, Leaving, Gone };

    /// When a lock becomes expiring, stalled or unusually long held. Lets counting visit few locks.
    struct Times
    {
        TimePoint expiringAfter = TimePoint::max();
        TimePoint stalledAfter = TimePoint::max();
        TimePoint unusualAfter = TimePoint::max();

        TimePoint nextMove(TimePoint now) const;
    };

    static Times timesOf(const WatchedLock &lock);
    const WatchedLock &knowing(const WatchedLock &lock);

    void tally(const WatchedLock &lock, int sign);
    bool isWanted(const WatchedLock &lock, TimePoint now) const;
    /// Returns the time of a lock; it stops while the lock's node is disconnected.
    TimePoint timeOf(const WatchedLock &lock, TimePoint now) const
    {
        return m_clock.hasStoppedNodes() ? m_clock.of(lock.key()).now() : now;
    }
    bool isBefore(const Entry &a, const Entry &b) const
    {
        return m_order.isBefore(a.rank, m_locks[size_t(a.slot)], b.rank, m_locks[size_t(b.slot)]);
    }
    Slot take(const WatchedLock &lock);
    void forget(Slot slot);
    void free(Slot slot);
    bool retire(Slot slot);
    void freeGone();
    void merge(const std::vector<Slot> &moving);
    void move(const std::vector<Slot> &moving);
    void project();
    void resort();
    void relayout(const std::function<void()> &change);
    void reorder(const std::function<void()> &change);
    void announce(const std::vector<Slot> &changed);

    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    const HoldTimes *m_holds = nullptr;
    WatchedLock m_known;
    LockFilter m_filter;
    bool m_showsHidden = false;
    LockOrder m_order;
    WaitIndex m_waits;
    bool m_areWaitsOthers = false; ///< since the last sort by waits

    Counts m_tally; ///< without counts that depend on time
    TimePoint m_nextMove = TimePoint::max();
    std::vector<WatchedLock> m_locks; ///< by slot
    SlotIndex m_slots{m_locks};
    std::vector<SlotState> m_fates;
    std::vector<Times> m_times;
    std::vector<char> m_shown; ///< by slot: whether it has a row
    std::vector<int> m_rows;   ///< by slot; or nowhere
    std::vector<Slot> m_free;
    std::vector<Entry> m_sorted;
    std::vector<Slot> m_view; ///< row to slot

    int m_gone = 0; ///< slots of gone locks, all with rows
    bool m_isHeld = false;
    bool m_isBehind = false; ///< whether rows may be out of order
    size_t m_heldRows = 0;   ///< rows that were there at the last relayout
    Slot m_pin = nowhere;
    int m_pinRow = nowhere; ///< nowhere: in its sorted place at the next relayout
    bool m_isPinElsewhere = false;
    TimePoint m_pinGoneAt;
};

} // namespace lockscope
