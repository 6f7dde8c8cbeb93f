// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStaticText>
#include <QString>

#include <utility>

class QPainter;
class QRect;

namespace lockscope {

/// Draws texts of one font, laid out once each: laying them out is most of the work of painting a table, and nine of ten
/// say what they said in the frame before.
class CellTextCache
{
public:
    /// In the painter's font and pen; cut where it is too long: in its middle, since names differ at their ends.
    void draw(QPainter &painter, const QString &text, const QRect &cell, Qt::Alignment horizontally,
              Qt::TextElideMode elide = Qt::ElideMiddle);
    /// The font is another now.
    void clear() { m_laidOut.clear(); }

private:
    QHash<std::pair<QString, int>, QStaticText> m_laidOut; ///< by text and width of the cell
};

} // namespace lockscope
