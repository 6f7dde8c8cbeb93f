// SPDX-License-Identifier: GPL-3.0-or-later
// Which locks a LockTableModel shows.
#include "core/table/locktablemodel.h"

namespace lockscope {

namespace {

/// Prefetches what a filter reads of the next two rows.
void prefetchBytes(const WatchedLock &later, const WatchedLock &soon)
{
    __builtin_prefetch(later.key().bytes.constData());
    __builtin_prefetch(later.lock.owners.constData());
    if (!soon.lock.owners.isEmpty())
        __builtin_prefetch(soon.lock.owners.first().owner.bytes.constData());
}

} // namespace

void LockTableModel::setFilter(const LockFilter &filter)
{
    if (filter == m_filter)
        return;
    // Without a filter possible locks are folded, so there each is looked at again.
    const bool isSameKind = filter.isEmpty() == m_filter.isEmpty();
    const bool narrower = isSameKind && filter.narrows(m_filter);
    const bool wider = isSameKind && m_filter.narrows(filter);
    m_filter = filter;
    m_pinRow = nowhere;
    const TimePoint now = m_clock.now();
    relayout([&] {
        // In the order of the slots, not of the rows: memory is read from one end to the other, ahead of its use.
        constexpr size_t ahead = 8;
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (slot + 2 * ahead < m_locks.size())
                prefetchBytes(m_locks[slot + 2 * ahead], m_locks[slot + ahead]);
            if (m_fates[slot] == SlotState::Settled && (m_shown[slot] ? !wider : !narrower))
                m_shown[slot] = isWanted(m_locks[slot], now);
        }
    });
}

void LockTableModel::setShowsHidden(bool shows)
{
    if (shows == m_showsHidden)
        return;
    m_showsHidden = shows;
    m_pinRow = nowhere;
    const TimePoint now = m_clock.now();
    relayout([&] {
        for (size_t slot = 0; slot < m_locks.size(); ++slot) {
            if (m_fates[slot] == SlotState::Settled &&
                (isHidden(m_locks[slot].lock) || isPossible(m_locks[slot].lock)))
                m_shown[slot] = isWanted(m_locks[slot], now);
        }
    });
}

void LockTableModel::refilter()
{
    if (!m_filter.dependsOnTime())
        return;
    const TimePoint now = m_clock.now();
    std::vector<Slot> turned;
    for (size_t slot = 0; slot < m_locks.size(); ++slot) {
        if (m_fates[slot] == SlotState::Settled && (m_shown[slot] != 0) != isWanted(m_locks[slot], now))
            turned.push_back(static_cast<Slot>(slot));
    }
    if (turned.empty())
        return;
    reorder([&] {
        for (const Slot slot : turned)
            m_shown[size_t(slot)] = !m_shown[size_t(slot)];
    });
}

} // namespace lockscope
