// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownergroup.h"
#include "ui/locks/locktablemodel.h"

#include <memory>
#include <queue>
#include <vector>

namespace lockscope {

/// The locks of a table put together by their owners. Grows from what changes; what takes long is done in parts, between which
/// the window goes on: a hundred thousand locks may have as many owners.
class OwnerIndex
{
public:
    struct Held
    {
        LockKey key;
        quint64 rank = 0; ///< damageRank()
        TimePoint since;
        bool isWaitedFor = false;
    };
    struct Group
    {
        OwnerGroup whose;
        quint32 number = 0; ///< its own as long as this lives; from 1
        std::vector<Held> held;
        std::vector<LockKey> waits; ///< in whose queues it stands
        // One of its owners, by which it is called.
        Family family;
        LockKey ownersLock;
        OwnerId owner;
        // As of the last work():
        BlockedWaiters behind; ///< all that wait behind its locks, each once
        LockKey worst;         ///< the lock that most needs a look; empty: it holds none
        LockKey longest;       ///< that it has held the longest
        quint64 order = 0;     ///< the worst first
        bool isDirty = false;
    };

    /// Both must outlive this.
    OwnerIndex(const LockTableModel &model, const DisplayClock &clock, const OwnerNames &names);

    /// Begins anew with all locks of the table.
    void start(OwnerGrouping by);
    void clear();
    OwnerGrouping grouping() const { return m_by; }
    /// Groups whose name, id or one of whose keys contains the text. Empty: all.
    void setFilter(const QString &text);
    /// What the table has taken.
    void apply(const LockDiff &diff);
    void invalidateNames() { markAll(); }
    /// Goes on for about so long. True: nothing is left to do.
    bool work(milliseconds budget);
    /// Another one whenever a group has been reckoned or is gone since.
    quint64 revision() const { return m_revision; }

    qsizetype size() const { return m_slots.size(); }
    /// Of these, how many the filter leaves.
    qsizetype wanted() const;
    /// Of those that it leaves, the `most` that most need a look, the worst first. Valid until the next change.
    std::vector<const Group *> ranked(qsizetype most) const;
    /// nullptr: there is none any more.
    const Group *find(const OwnerGroup &whose) const;
    /// Groups that are a single owner since its id tells no more.
    qsizetype untold() const { return m_untold; }
    /// Groups without those, and without that of nobody in particular.
    qsizetype told() const { return size() - m_untold - (m_slots.contains(OwnerGroup()) ? 1 : 0); }

    QString nameOf(const Group &group) const;

private:
    struct Place
    {
        quint32 slot;
        quint32 at; ///< in held or waits
        bool isWait;
    };
    /// A lock, or one that is gone and may come again before it is due: a key has one place in m_due, however often it is held.
    struct Known
    {
        std::vector<Place> places;
        TimePoint dueAt = TimePoint::max(); ///< in m_due
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
    QByteArray m_needle; ///< in lower case
    QString m_text;
    QHash<OwnerGroup, quint32> m_slots;
    std::vector<std::unique_ptr<Group>> m_groups; ///< by slot
    /// By slot: Group::order of those that the filter leaves, else the highest. Side by side, since all of them are put in order.
    std::vector<quint64> m_orders;
    std::vector<quint32> m_free;
    quint32 m_lastNumber = 0;
    qsizetype m_untold = 0;
    QHash<LockKey, Known> m_known;
    std::vector<LockKey> m_pending; ///< of the table, not looked at yet
    std::vector<LockKey> m_again;   ///< to be looked at as of an earlier moment
    TimePoint m_workedAt;
    std::vector<quint32> m_dirty; ///< slots
    QSet<quint32> m_waitedFor;    ///< slots of groups for whose locks somebody waits
    bool m_haveWaitsChanged = false;
    quint64 m_revision = 0;
    /// When locks may become stalled or unusual; a quarter more at most than there are keys.
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
};

} // namespace lockscope
