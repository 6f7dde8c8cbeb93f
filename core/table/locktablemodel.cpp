// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/locktablemodel.h"

#include "core/family/certainty.h"
#include "core/family/renewalhealth.h"
#include "core/state/lockstate.h"
#include "core/state/severity.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace lockscope {

namespace {

/// std::upper_bound from the end in doubling strides: fast for near places, no slower for far ones.
template <typename Iterator, typename Value, typename Before>
Iterator upperBoundFromEnd(Iterator first, Iterator last, const Value &value, Before before)
{
    std::ptrdiff_t stride = 1;
    while (stride < last - first && before(value, *(last - stride))) {
        last -= stride;
        stride *= 2;
    }
    return std::upper_bound(last - std::min(stride, last - first), last, value, before);
}

/// Adds values without doubling the capacity: unused memory counts at 100,000 rows.
template <typename T>
void extend(std::vector<T> &values, size_t by = 1, const T &with = T())
{
    const size_t size = values.size() + by;
    if (size > values.capacity())
        values.reserve(size + values.size() / 8);
    values.resize(size, with);
}

/// Prefetches a row: waiting for memory would be most of an update of many rows.
void prefetchRow(const WatchedLock &row)
{
    constexpr size_t line = 64;
    const auto bytes = std::as_bytes(std::span(&row, 1));
    for (size_t at = 0; at < bytes.size(); at += line)
        __builtin_prefetch(&bytes[at], 1);
}

void prefetchRowBytes(const WatchedLock &row)
{
    __builtin_prefetch(row.key().bytes.constData(), 1);
    __builtin_prefetch(row.lock.owners.constData(), 1);
}

} // namespace

LockTableModel::LockTableModel(const DisplayClock &clock, const OwnerNames &names, QObject *parent)
    : QAbstractTableModel(parent), m_clock(clock), m_names(names)
{
    m_order.setWaits(m_waits);
}

LockTableModel::Times LockTableModel::timesOf(const WatchedLock &lock)
{
    if (isNoLock(lock.lock) || lastingState(lock) != LockState::Held)
        return {};
    if (!lock.lock.deadline)
        return {.unusualAfter = unusualDamageAfter(lock)};
    return {lock.lock.deadline->latest - expiringTime(lock), overdueAfter(lock), unusualDamageAfter(lock)};
}

/// Returns the next moment after `now` at which the lock becomes stalled or unusual.
TimePoint LockTableModel::Times::nextMove(TimePoint now) const
{
    const TimePoint stalled = now <= stalledAfter ? stalledAfter : TimePoint::max();
    return now <= unusualAfter ? std::min(stalled, unusualAfter) : stalled;
}

/// Returns the lock with its unusualAfter; valid until the next call.
const WatchedLock &LockTableModel::knowing(const WatchedLock &lock)
{
    const TimePoint unusual = m_holds->unusualAfter(lock);
    if (unusual == lock.unusualAfter)
        return lock;
    m_known = lock;
    m_known.unusualAfter = unusual;
    return m_known;
}

void LockTableModel::tally(const WatchedLock &lock, int sign)
{
    if (isHidden(lock.lock)) {
        m_tally.hidden += sign;
        return;
    }
    const LockState lasting = lastingState(lock);
    m_tally.all += lasting != LockState::Possible ? sign : 0;
    const NoExpiry noExpiry = noExpiryOf(lock.lock);
    m_tally.noExpiry += noExpiry != NoExpiry::None ? sign : 0;
    m_tally.openExpiry += noExpiry == NoExpiry::Open ? sign : 0;
    m_tally.possible += lasting == LockState::Possible ? sign : 0;
    m_tally.problems += lock.problems() != Problems() ? sign : 0;
    m_tally.waitedOn += lock.lock.companions->waiters.count > 0 ? sign : 0;
    m_tally.deadlock += lasting == LockState::Deadlock ? sign : 0;
    m_tally.corrupt += lasting == LockState::Corrupt ? sign : 0;
    m_tally.orphaned += lasting == LockState::Orphaned ? sign : 0;
    m_tally.deadWaiter += lock.problems().testFlag(Problem::DeadWaiter) ? sign : 0;
    m_tally.deadHolder += lock.problems().testFlag(Problem::HolderDead) ? sign : 0;
}

