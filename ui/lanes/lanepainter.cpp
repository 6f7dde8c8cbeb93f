// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanepainter.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope {

namespace {

constexpr int lanePadding = 4;
constexpr int compactPadding = 3;
constexpr int barGap = 1;
constexpr double leaseHeight = 6;
constexpr double leaseGap = 2;
constexpr double thinnestLease = 1;
constexpr double smallShare = 0.86;
constexpr int deepestDrawn = 4;
constexpr double markSize = 11;
constexpr int markPicture = 15; // with its ground
constexpr int maxBeside = 3;    // marks
constexpr double narrowestText = 18;
constexpr qsizetype fewestElided = 6; // characters: less names nobody
constexpr double leastTickGap = 4;    // between renewals
constexpr double solidShare = 0.26;   // of a bar's color over the ground
constexpr double leaseShare = 0.75;
constexpr double leastSlope = 0.5; // pixels

QColor barFill(const QColor &color, const QColor &ground, double share)
{
    const auto channel = [share](int over, int below) { return qRound(over * share + below * (1 - share)); };
    return {channel(color.red(), ground.red()), channel(color.green(), ground.green()),
            channel(color.blue(), ground.blue())};
}

QFont smallerFont(QFont font)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * smallShare);
    else
        font.setPixelSize(std::max(1, qRound(font.pixelSize() * smallShare)));
    return font;
}

/// Returns the visible part and a little more: painters are slow with very long shapes.
QRectF spanOf(const TimeRange &time, const TimeScale &scale)
{
    const double left = std::max(scale.xOf(time.fromMs), scale.left() - 4);
    const double right = std::min(scale.xOf(time.toMs), scale.left() + scale.width() + 4);
    return {left, 0, std::max(right - left, 1.0), 0};
}

/// Returns where text of this width meets no mark.
template <typename Marks>
double wordsBegin(double left, double width, const Marks &marks)
{
    constexpr double side = markPicture / 2.0;
    auto mark = std::ranges::lower_bound(marks, left - side, {}, [](const auto &each) { return each.x; });
    for (; mark != marks.end() && mark->x - side < left + width; ++mark)
        left = std::max(left, mark->x + side);
    return left;
}

} // namespace

LanePainter::LanePainter(const QFont &font, const QPalette &palette)
    : m_palette(palette), m_font(font), m_small(smallerFont(font)), m_metrics(font), m_smallMetrics(m_small)
{
    const QColor ground = palette.color(QPalette::Base);
    for (size_t i = 0; i < m_colors.size(); ++i) {
        m_colors[i] = textColor(StatusColor(i), palette);
        m_fills[i] = barFill(m_colors[i], ground, solidShare);
    }
    m_leaseFill = barFill(colorOf(StatusColor::Held), ground, leaseShare);
}

double LanePainter::barHeight(int barRows) const
{
    return std::round((barRows > 1 ? m_smallMetrics.height() : m_metrics.height() + 1) * m_barScale);
}

int LanePainter::laneHeight(int barRows, int waitRows) const
{
    const int bars = qRound(barRows * (barHeight(barRows) + barGap) + leaseGap + leaseHeight);
    const int waits = waitRows * (m_smallMetrics.height() + barGap);
    const int words = m_metrics.height() + (m_isCompact ? 0 : m_smallMetrics.height());
    return 2 * padding() + std::max(bars + waits, words);
}

int LanePainter::padding() const
{
    return m_isCompact ? compactPadding : lanePadding;
}

