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

/// Draws a lane: bars of holds, below them the lease, then a row per waiter. Colors are always accompanied by
/// a texture, shape or word.
class LanePainter
{
public:
    LanePainter(const QFont &font, const QPalette &palette);

    /// `isCompact`: lower lanes with a one-line name.
    void setForm(bool isCompact, double barScale)
    {
        m_isCompact = isCompact;
        m_barScale = barScale;
    }
    int laneHeight(int barRows, int waitRows) const;
    const QFont &smallFont() const { return m_small; }

    /// `place`: the whole lane; draws only right of the names.
    void drawLane(QPainter &painter, const QRectF &place, const LaneContent &content, int barRows,
                  const TimeScale &scale, LaneParts parts) const;
    void drawBand(QPainter &painter, const QRectF &place, const LaneBand &band) const;
    void drawArrow(QPainter &painter, const QPointF &from, const QPointF &to) const;
    void drawUnknown(QPainter &painter, const QRectF &place) const;
    void drawSample(QPainter &painter, const QRectF &place, LanePart part) const;

private:
    struct PlacedMark
    {
        const LaneMark *mark;
        double x;
        bool isLine; ///< all but the first of many marks at one place
    };
    static std::vector<PlacedMark> placed(const QList<LaneMark> &marks, const TimeScale &scale);
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
    int padding() const;

    QPalette m_palette;
    QFont m_font;
    QFont m_small;
    QFontMetrics m_metrics;
    QFontMetrics m_smallMetrics;
    bool m_isCompact = false;
    double m_barScale = 1;
    std::array<QColor, size_t(StatusColor::Good) + 1> m_colors;
    std::array<QColor, size_t(StatusColor::Good) + 1> m_fills;
    QColor m_leaseFill;
    mutable std::map<std::pair<int, StatusColor>, QPixmap>
        m_marks; ///< cached pixmaps: hundreds may be visible
    mutable double m_markRatio = 0;
};

} // namespace lockscope
