// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownergroup.h"
#include "core/table/locktablemodel.h"

#include <memory>
#include <queue>
#include <vector>

namespace lockscope {

/// The locks of a table grouped by owner. Updated by diffs; long work is done in parts between which the
/// window stays responsive: 100,000 locks may have as many owners.
class OwnerIndex
{
public:
    struct Held
    {
        LockKey key;
        quint64 rank = 0; ///< severityRank()
        TimePoint since;
        bool isWaitedFor = false;
    };
    struct Group
    {
        OwnerGroup whose;
        quint32 number = 0; ///< unique while this lives; from 1
        std::vector<Held> held;
        std::vector<LockKey> waits; ///< locks it waits for
        // An owner of the group, for its name.
        Family family;
        LockKey ownersLock;
        OwnerId owner;
        // As of the last work().
        BlockedWaiters behind; ///< waiters behind its locks, each once
        LockKey worst;         ///< most damaged lock; empty: it holds none
        LockKey longest;
        quint64 order = 0; ///< ascending: worst first
        bool isDirty = false;

        /// Returns the `most` most damaged of its locks, worst first.
        QList<LockKey> worstHeld(qsizetype most) const;
    };

    /// All three must outlive this.
    OwnerIndex(const LockTableModel &model, const DisplayClock &clock, const OwnerNames &names);

    void start(OwnerGrouping by);
    void clear();
    OwnerGrouping grouping() const { return m_by; }
    /// Limits the groups to those whose name, ID or one of whose keys contains the text; empty: all.
    void setFilter(const QString &text);
    /// Call after the table has taken a diff.
    void apply(const LockDiff &diff);
    void invalidateNames() { markAll(); }
    /// Works for about this long. Returns true when nothing is left to do.
    bool work(milliseconds budget);
    /// A number that changes with every group that is computed or dropped.
    quint64 revision() const { return m_revision; }

    qsizetype size() const { return m_slots.size(); }
    qsizetype wanted() const;
    /// Returns the `most` worst groups that match the filter, worst first. Valid until the next change.
    std::vector<const Group *> ranked(qsizetype most) const;
    const Group *find(const OwnerGroup &whose) const;
    /// Number of groups of a single owner whose ID names no process or host.
    qsizetype untold() const { return m_untold; }
    /// Number of other groups, without that of unknown owners.
    qsizetype reported() const { return size() - m_untold - (m_slots.contains(OwnerGroup()) ? 1 : 0); }

    QString nameOf(const Group &group) const;

private:
    struct Place
    {
        quint32 slot;
        quint32 at; ///< index in held or waits
        bool isWait;
    };
    /// A lock, or one that is gone: kept until it is due, since each key has one entry in m_due.
    struct Known
    {
        std::vector<Place> places;
        TimePoint dueAt = TimePoint::max(); ///< entry in m_due
    };
    struct Due
    {
        TimePoint at;
        LockKey key;
        bool operator>(const Due &other) const { return at > other.at; }
    };

    void put(const WatchedLock &lock);
    void dropStaleDue();
    void remove(const LockKey &key);
    quint32 slotOf(const OwnerGroup &whose, const Lock &lock, const OwnerId &owner);
    void leave(const Place &place);
    void drop(quint32 slot);
    void mark(quint32 slot);
    void markAll();
    void reckon(quint32 slot);
    bool matches(const Group &group) const;

    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    OwnerGrouping m_by = OwnerGrouping::Owner;
    QByteArray m_needle; ///< lower case
    QString m_text;
    QHash<OwnerGroup, quint32> m_slots;
    std::vector<std::unique_ptr<Group>> m_groups; ///< by slot
    /// By slot: Group::order if the filter matches, otherwise the maximum. Contiguous for sorting.
    std::vector<quint64> m_orders;
    std::vector<quint32> m_free;
    quint32 m_lastNumber = 0;
    qsizetype m_untold = 0;
    QHash<LockKey, Known> m_known;
    std::vector<LockKey> m_pending; ///< locks of the table to be added
    std::vector<LockKey> m_again;   ///< locks to be added again, since time went back
    TimePoint m_workedAt;
    std::vector<quint32> m_dirty;
    QSet<quint32> m_waitedFor; ///< slots of groups with waiters behind them
    bool m_haveWaitsChanged = false;
    quint64 m_revision = 0;
    /// When locks may become stalled or unusual; at most a quarter more entries than keys.
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
};

} // namespace lockscope