void LanePainter::drawLane(QPainter &painter, const QRectF &place, const LaneContent &content, int barRows,
                           const TimeScale &scale, LaneParts parts) const
{
    const double top = place.top() + padding();
    const double height = barHeight(barRows);
    const double leaseTop = top + barRows * (height + barGap) + leaseGap;
    const double waitTop = leaseTop + leaseHeight + barGap;
    if (parts & LanePart::Unknown) {
        for (const LaneBar &each : content.bars) {
            if (each.look != LaneBar::Look::Unknown)
                continue;
            const QRectF span = spanOf(each.time, scale);
            drawUnknown(painter, QRectF(span.left(), place.top() + 1, span.width(), place.height() - 2));
        }
    }
    const std::vector<PlacedMark> marks =
        parts & LanePart::Endings ? placed(content.marks, scale) : std::vector<PlacedMark>();
    for (const LaneBar &each : content.bars) {
        const LanePart part = each.look == LaneBar::Look::Hatched   ? LanePart::Waits
                              : each.look == LaneBar::Look::Crossed ? LanePart::Overlaps
                                                                    : LanePart::Holds;
        if (each.look == LaneBar::Look::Unknown || !(parts & part))
            continue;
        QRectF bar = spanOf(each.time, scale);
        bar.moveTop(top + each.row * (height + barGap));
        bar.setHeight(height);
        drawBar(painter, bar, each, barRows > 1 ? m_small : m_font,
                each.row == 0 ? std::span<const PlacedMark>(marks) : std::span<const PlacedMark>());
    }
    if (parts & LanePart::Leases || parts & LanePart::Renewals) {
        double lastTick = scale.left() - leastTickGap;
        for (const LaneLease &lease : content.leases) {
            const double x = scale.xOf(lease.time.fromMs);
            const bool hasTick =
                lease.beginsByRenewal && parts & LanePart::Renewals && x - lastTick >= leastTickGap;
            drawLease(painter, lease, leaseTop, scale, parts & LanePart::Leases, hasTick);
            lastTick = hasTick ? x : lastTick;
        }
    }
    if (parts & LanePart::Waits) {
        for (const LaneBar &each : content.waits) {
            QRectF bar = spanOf(each.time, scale);
            bar.moveTop(waitTop + each.row * (m_smallMetrics.height() + barGap));
            bar.setHeight(m_smallMetrics.height());
            drawBar(painter, bar, each, m_small);
        }
    }
    for (const PlacedMark &each : marks) {
        if (each.isLine)
            painter.fillRect(QRectF(each.x - 0.5, top, 1, height), colorOf(each.mark->color));
        else
            drawMark(painter,
                     QRectF(each.x - markSize / 2, top + (height - markSize) / 2, markSize, markSize),
                     *each.mark);
    }
}

/// Places a few marks side by side; of many, draws the first and lines for the others.
std::vector<LanePainter::PlacedMark> LanePainter::placed(const QList<LaneMark> &marks, const TimeScale &scale)
{
    std::vector<PlacedMark> places;
    places.reserve(size_t(marks.size()));
    for (auto mark = marks.begin(); mark != marks.end();) {
        const double first = scale.xOf(mark->atMs);
        const auto behind = std::find_if(mark, marks.end(), [&](const LaneMark &other) {
            const double x = scale.xOf(other.atMs);
            return x < first || x - first >= markSize * 0.8;
        });
        const bool areFew = behind - mark <= maxBeside;
        for (auto each = mark; each != behind; ++each)
            places.push_back({&*each, areFew ? first + markSize * double(each - mark) : scale.xOf(each->atMs),
                              !areFew && each != mark});
        mark = behind;
    }
    if (!std::ranges::is_sorted(places, {}, &PlacedMark::x)) // some stand beside a group that is near
        std::ranges::stable_sort(places, {}, &PlacedMark::x);
    return places;
}

void LanePainter::drawBar(QPainter &painter, QRectF bar, const LaneBar &each, const QFont &font,
                          std::span<const PlacedMark> marks) const
{
    using Look = LaneBar::Look;
    const QColor &color = colorOf(each.color);
    const QColor &ground = m_palette.color(QPalette::Base);
    if (bar.width() < 2) { // only its color is to be seen
        painter.fillRect(bar, each.look == Look::Hatched ? barFill(color, ground, 0.6) : color);
        return;
    }
    // Its ends are lines only where it has them.
    const QRectF inner = bar.adjusted(each.isOpenLeft ? 0 : 1, 1, each.isOpenRight ? 0 : -1, -1);
    const QColor fill =
        each.depth > 1 ? barFill(color, ground, solidShare + 0.12 * std::min(each.depth - 1, deepestDrawn))
                       : m_fills[size_t(each.color)];
    switch (each.look) {
    case Look::Solid:
        painter.fillRect(bar, color);
        if (inner.width() > 0)
            painter.fillRect(inner, fill);
        break;
    case Look::Dense:
        painter.fillRect(bar, m_fills[size_t(each.color)]);
        painter.fillRect(bar, QBrush(color, Qt::VerPattern));
        return;
    case Look::Hatched:
        painter.fillRect(bar, QBrush(barFill(color, ground, 0.55), Qt::BDiagPattern));
        break;
    case Look::Crossed:
        painter.fillRect(bar, QBrush(barFill(color, ground, 0.6), Qt::DiagCrossPattern));
        break;
    case Look::Unknown:
        return;
    }
    if (each.look != Look::Solid) {
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), 1), color);
        painter.fillRect(QRectF(bar.left(), bar.bottom() - 1, bar.width(), 1), color);
        if (!each.isOpenLeft)
            painter.fillRect(QRectF(bar.left(), bar.top(), 1, bar.height()), color);
        if (!each.isOpenRight)
            painter.fillRect(QRectF(bar.right() - 1, bar.top(), 1, bar.height()), color);
    }
    for (int level = 1; level < std::min(each.depth, deepestDrawn) && bar.width() > 6; ++level)
        painter.fillRect(QRectF(bar.left(), bar.top() + 2 * level, bar.width(), 1), color);
    if (bar.width() < narrowestText || each.text.isEmpty())
        return;
    // Hatching and lines of a depth would run through the words.
    const QFontMetrics metrics(font);
    const double left = wordsBegin(bar.left() + 3, metrics.horizontalAdvance(each.text) + 4, marks);
    const QString text = metrics.elidedText(each.text, Qt::ElideMiddle, int(bar.right() - left) - 5);
    if (text != each.text && text.size() < fewestElided)
        return;
    const QRectF words(left, bar.top() + 1, metrics.horizontalAdvance(text) + 4, bar.height() - 2);
    if (each.look != Look::Solid || each.depth > 1)
        painter.fillRect(words, each.look == Look::Solid ? fill : ground);
    painter.setFont(font);
    painter.setPen(m_palette.color(QPalette::Text));
    painter.drawText(words.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
}

