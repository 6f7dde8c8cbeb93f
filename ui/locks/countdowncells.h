// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"
#include "core/table/displayclock.h"
#include "core/table/locktablemodel.h"

#include <QRegion>

#include <vector>

class QTableView;

namespace lockscope {

/// Finds the visible cells that time alone has changed. Most countdowns look the same as in the frame before.
class CountdownCells
{
public:
    /// The three references must outlive this.
    CountdownCells(const QTableView &table, const LockTableModel &model, const DisplayClock &clock)
        : m_table(table), m_model(model), m_clock(clock)
    {
    }

    /// Returns the cells that time changed since the last call, in viewport coordinates.
    QRegion changed();

private:
    struct Look
    {
        LockState state = LockState::Held;
        int bar = -1;        ///< half pixels
        milliseconds ttl{0}; ///< ttlPart()
        milliseconds held{0};
        bool isUnusual = false;
    };

    Look lookOf(int row, int barWidth) const;

    const QTableView &m_table;
    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    std::vector<Look> m_looks; ///< visible rows from m_firstRow
    int m_firstRow = 0;
};

} // namespace lockscope