bool LockTableModel::isWanted(const WatchedLock &lock, TimePoint now) const
{
    const bool isFolded = isHidden(lock.lock) || (m_filter.isEmpty() && isPossible(lock.lock));
    return (m_showsHidden || !isFolded) && (m_filter.isEmpty() || m_filter.matches(lock, timeOf(lock, now)));
}

LockTableModel::Slot LockTableModel::take(const WatchedLock &lock)
{
    Slot slot = static_cast<Slot>(m_locks.size());
    if (m_free.empty()) {
        extend(m_locks, 1, lock);
        extend(m_fates, 1, SlotState::Moving);
        extend(m_times);
        extend(m_shown);
        extend(m_rows, 1, nowhere);
    } else {
        slot = m_free.back();
        m_free.pop_back();
        m_locks[size_t(slot)] = lock;
        m_fates[size_t(slot)] = SlotState::Moving;
    }
    m_slots.insert(slot);
    return slot;
}

/// Takes a lock out of the counts.
void LockTableModel::forget(Slot slot)
{
    tally(m_locks[size_t(slot)], -1);
    m_times[size_t(slot)] = {};
    m_shown[size_t(slot)] = 0;
}

void LockTableModel::free(Slot slot)
{
    m_locks[size_t(slot)] = {};
    m_fates[size_t(slot)] = SlotState::Free;
    m_rows[size_t(slot)] = nowhere;
    m_free.push_back(slot);
}

void LockTableModel::apply(const LockDiff &diff)
{
    const bool areWaitsOthers = m_waits.apply(diff, m_clock.present());
    m_areWaitsOthers |= areWaitsOthers;
    std::vector<Slot> moving, changed, arriving;
    bool viewChanges = false;
    const std::vector<Slot> leaving = m_slots.removeAll(diff.removed);
    for (const Slot slot : leaving) {
        if (retire(slot)) {
            changed.push_back(slot);
            continue;
        }
        m_fates[size_t(slot)] = SlotState::Leaving;
        viewChanges |= m_shown[size_t(slot)] != 0;
    }
    const TimePoint now = m_clock.now();
    const std::vector<Slot> found = m_slots.findAll(diff.changed);
    const auto ahead = [&](qsizetype i, auto prefetch) {
        if (i < diff.changed.size() && found[size_t(i)] != nowhere)
            prefetch(m_locks[size_t(found[size_t(i)])]);
    };
    for (qsizetype i = 0; i < diff.changed.size(); ++i) {
        constexpr qsizetype soon = 6;
        ahead(i + 2 * soon, prefetchRow);
        ahead(i + soon, prefetchRowBytes);
        const WatchedLock &lock = m_holds ? knowing(diff.changed[i]) : diff.changed[i];
        // What was not there at first may be there now: a key told of twice.
        const Slot known = found[size_t(i)] != nowhere ? found[size_t(i)] : m_slots.find(lock.key());
        const bool isNew = known == nowhere;
        const Slot slot = isNew ? take(lock) : known;
        tally(lock, 1);
        const bool isBack = !isNew && m_fates[size_t(slot)] == SlotState::Gone;
        bool moves = isNew || isBack;
        if (isBack) {
            m_locks[size_t(slot)] = lock;
            --m_gone;
        } else if (!isNew) {
            WatchedLock &stored = m_locks[size_t(slot)];
            // A key told of twice in one diff is already on its way.
            moves = m_fates[size_t(slot)] == SlotState::Settled && !m_order.isSame(stored, lock);
            tally(stored, -1);
            stored = lock;
        }
        const Times times = timesOf(lock);
        m_times[size_t(slot)] = times;
        m_nextMove = std::min(m_nextMove, times.nextMove(m_order.moment()));
        const bool wasShown = m_shown[size_t(slot)] != 0;
        const bool isShown = isWanted(lock, now);
        m_shown[size_t(slot)] = isShown;
        viewChanges |= wasShown != isShown || isBack || (moves && isShown);
        if (moves) {
            m_fates[size_t(slot)] = SlotState::Moving;
            moving.push_back(slot);
        }
        const bool isArriving = isShown && m_isHeld && m_rows[size_t(slot)] == nowhere;
        if (isArriving && m_view.size() + arriving.size() < m_heldRows + maxAppended) {
            m_rows[size_t(slot)] = static_cast<int>(m_view.size() + arriving.size());
            arriving.push_back(slot);
        }
        if (isShown || m_isHeld)
            changed.push_back(slot);
    }

    const auto mergeAll = [&] {
        if (!moving.empty() || !leaving.empty())
            merge(moving);
    };
    if (viewChanges)
        reorder(mergeAll);
    else
        mergeAll();
    if (const int first = rowCount(); !arriving.empty()) {
        beginInsertRows({}, first, first + static_cast<int>(arriving.size()) - 1);
        m_view.insert(m_view.end(), arriving.begin(), arriving.end());
        endInsertRows();
    }
    for (const Slot slot : leaving) {
        if (m_fates[size_t(slot)] == SlotState::Leaving) {
            forget(slot);
            free(slot);
        }
    }
    announce(changed);
    if (areWaitsOthers)
        emit waitsChanged();
    emit applied(diff);
}

