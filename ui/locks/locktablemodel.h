// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/model/lockevent.h"
#include "core/state/lockfilter.h"
#include "core/watch/holdtimes.h"
#include "ui/locks/lockorder.h"
#include "ui/locks/ownernames.h"
#include "ui/locks/slotindex.h"
#include "ui/locks/waitindex.h"
#include "ui/widgets/displayclock.h"

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace lockscope {

/// The locks of one server as a table: sorted and filtered here, because QSortFilterProxyModel takes 100
/// times as long and freezes the window at 100,000 rows.
///
/// One way in: apply(). Rows lie in slots that never move; the order is an index over them, sorted once and
/// then merged: a batch costs one pass and at most one layoutChanged. Selection and persistent indexes follow
/// their locks. Sorting goes by moments, not by remainders, so time passing moves nothing but those that become stalled;
/// painting is the view's affair.
class LockTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using Column = LockColumn;

    enum Role {
        KeyRole = Qt::UserRole, ///< QByteArray: the exact key
    };

    /// How many locks there are of each kind, whatever the filter says.
    struct Counts
    {
        int all = 0;
        int noExpiry = 0; ///< whatever it means
        int expiring = 0;
        int problems = 0; ///< the stalled ones included
        int waitedOn = 0; ///< that at least one is known to wait for
        int deadlock = 0;
        int stalled = 0;
        int corrupt = 0;
        int orphaned = 0;
        int deadWaiter = 0; ///< with one at least
        int openExpiry = 0; ///< NoExpiry::Open
        int possible = 0;
        int hidden = 0; ///< not among the others: what looks like no lock
        friend bool operator==(const Counts &, const Counts &) = default;
    };

    /// `clock` and `names` must outlive the model.
    explicit LockTableModel(const DisplayClock &clock, const OwnerNames &names = OwnerNames::none(),
                            QObject *parent = nullptr);

    /// What is usual for a key, which must outlive the model: without it nothing is. It should know the events of a diff before
    /// the model takes that.
    void setHoldTimes(const HoldTimes &holds) { m_holds = &holds; }
    void apply(const LockDiff &diff);

    /// The clock's cluster has changed.
    void followCluster();
    /// Of what the cells of a lock are made, for as long as the model and the lock live.
    LockCell cellOf(const WatchedLock &lock, TimePoint now) const
    {
        return {lock, now, m_clock.cluster(), m_waits, m_names};
    }

    void setFilter(const LockFilter &filter);
    const LockFilter &filter() const { return m_filter; }
    /// What looks like no lock is shown with the rest, or only counted; likewise possible locks while there is no filter.
    void setShowsHidden(bool shows);
    bool showsHidden() const { return m_showsHidden; }
    /// What was seen of who waits was at another time.
    void restartWaits()
    {
        m_waits.restart(m_clock.present());
        emit waitsChanged();
    }
    /// Looks again at what a filter says that depends on time. Cheap where nothing changed.
    void refilter();
    /// Takes those to their place that time has made stalled, or unusually long held, since the last call. Cheap where there are none.
    void followTime();

    /// What is usual has become known after the locks were, as in a recording: looks at all of them. Those of which it is now
    /// otherwise known are told as changed.
    void followHoldTimes();

    /// Takes those to their place that others' changes have moved since the last call: by the waits behind them. Cheap
    /// where the order is another.
    void followWaits();

    const WatchedLock &at(int row) const { return m_locks[size_t(m_view[size_t(row)])]; }
    /// nullptr where there is no such lock; valid until the next apply().
    const WatchedLock *find(const LockKey &key) const;
    /// Calls `take` with each lock that may be shown, whatever the filter says, in no order, until it returns false.
    template <typename Take>
    void visit(Take take) const
    {
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (m_fates[slot] == SlotState::Settled && (m_showsHidden || !isHidden(m_locks[slot].lock)) &&
                !take(m_locks[slot]))
                return;
        }
    }
    /// The same with all of them, whatever is shown.
    template <typename Take>
    void visitAll(Take take) const
    {
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (m_fates[slot] == SlotState::Settled)
                take(m_locks[slot]);
        }
    }
    /// Whether the filter would leave a row.
    bool matchesAny(const LockFilter &filter) const
    {
        bool any = false;
        visit([&, now = m_clock.now()](const WatchedLock &lock) {
            any = filter.matches(lock, timeOf(lock, now));
            return !any;
        });
        return any;
    }
    /// Invalid where the lock is not shown.
    QModelIndex indexOf(const LockKey &key, Column column = Column::Key) const;
    /// Without those that are hidden, unless these are shown.
    int total() const { return m_slots.size() - hidden(); }
    /// How many are only counted.
    int hidden() const
    {
        return m_showsHidden ? 0 : m_tally.hidden + (m_filter.isEmpty() ? m_tally.possible : 0);
    }
    const OwnerNames &names() const { return m_names; }
    /// Of all of them, whatever is shown.
    const WaitIndex &waits() const { return m_waits; }
    Counts counts() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Ascending by State: the worst damage first.
    void sort(int column, Qt::SortOrder order) override;

signals:
    void waitsChanged();                           ///< what waits() tells; after the rows have changed
    void applied(const lockscope::LockDiff &diff); ///< after all of that; also of followHoldTimes()

private:
    using Slot = SlotIndex::Slot;
    static constexpr int nowhere = SlotIndex::nowhere;

    /// A slot with the part of its sort key that fits a number, side by side so that a merge seldom leaves
    /// the array.
    struct Entry
    {
        quint64 rank;
        Slot slot;
    };
    enum class SlotState : quint8 { Free, Settled, Moving, Leaving };

    /// When a lock is expiring, stalled, or held unusually long. So much is kept beside the locks that counting visits few of them.
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
    /// As its cells have it: of a lost node's lock the time stands still.
    TimePoint timeOf(const WatchedLock &lock, TimePoint now) const
    {
        return m_clock.hasStoppedNodes() ? m_clock.of(lock.key()).now() : now;
    }
    bool isBefore(const Entry &a, const Entry &b) const
    {
        return m_order.isBefore(a.rank, m_locks[size_t(a.slot)], b.rank, m_locks[size_t(b.slot)]);
    }
    Slot take(const WatchedLock &lock);
    void release(Slot slot);
    void merge(const std::vector<Slot> &moving);
    void move(const std::vector<Slot> &moving);
    void project();
    void resort();
    void relayout(const std::function<void()> &change);
    void announce(const std::vector<Slot> &changed);

    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    const HoldTimes *m_holds = nullptr;
    WatchedLock m_known; ///< the last of knowing()
    LockFilter m_filter;
    bool m_showsHidden = false;
    LockOrder m_order;
    WaitIndex m_waits;
    bool m_areWaitsOthers = false; ///< since the rows were in the order of waits

    Counts m_tally; ///< without what time changes
    /// No lock becomes stalled or unusual before, as far as is known without a look at all of them.
    TimePoint m_nextMove = TimePoint::max();
    std::vector<WatchedLock> m_locks; ///< by slot
    SlotIndex m_slots{m_locks};
    std::vector<SlotState> m_fates; ///< by slot
    std::vector<Times> m_times;     ///< by slot
    std::vector<char> m_shown;      ///< by slot
    std::vector<int> m_rows;        ///< by slot: its row, or nowhere
    std::vector<Slot> m_free;
    std::vector<Entry> m_sorted; ///< every lock
    std::vector<Slot> m_view;    ///< those shown, in order: row to slot
};

} // namespace lockscope
