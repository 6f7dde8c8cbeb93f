// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/timescale.h"

#include <QFont>
#include <QFontMetrics>
#include <QPalette>
#include <QPixmap>
#include <QRectF>

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

class QPainter;

namespace lockscope {

/// How a lane looks: bars of holds, below them what is left of the lease, below that a row for each waiter. What a color says,
/// a texture, a shape or a word says as well.
class LanePainter
{
public:
    LanePainter(const QFont &font, const QPalette &palette);

    struct Form
    {
        bool isCompact = false; ///< less high lanes, for a name of one line
        double barScale = 1;
        bool isDense = false; ///< as low as they can be read: a small name, with no room above and below
    };
    void setForm(const Form &form) { m_form = form; }
    int laneHeight(int barRows, int waitRows) const;
    const QFont &smallFont() const { return m_small; }
    const QFont &nameFont() const { return m_form.isDense ? m_small : m_font; }

    /// `place`: the lane's, of which the part to the right of the names is drawn upon.
    void drawLane(QPainter &painter, const QRectF &place, const LaneContent &content, int barRows,
                  const TimeScale &scale, LaneParts parts) const;
    /// Over all lanes: what everybody had.
    void drawBand(QPainter &painter, const QRectF &place, const LaneBand &band) const;
    void drawArrow(QPainter &painter, const QPointF &from, const QPointF &to) const;
    /// Over all lanes: hatched, where nothing is known.
    void drawUnknown(QPainter &painter, const QRectF &place) const;
    /// A pattern of a legend's entry.
    void drawSample(QPainter &painter, const QRectF &place, LanePart part) const;

private:
    struct PlacedMark
    {
        const LaneMark *mark;
        double x;
        bool isLine; ///< of many at one place, all but the first
    };
    /// From left to right.
    static std::vector<PlacedMark> placed(const QList<LaneMark> &marks, const TimeScale &scale);
    /// `marks`: those that stand on it.
    void drawBar(QPainter &painter, QRectF bar, const LaneBar &each, const QFont &font,
                 std::span<const PlacedMark> marks = {}) const;
    void drawLease(QPainter &painter, const LaneLease &lease, double top, const TimeScale &scale,
                   bool hasWedge, bool hasTick) const;
    void drawTick(QPainter &painter, const LaneLease &lease, double top, const TimeScale &scale,
                  bool isThere) const;
    void drawMark(QPainter &painter, const QRectF &place, const LaneMark &mark) const;
    void drawMarkShape(QPainter &painter, const QRectF &place, const LaneMark &mark) const;
    const QColor &colorOf(StatusColor color) const { return m_colors[size_t(color)]; }
    double barHeight(int barRows) const;
    double leaseHeight() const;
    double leaseGap() const;
    int padding() const;

    QPalette m_palette;
    QFont m_font;
    QFont m_small;
    QFontMetrics m_metrics;
    QFontMetrics m_smallMetrics;
    Form m_form;
    std::array<QColor, size_t(StatusColor::Good) + 1> m_colors;
    std::array<QColor, size_t(StatusColor::Good) + 1> m_fills; ///< of bars
    QColor m_leaseFill;
    mutable std::map<std::pair<int, StatusColor>, QPixmap>
        m_marks; ///< as they were drawn last: hundreds may be in sight
    mutable double m_markRatio = 0;
};

} // namespace lockscope