/// Removes leaving and moving locks from the sorted rows and merges the moving ones back in; the others are
/// not compared again.
void LockTableModel::merge(const std::vector<Slot> &moving)
{
    std::vector<Entry> arriving;
    arriving.reserve(moving.size());
    for (const Slot slot : moving)
        arriving.push_back({m_order.rank(m_locks[size_t(slot)]), slot});
    const auto before = [this](const Entry &a, const Entry &b) { return isBefore(a, b); };
    std::sort(arriving.begin(), arriving.end(), before);
    std::erase_if(m_sorted,
                  [this](const Entry &entry) { return m_fates[size_t(entry.slot)] != SlotState::Settled; });
    // In place and from the back: those behind the last to arrive move to the end, and so on.
    auto rest = static_cast<std::ptrdiff_t>(m_sorted.size());
    extend(m_sorted, arriving.size());
    auto end = m_sorted.end();
    for (auto entry = arriving.crbegin(); entry != arriving.crend(); ++entry) {
        // From where the last one went: near when many arrive, and few comparisons when few do.
        const auto place = upperBoundFromEnd(m_sorted.begin(), m_sorted.begin() + rest, *entry, before);
        end = std::move_backward(place, m_sorted.begin() + rest, end);
        *--end = *entry;
        rest = place - m_sorted.begin();
    }
    for (const Slot slot : moving)
        m_fates[size_t(slot)] = SlotState::Settled;
}

void LockTableModel::relayout(const std::function<void()> &change)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<Slot> held;
    held.reserve(size_t(before.size()));
    for (const QModelIndex &index : before)
        held.push_back(m_view[size_t(index.row())]);
    change();
    project();
    freeGone();
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int row = m_rows[size_t(held[size_t(i)])];
        after.append(row == nowhere ? QModelIndex() : index(row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

/// Emits one range from the first to the last row: views repaint only visible rows, and many signals cost
/// more.
void LockTableModel::announce(const std::vector<Slot> &changed)
{
    int first = std::numeric_limits<int>::max(), last = nowhere;
    for (const Slot slot : changed) {
        const int row = m_rows[size_t(slot)];
        if (row == nowhere)
            continue;
        first = std::min(first, row);
        last = std::max(last, row);
    }
    if (last != nowhere)
        emit dataChanged(index(first, 0), index(last, columnCount() - 1));
}

/// Visits all locks, but only if one may have become stalled or unusual since moment().
void LockTableModel::followTime()
{
    const TimePoint before = m_order.moment(), now = m_clock.now();
    m_order.setMoment(now);
    if (before <= now && now <= m_nextMove)
        return;
    m_nextMove = TimePoint::max();
    std::vector<Slot> moving;
    for (size_t slot = 0; slot < m_times.size(); ++slot) {
        const Times &times = m_times[slot];
        m_nextMove = std::min(m_nextMove, times.nextMove(now));
        const auto hasCrossed = [&](TimePoint moment) { return (before > moment) != (now > moment); };
        if ((hasCrossed(times.stalledAfter) || hasCrossed(times.unusualAfter)) &&
            m_fates[slot] == SlotState::Settled)
            moving.push_back(static_cast<Slot>(slot));
    }
    if (m_order.follows(CellChange::Severity))
        move(moving);
}

void LockTableModel::followHoldTimes()
{
    std::vector<Slot> changed;
    LockDiff diff;
    for (size_t slot = 0; m_holds && slot < m_locks.size(); ++slot) {
        WatchedLock &lock = m_locks[slot];
        if (m_fates[slot] != SlotState::Settled)
            continue;
        const TimePoint unusual = m_holds->unusualAfter(lock);
        if (std::exchange(lock.unusualAfter, unusual) == unusual)
            continue;
        const Times before = std::exchange(m_times[slot], timesOf(lock));
        if (before.unusualAfter == m_times[slot].unusualAfter)
            continue; // nobody waits, or something worse is known
        m_nextMove = std::min(m_nextMove, m_times[slot].nextMove(m_order.moment()));
        changed.push_back(static_cast<Slot>(slot));
        diff.changed.append(lock);
    }
    if (changed.empty())
        return;
    if (m_order.follows(CellChange::Severity))
        move(changed);
    refilter();
    announce(changed);
    emit applied(diff);
}

/// Visits all locks: a change behind a lock may move it.
void LockTableModel::followWaits()
{
    if (!m_order.follows(CellChange::Waits) || !std::exchange(m_areWaitsOthers, false))
        return;
    std::vector<Slot> moving;
    for (const Entry &entry : m_sorted) {
        if (entry.rank != m_order.rank(m_locks[size_t(entry.slot)]))
            moving.push_back(entry.slot);
    }
    move(moving);
}

void LockTableModel::move(const std::vector<Slot> &moving)
{
    if (moving.empty())
        return;
    bool viewChanges = false;
    for (const Slot slot : moving) {
        m_fates[size_t(slot)] = SlotState::Moving;
        viewChanges |= m_shown[size_t(slot)] != 0;
    }
    if (viewChanges)
        reorder([&] { merge(moving); });
    else
        merge(moving);
}

void LockTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount())
        return;
    m_order = LockOrder(static_cast<Column>(column), order, m_order.moment());
    m_order.setCluster(m_clock.cluster());
    m_order.setWaits(m_waits);
    m_areWaitsOthers = false;
    resort();
}

