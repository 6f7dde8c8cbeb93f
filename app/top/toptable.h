// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/top/screen.h"
#include "core/table/locktablemodel.h"

#include <QList>
#include <QSet>

#include <array>

namespace lockscope {

/// The rows of a LockTableModel on a screen. Columns are left out in the window's order if they do not fit; they
/// grow with their texts and never shrink until the screen's width changes, so that nothing flickers.
///
/// The cursor is on the worst lock until the user moves it, then it stays with its lock. A lock that is gone
/// keeps the cursor for LockTableModel::goneTime.
class TopTable
{
public:
    /// Both must outlive this.
    TopTable(LockTableModel &model, const DisplayClock &clock) : m_model(model), m_clock(clock) {}

    /// Writes the column titles and, below, as many rows as fit.
    void paint(Screen &screen, int top, int rows);
    /// Moves the cursor, tags or sorts. Returns false for other keys.
    bool press(const Key &key);
    /// Call after the model changed.
    void follow();

    /// Returns nullptr without rows; a gone lock is as last read.
    const WatchedLock *chosen() const;
    bool isChosenGone() const;
    /// Tagged locks that are not gone, without tags the chosen one. Empty while areTagsGone().
    QList<WatchedLock> toActOn() const;
    /// The locks in sight, the chosen one first.
    QList<LockKey> visible() const;
    qsizetype tagged() const { return m_tagged.size(); }
    /// True after the last tagged lock went by itself, until the cursor moves or tags are set or cleared.
    bool areTagsGone() const { return m_areTagsGone; }
    void clearTags()
    {
        m_tagged.clear();
        m_areTagsGone = false;
    }

private:
    struct Place
    {
        LockColumn column;
        int width = 0;
    };

    void layOut();
    bool measure();
    int widthOf(LockColumn column) const;
    int row() const;
    void choose(int row);
    void sortBy(LockColumn column, Qt::SortOrder order);
    void sortByNext(int step);
    void paintTitles(Screen &screen, int top) const;
    void paintRow(Screen &screen, int at, int row) const;
    QString titleOf(LockColumn column) const;
    QString cellText(int row, LockColumn column) const;

    LockTableModel &m_model;
    const DisplayClock &m_clock;
    QList<Place> m_places;
    int m_barWidth = 0; ///< with a blank; 0: the time left stands upon its bar
    int m_width = 0;
    std::array<int, 16> m_needed{}; ///< by LockColumn: the widest text so far
    int m_top = 0;                  ///< first visible row
    int m_height = 1;               ///< number of visible rows
    bool m_hasMoved = false;
    int m_row = 0; ///< of the cursor, if its lock is gone
    QSet<LockKey> m_tagged;
    bool m_areTagsGone = false;
    LockColumn m_sortedBy = LockColumn::State;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace lockscope
