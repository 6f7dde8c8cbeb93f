// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/plainlocks.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/table/locktablemodel.h"
#include "core/table/locktext.h"
#include "core/table/ownernames.h"

#include <limits>

namespace lockscope {

void PlainLocks::apply(const QList<WatchedLock> &changed)
{
    int first = std::numeric_limits<int>::max(), last = -1;
    std::vector<WatchedLock> added;
    for (const WatchedLock &lock : changed) {
        const auto row = m_rows.constFind(lock.key().bytes);
        if (row == m_rows.cend()) {
            added.push_back(lock);
            continue;
        }
        m_locks[static_cast<size_t>(*row)] = lock;
        first = std::min(first, *row);
        last = std::max(last, *row);
    }
    if (last >= 0)
        emit dataChanged(index(first, 0), index(last, columnCount({}) - 1));
    if (added.empty())
        return;
    const int end = static_cast<int>(m_locks.size());
    beginInsertRows({}, end, end + static_cast<int>(added.size()) - 1);
    for (const WatchedLock &lock : added) {
        m_rows.insert(lock.key().bytes, static_cast<int>(m_locks.size()));
        m_locks.push_back(lock);
    }
    endInsertRows();
}

int PlainLocks::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int PlainLocks::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(lockColumns().size());
}

QVariant PlainLocks::data(const QModelIndex &index, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    const WatchedLock &lock = at(index.row());
    const TimePoint now = Clock::now();
    switch (static_cast<LockColumn>(index.column())) {
    case LockColumn::State:
        return stateWord(stateOf(lock, now));
    case LockColumn::Key:
        return printable(lock.key().bytes);
    case LockColumn::Family:
        return QString::fromLatin1(familyName(lock.lock.family));
    case LockColumn::Owner:
        return ownerText(lock.lock, OwnerNames::none());
    case LockColumn::Holds:
        return holdsText(lock.lock);
    case LockColumn::Ttl:
        return ttlText(lock.lock, now);
    case LockColumn::Held:
        return heldText(lock, now);
    case LockColumn::Waiters:
        return waitersText(lock);
    case LockColumn::Problem:
        return problemsText(lock.problems());
    default: // what a first version has not
        break;
    }
    return {};
}

PlainOrder::PlainOrder(PlainLocks &locks, QObject *parent) : QSortFilterProxyModel(parent), m_locks(locks)
{
    setDynamicSortFilter(true);
    setSourceModel(&locks);
    sort(static_cast<int>(LockColumn::Ttl));
}

void PlainOrder::setWord(const QByteArray &word)
{
    m_word = word;
    invalidateFilter();
}

bool PlainOrder::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    return m_locks.at(left.row()).lock.deadline->latest < m_locks.at(right.row()).lock.deadline->latest;
}

bool PlainOrder::filterAcceptsRow(int row, const QModelIndex &) const
{
    const Lock &lock = m_locks.at(row).lock;
    return m_word.isEmpty() || lock.key().bytes.contains(m_word) ||
           lock.owners.first().owner.bytes.contains(m_word);
}

} // namespace lockscope
