// SPDX-License-Identifier: GPL-3.0-or-later
// Which row each lock of a LockTableModel has, and how rows keep their places while the order changes.
#include "core/table/locktablemodel.h"

#include <algorithm>
#include <limits>

namespace lockscope {

void LockTableModel::setHeld(bool held)
{
    m_isHeld = held;
    if (!held)
        followOrder();
}

void LockTableModel::settle()
{
    m_pinRow = nowhere;
    relayout([] {});
}

void LockTableModel::followOrder()
{
    if (m_isHeld)
        return;
    const bool isOver = m_pin != nowhere && m_fates[size_t(m_pin)] == SlotState::Gone &&
                        m_clock.present() - m_pinGoneAt > goneTime;
    if (isOver)
        m_pinRow = nowhere;
    if (isOver || m_isBehind)
        relayout([] {});
}

void LockTableModel::pin(int row)
{
    const Slot slot = row < 0 ? nowhere : m_view[size_t(row)];
    if (slot == m_pin)
        return;
    m_isBehind |= m_isPinElsewhere || (m_pin != nowhere && m_fates[size_t(m_pin)] == SlotState::Gone);
    m_pin = slot;
    m_pinRow = row;
    m_isPinElsewhere = false;
    m_pinGoneAt = m_clock.present();
}

/// Lets the row of a lock that is gone stand. Returns false if the row goes, too.
bool LockTableModel::retire(Slot slot)
{
    if (m_rows[size_t(slot)] == nowhere || (!m_isHeld && slot != m_pin))
        return false;
    if (m_fates[size_t(slot)] != SlotState::Gone) {
        forget(slot);
        m_fates[size_t(slot)] = SlotState::Gone;
        ++m_gone;
        m_isBehind = true;
    }
    if (slot == m_pin)
        m_pinGoneAt = m_clock.present();
    m_slots.insert(slot); // its key may come back
    return true;
}

/// Frees gone locks that have no row any more.
void LockTableModel::freeGone()
{
    QList<LockKey> keys;
    for (size_t slot = 0; m_gone > 0 && slot < m_fates.size(); ++slot) {
        if (m_fates[slot] == SlotState::Gone && m_rows[slot] == nowhere)
            keys.append(m_locks[slot].key());
    }
    for (const Slot slot : m_slots.removeAll(keys))
        free(slot);
    m_gone -= static_cast<int>(keys.size());
}

void LockTableModel::reorder(const std::function<void()> &change)
{
    if (!m_isHeld)
        return relayout(change);
    change();
    m_isBehind = true;
}

void LockTableModel::project()
{
    std::fill(m_rows.begin(), m_rows.end(), nowhere);
    m_view.clear();
    m_view.reserve(m_sorted.capacity());
    const auto add = [this](Slot slot) {
        m_rows[size_t(slot)] = static_cast<int>(m_view.size());
        m_view.push_back(slot);
    };
    const bool isPinned = m_pin != nowhere && m_pinRow != nowhere &&
                          (m_shown[size_t(m_pin)] != 0 || m_fates[size_t(m_pin)] == SlotState::Gone);
    const Slot pin = isPinned ? m_pin : nowhere;
    const size_t pinRow = isPinned ? size_t(m_pinRow) : std::numeric_limits<size_t>::max();
    m_isPinElsewhere = false;
    for (const Entry &entry : m_sorted) {
        if (!m_shown[size_t(entry.slot)])
            continue;
        if (entry.slot == pin) {
            m_isPinElsewhere = m_view.size() != pinRow;
            continue;
        }
        if (m_view.size() == pinRow)
            add(pin);
        add(entry.slot);
    }
    if (isPinned && m_rows[size_t(pin)] == nowhere)
        add(pin);
    if (m_pin != nowhere && m_rows[size_t(m_pin)] == nowhere)
        m_pin = nowhere;
    m_pinRow = m_pin == nowhere ? nowhere : m_rows[size_t(m_pin)];
    m_heldRows = m_view.size();
    m_isBehind = false;
}

LockTableModel::Pending LockTableModel::pending(int topRow) const
{
    Pending pending{.isPinned = m_isPinElsewhere};
    if (!m_isBehind)
        return pending;
    // The first row in sight that has a place in the order.
    while (topRow < rowCount() && !m_shown[size_t(m_view[size_t(topRow)])])
        ++topRow;
    bool isAbove = true;
    std::vector<int> staying; // ends of the longest ascending runs of rows: what need not move
    int old = 0;
    for (const Entry &entry : m_sorted) {
        const auto slot = size_t(entry.slot);
        const int row = m_rows[slot];
        isAbove &= row == nowhere || row != topRow;
        if (!m_shown[slot]) {
            pending.leaving += row != nowhere;
        } else if (row == nowhere || size_t(row) >= m_heldRows) {
            ++pending.added;
            pending.addedAbove += isAbove;
        } else {
            ++old;
            if (staying.empty() || row > staying.back())
                staying.push_back(row);
            else
                *std::ranges::lower_bound(staying, row) = row;
        }
    }
    pending.moved = old - static_cast<int>(staying.size());
    pending.leaving += m_gone;
    return pending;
}

DisplayTime LockTableModel::timeAt(int row, const DisplayClock &clock) const
{
    DisplayTime time = clock.of(at(row).key());
    if (isGone(row))
        time.stopAt(at(row).lock.readAt);
    return time;
}

} // namespace lockscope
