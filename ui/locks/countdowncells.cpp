// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/countdowncells.h"

#include "core/state/severity.h"
#include "core/table/locktext.h"

#include <QTableView>

#include <utility>

namespace lockscope {

using Column = LockTableModel::Column;

CountdownCells::Look CountdownCells::lookOf(int row, int barWidth) const
{
    const WatchedLock &lock = m_model.at(row);
    const TimePoint now = m_model.timeAt(row, m_clock).now();
    return {stateOf(lock, now), static_cast<int>(leaseLeft(lock, now) * 2 * barWidth), ttlPart(lock, now),
            heldPart(lock, now), isUnusuallyLong(lock, now)};
}

QRegion CountdownCells::changed()
{
    QRegion region;
    const int first = m_table.rowAt(0);
    if (first < 0) {
        m_looks.clear();
        return region;
    }
    const int below = m_table.rowAt(m_table.viewport()->height() - 1);
    const int last = below < 0 ? m_model.rowCount() - 1 : below;
    const auto repaint = [&](int row, CellChanges changes) {
        for (const LockColumnSpec &column : lockColumns()) {
            const int section = static_cast<int>(column.id);
            if (column.changes & changes)
                region += QRect(m_table.columnViewportPosition(section), m_table.rowViewportPosition(row),
                                m_table.columnWidth(section), m_table.rowHeight(row));
        }
    };
    std::vector<Look> looks;
    looks.reserve(static_cast<size_t>(last - first + 1));
    for (int row = first; row <= last; ++row) {
        const Look &now = looks.emplace_back(lookOf(row, m_table.columnWidth(static_cast<int>(Column::Ttl))));
        const int place = row - m_firstRow;
        const bool isKnown = place >= 0 && place < static_cast<int>(m_looks.size());
        const Look before = isKnown ? std::move(m_looks[static_cast<size_t>(place)]) : Look();
        CellChanges changes;
        changes.setFlag(CellChange::Severity, now.state != before.state || now.isUnusual != before.isUnusual);
        changes.setFlag(CellChange::TimeLeft,
                        now.state != before.state || now.bar != before.bar || now.ttl != before.ttl);
        changes.setFlag(CellChange::TimeHeld, now.held != before.held);
        if (changes)
            repaint(row, changes);
    }
    m_looks = std::move(looks);
    m_firstRow = first;
    return region;
}

} // namespace lockscope
