// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"
#include "ui/locks/locktablemodel.h"
#include "ui/widgets/displayclock.h"

#include <QRegion>

#include <vector>

class QTableView;

namespace lockscope {

/// Which cells in sight time alone has made look different: a countdown in seconds is the same for nine of ten frames.
class CountdownCells
{
public:
    /// All must outlive this.
    CountdownCells(const QTableView &table, const LockTableModel &model, const DisplayClock &clock)
        : m_table(table), m_model(model), m_clock(clock)
    {
    }

    /// Since the last call, in the coordinates of the viewport. What the model has changed, the view repaints by itself.
    QRegion changed();

private:
    /// What time decides of a row.
    struct Look
    {
        LockState state = LockState::Held;
        int bar = -1;        ///< in half pixels, finer than anybody sees
        milliseconds ttl{0}; ///< ttlPart(); a text would be written ten times a second to find it unchanged
        milliseconds held{0};
        bool isUnusual = false; ///< held unusually long
    };

    Look lookOf(int row, int barWidth) const;

    const QTableView &m_table;
    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    std::vector<Look> m_looks; ///< of the rows in sight, from the first
    int m_firstRow = 0;
};

} // namespace lockscope