void LockTableModel::resort()
{
    m_pinRow = nowhere;
    relayout([this] {
        for (Entry &entry : m_sorted)
            entry.rank = m_order.rank(m_locks[size_t(entry.slot)]);
        std::sort(m_sorted.begin(), m_sorted.end(),
                  [this](const Entry &a, const Entry &b) { return isBefore(a, b); });
    });
}

void LockTableModel::followCluster()
{
    m_order.setCluster(m_clock.cluster());
    if (m_order.follows(CellChange::Cluster))
        resort();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

const WatchedLock *LockTableModel::find(const LockKey &key) const
{
    const Slot slot = m_slots.find(key);
    return slot == nowhere || m_fates[size_t(slot)] == SlotState::Gone ? nullptr : &m_locks[size_t(slot)];
}

QModelIndex LockTableModel::indexOf(const LockKey &key, Column column) const
{
    const Slot slot = m_slots.find(key);
    const int row = slot == nowhere ? nowhere : m_rows[size_t(slot)];
    return row == nowhere ? QModelIndex() : index(row, static_cast<int>(column));
}

LockTableModel::Counts LockTableModel::counts() const
{
    Counts counts = m_tally;
    const TimePoint now = m_clock.now();
    const auto isCalm = [&](size_t slot) {
        return slot >= m_times.size() ||
               now <= std::min({m_times[slot].expiringAfter, m_times[slot].stalledAfter,
                                m_times[slot].unusualAfter});
    };
    for (size_t slot = 0; slot < m_times.size(); ++slot) {
        constexpr size_t soon = 16;
        if (!isCalm(slot + soon))
            prefetchRow(m_locks[slot + soon]);
        if (isCalm(slot))
            continue;
        const WatchedLock &lock = m_locks[slot];
        if (lock.lock.deadline && now >= lock.lock.deadline->latest)
            continue;
        if (m_clock.hasStoppedNodes() && m_clock.of(lock.key()).isStopped())
            continue; // as it was
        const Times &times = m_times[slot];
        const bool isStalled = now > times.stalledAfter;
        counts.stalled += isStalled;
        counts.expiring += !isStalled && now > times.expiringAfter;
        if ((isStalled || now > times.unusualAfter) && !lock.problems())
            ++counts.problems;
    }
    return counts;
}

int LockTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_view.size());
}

int LockTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(lockColumns().size());
}

} // namespace lockscope