void LanePainter::drawLease(QPainter &painter, const LaneLease &lease, double top, const TimeScale &scale,
                            bool hasWedge, bool hasTick) const
{
    const QRectF span = spanOf(lease.time, scale);
    if (hasWedge) {
        if (lease.isEndless) {
            painter.setPen(QPen(colorOf(StatusColor::Endless), 2, Qt::DashLine));
            painter.drawLine(QPointF(span.left(), top + leaseHeight / 2),
                             QPointF(span.right(), top + leaseHeight / 2));
        } else {
            const double whole = std::max<double>(1, double(lease.time.toMs - lease.time.fromMs));
            const auto thickness = [&](double x) {
                const double share = (double(scale.atX(x)) - double(lease.time.fromMs)) / whole;
                return std::max(thinnestLease,
                                leaseHeight * (lease.shareFrom + (lease.shareTo - lease.shareFrom) *
                                                                     std::clamp(share, 0.0, 1.0)));
            };
            const double left = thickness(span.left()), right = thickness(span.right());
            const double bottom = top + leaseHeight;
            const QColor &color = m_leaseFill;
            // Thousands of them may be in sight, and of most no slope.
            if (span.width() < 3 || left - right < leastSlope) {
                painter.fillRect(QRectF(span.left(), bottom - left, span.width(), left), color);
                return drawTick(painter, lease, top, scale, hasTick);
            }
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawConvexPolygon(QPolygonF({{span.left(), bottom},
                                                 {span.left(), bottom - left},
                                                 {span.right(), bottom - right},
                                                 {span.right(), bottom}}));
            painter.setBrush(Qt::NoBrush);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    }
    drawTick(painter, lease, top, scale, hasTick);
}

void LanePainter::drawTick(QPainter &painter, const LaneLease &lease, double top, const TimeScale &scale,
                           bool isThere) const
{
    if (!isThere)
        return;
    const double x = scale.xOf(lease.time.fromMs);
    const QColor color = m_palette.color(QPalette::Text);
    painter.fillRect(QRectF(x - 0.5, top - 3, 1.5, leaseHeight + 3), color);
    painter.fillRect(QRectF(x - 1.5, top - 4, 3.5, 3), color);
}

void LanePainter::drawMark(QPainter &painter, const QRectF &place, const LaneMark &mark) const
{
    const QPaintEngine *engine = painter.paintEngine();
    if (!engine || engine->type() != QPaintEngine::Raster) // into a file: sharp at any size
        return drawMarkShape(painter, place, mark);
    const double ratio = painter.deviceTransform().m11();
    if (std::exchange(m_markRatio, ratio) != ratio)
        m_marks.clear();
    QPixmap &drawn = m_marks[std::pair(mark.glyph ? int(*mark.glyph) : -1, mark.color)];
    if (drawn.isNull()) {
        drawn = QPixmap(QSize(markPicture, markPicture) * ratio);
        drawn.setDevicePixelRatio(ratio);
        drawn.fill(Qt::transparent);
        QPainter inner(&drawn);
        constexpr double free = (markPicture - markSize) / 2;
        drawMarkShape(inner, QRectF(free, free, markSize, markSize), mark);
    }
    painter.drawPixmap((place.center() - QPointF(markPicture, markPicture) / 2).toPoint(), drawn);
}

void LanePainter::drawMarkShape(QPainter &painter, const QRectF &place, const LaneMark &mark) const
{
    const QColor &color = colorOf(mark.color);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_palette.color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawEllipse(place.adjusted(-1.5, -1.5, 1.5, 1.5));
    painter.setBrush(Qt::NoBrush);
    if (mark.glyph) {
        drawGlyph(painter, *mark.glyph, place, color);
    } else {
        painter.setFont(m_small);
        painter.setPen(color);
        painter.drawText(place.adjusted(-2, -2, 2, 2), Qt::AlignCenter, QStringLiteral("?"));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LanePainter::drawBand(QPainter &painter, const QRectF &place, const LaneBand &band) const
{
    QColor veil = colorOf(band.color);
    painter.fillRect(QRectF(place.left(), place.top(), 1, place.height()), veil);
    painter.fillRect(QRectF(place.right() - 1, place.top(), 1, place.height()), veil);
    veil.setAlphaF(0.16F);
    painter.fillRect(place, veil);
    if (place.width() < narrowestText || band.text.isEmpty())
        return;
    const QString text = m_smallMetrics.elidedText(band.text, Qt::ElideRight, int(place.width()) - 8);
    if (text != band.text && text.size() < fewestElided)
        return;
    painter.setFont(m_small);
    painter.setPen(colorOf(band.color));
    painter.drawText(place.adjusted(4, 0, 0, -2), Qt::AlignBottom | Qt::AlignLeft | Qt::TextSingleLine, text);
}

/// The end is above all bars and the start is a dot, to tell them apart.
void LanePainter::drawArrow(QPainter &painter, const QPointF &from, const QPointF &to) const
{
    const QColor color = m_palette.color(QPalette::Text);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    constexpr double head = 7, spread = 0.4, point = 2;
    const auto side = [&](double turn) {
        return to - head * QPointF(std::cos(angle + turn), std::sin(angle + turn));
    };
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.2));
    painter.drawLine(from, to);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawConvexPolygon(QPolygonF({to, side(spread), side(-spread)}));
    painter.drawEllipse(from, point, point);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LanePainter::drawUnknown(QPainter &painter, const QRectF &place) const
{
    // What was so before is seen through it: it may have gone on.
    QColor veil = m_palette.color(QPalette::Base);
    veil.setAlphaF(0.7F);
    painter.fillRect(place, veil);
    painter.fillRect(place, QBrush(outlineColor(m_palette), Qt::FDiagPattern));
}

void LanePainter::drawSample(QPainter &painter, const QRectF &place, LanePart part) const
{
    const double middle = place.center().y();
    switch (part) {
    case LanePart::Holds:
        drawBar(painter, place, {.depth = 1}, m_small);
        break;
    case LanePart::Waits:
        drawBar(painter, place, {.look = LaneBar::Look::Hatched, .color = StatusColor::Warning}, m_small);
        break;
    case LanePart::Leases:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(StatusColor::Held));
        painter.drawConvexPolygon(QPolygonF({{place.left(), middle + 3},
                                             {place.left(), middle - 3},
                                             {place.right(), middle + 2},
                                             {place.right(), middle + 3}}));
        break;
    case LanePart::Renewals:
        painter.fillRect(QRectF(place.center().x() - 0.5, middle - 4, 1.5, 9),
                         m_palette.color(QPalette::Text));
        painter.fillRect(QRectF(place.center().x() - 1.5, middle - 5, 3.5, 3),
                         m_palette.color(QPalette::Text));
        break;
    case LanePart::Endings:
        drawMark(painter,
                 QRectF(place.center().x() - markSize / 2, middle - markSize / 2, markSize, markSize),
                 {.glyph = Glyph::Hourglass, .color = StatusColor::Warning});
        break;
    case LanePart::Unknown:
        drawUnknown(painter, place);
        break;
    case LanePart::Overlaps:
        drawBar(painter, place, {.look = LaneBar::Look::Crossed, .color = StatusColor::Danger}, m_small);
        break;
    case LanePart::Messages:
        drawArrow(painter, {place.left() + 3, place.bottom() - 1}, {place.right() - 2, place.top() + 1});
        break;
    }
}

} // namespace lockscope
