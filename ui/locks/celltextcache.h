// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStaticText>
#include <QString>

#include <utility>

class QPainter;
class QRect;

namespace lockscope {

/// Draws texts of one font and caches their layout, which is most of the work of painting a table.
class CellTextCache
{
public:
    /// Draws with the painter's font and pen; elides in the middle, since keys differ at their ends.
    void draw(QPainter &painter, const QString &text, const QRect &cell, Qt::Alignment horizontally,
              Qt::TextElideMode elide = Qt::ElideMiddle);
    void clear() { m_laidOut.clear(); }

private:
    QHash<std::pair<QString, int>, QStaticText> m_laidOut; ///< by text and cell width in pixels
};

} // namespace lockscope
