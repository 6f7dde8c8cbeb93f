// SPDX-License-Identifier: GPL-3.0-or-later
// How a LaneView is drawn, on the screen and into files.
#include "ui/lanes/laneview.h"

#include "core/words/texts.h"

#include <QPainter>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int nameSide = 8;
constexpr int nameTop = 3;
constexpr int nameMarkWidth = 3;
constexpr int labelGap = 4;

} // namespace

QRect LaneView::lanePlace(int lane, const Sheet &sheet) const
{
    const int top = m_tops[size_t(lane)];
    const int scrolled = lane < m_source->pinnedLanes() ? 0 : sheet.scrolled;
    return {0, m_axisHeight + top - scrolled, sheet.size.width(), m_tops[size_t(lane) + 1] - top};
}

/// Files have no clipping: names and axis are drawn last, over everything else.
void LaneView::draw(QPainter &painter, const Sheet &sheet) const
{
    const QRect all(QPoint(), sheet.size);
    const QRect plot = all.adjusted(m_namesWidth, m_axisHeight, 0, 0);
    const QRect scrolled = plot.adjusted(0, pinnedHeight(), 0, 0);
    const int lanes = int(m_tops.size()) - 1;
    const int pinned = std::min(m_source->pinnedLanes(), lanes);
    paintGround(painter, all);
    LaneContent content;
    const auto above =
        std::upper_bound(m_tops.begin() + pinned, m_tops.end(), pinnedHeight() + sheet.scrolled);
    const int first = std::max(pinned, int(above - m_tops.begin()) - 1);
    int behind = first;
    for (; behind < lanes && lanePlace(behind, sheet).top() < all.bottom(); ++behind)
        paintLane(painter, behind, sheet, scrolled, content);
    if (pinned > 0)
        painter.setClipRect(all);
    if (pinned > 0)
        paintGround(painter, QRect(0, m_axisHeight, all.width(), pinnedHeight()));
    for (int lane = 0; lane < pinned; ++lane)
        paintLane(painter, lane, sheet, plot, content);
    painter.setClipRect(plot);
    paintAcross(painter, plot);
    painter.setClipRect(scrolled);
    if (m_parts & LanePart::Messages)
        paintArrows(painter, sheet);
    painter.setClipRect(all.adjusted(0, m_axisHeight + pinnedHeight(), 0, 0));
    for (int lane = first; lane < behind; ++lane)
        paintName(painter, lane, sheet);
    painter.setClipRect(all);
    for (int lane = 0; lane < pinned; ++lane)
        paintName(painter, lane, sheet);
    painter.setClipping(false);
    paintAxis(painter, QRect(m_namesWidth, 0, all.width() - m_namesWidth, m_axisHeight));
    painter.fillRect(QRect(m_namesWidth - 1, 0, 1, all.height()), borderColor(palette()));
    painter.fillRect(QRect(0, m_axisHeight - 1, all.width(), 1), borderColor(palette()));
    if (pinned > 0)
        painter.fillRect(QRect(0, m_axisHeight + pinnedHeight() - 1, all.width(), 1),
                         outlineColor(palette()));
    paintCursor(painter, plot);
}

/// Painted below the lanes, so that a mark of the first moment stays visible.
void LaneView::paintGround(QPainter &painter, const QRect &place) const
{
    painter.fillRect(place, palette().color(QPalette::Base));
    const double begin = m_scale.xOf(m_source->known().fromMs);
    if (begin > m_namesWidth && !m_source->isUnknownBefore())
        painter.fillRect(QRectF(m_namesWidth, place.top(), begin - m_namesWidth, place.height()),
                         palette().color(QPalette::Window));
}

void LaneView::paintLane(QPainter &painter, int lane, const Sheet &sheet, const QRect &within,
                         LaneContent &content) const
{
    const QRect place = lanePlace(lane, sheet);
    painter.setClipRect(within);
    if (m_source->isChosen(lane))
        painter.fillRect(place, ::lockscope::selection(palette(), sheet.hasFocus));
    painter.setClipRect(within & place);
    content.clear();
    m_source->fill(content, lane, m_scale.shown(), m_scale.stepMs());
    m_look.drawLane(painter, place, content, m_source->barRows(lane), m_scale, m_parts);
    painter.setClipRect(within);
    painter.fillRect(QRect(0, place.bottom(), place.width(), 1), borderColor(palette()));
}

void LaneView::paintName(QPainter &painter, int lane, const Sheet &sheet) const
{
    const QRect place = lanePlace(lane, sheet);
    const QRect ground(0, place.top(), m_namesWidth, place.height() - 1);
    painter.fillRect(ground, m_source->isChosen(lane) ? ::lockscope::selection(palette(), sheet.hasFocus)
                                                      : palette().color(QPalette::Base));
    painter.fillRect(QRect(0, place.bottom(), m_namesWidth, 1), borderColor(palette()));
    painter.fillRect(QRect(0, place.top(), nameMarkWidth, place.height() - 1),
                     textColor(m_source->laneColor(lane), palette()));
    const int height = fontMetrics().height();
    const int above = std::clamp((place.height() - height) / 2, 0, nameTop);
    const QRect words(nameSide, place.top() + above, m_namesWidth - 2 * nameSide, height);
    const auto write = [&](const QRect &where, const QFont &font, const QColor &color, Qt::TextElideMode mode,
                           const QString &text) {
        painter.setFont(font);
        painter.setPen(color);
        const QString shown = QFontMetrics(font).elidedText(text, mode, where.width());
        painter.drawText(where, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
        return QFontMetrics(font).horizontalAdvance(shown);
    };
    const int width =
        write(words, font(), palette().color(QPalette::Text), Qt::ElideMiddle, m_source->laneName(lane));
    const QFontMetrics small(m_look.smallFont());
    const QRect state = m_source->isCompact()
                            ? words.adjusted(width + nameSide, 0, 0, 0)
                            : QRect(words.left(), words.bottom() + 1, words.width(), small.height());
    if (state.width() > 0)
        write(state, m_look.smallFont(), textColor(StatusColor::Muted, palette()), Qt::ElideRight,
              m_source->stateText(lane, readMs()));
}

/// Draws what concerns all lanes: unknown time, events for all, the selection.
void LaneView::paintAcross(QPainter &painter, const QRect &place) const
{
    const auto across = [&](const TimeRange &time) {
        const double left = std::max(m_scale.xOf(time.fromMs), double(place.left()));
        const double right = std::min(m_scale.xOf(time.toMs), double(place.right() + 1));
        return QRectF(left, place.top(), right - left, place.height());
    };
    const TimeRange known = m_source->known();
    const bool showsUnknown = m_parts & LanePart::Unknown;
    const QRectF before = across({m_scale.shown().fromMs, known.fromMs});
    if (before.width() > 0 && m_source->isUnknownBefore() && showsUnknown)
        m_look.drawUnknown(painter, before);
    for (const LaneBand &band : m_source->bands(m_scale.shown())) {
        const QRectF part = across(band.time);
        if (part.width() > 0 && !band.isUnknown)
            m_look.drawBand(painter, part, band);
        else if (part.width() > 0 && showsUnknown)
            m_look.drawUnknown(painter, part);
    }
    for (const LaneLine &line : m_source->lines(m_scale.shown())) {
        const double x = m_scale.xOf(line.atMs);
        if (x < place.left())
            continue;
        painter.setPen(QPen(textColor(line.color, palette()), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    }
    if (m_selection) {
        const QRectF chosen = across(*m_selection);
        QColor veil = palette().color(QPalette::Base);
        veil.setAlphaF(0.55F);
        painter.fillRect(QRectF(place.left(), place.top(), chosen.left() - place.left(), place.height()),
                         veil);
        painter.fillRect(
            QRectF(chosen.right(), place.top(), place.right() + 1 - chosen.right(), place.height()), veil);
        const QColor edge = palette().color(QPalette::Active, QPalette::Highlight);
        painter.fillRect(QRectF(chosen.left() - 1, place.top(), 2, place.height()), edge);
        painter.fillRect(QRectF(chosen.right() - 1, place.top(), 2, place.height()), edge);
    }
    if (const double now = m_scale.xOf(m_source->shownUntilMs()); now < place.right()) {
        const double from = std::max(now, double(place.left()));
        painter.fillRect(QRectF(from, place.top(), place.right() + 1 - from, place.height()),
                         palette().color(QPalette::Window));
        painter.fillRect(QRectF(from, place.top(), 1, place.height()), outlineColor(palette()));
    }
}

void LaneView::paintArrows(QPainter &painter, const Sheet &sheet) const
{
    const int lanes = int(m_tops.size()) - 1;
    const qint64 until = m_source->shownUntilMs();
    for (const LaneArrow &arrow : m_source->arrows(m_scale.shown())) {
        if (std::max(arrow.fromLane, arrow.toLane) >= lanes || arrow.toMs > until)
            continue;
        m_look.drawArrow(painter,
                         {m_scale.xOf(arrow.fromMs), double(lanePlace(arrow.fromLane, sheet).center().y())},
                         {m_scale.xOf(arrow.toMs), double(lanePlace(arrow.toLane, sheet).center().y())});
    }
}

void LaneView::paintAxis(QPainter &painter, const QRect &place) const
{
    painter.fillRect(QRect(0, 0, place.right() + 1, m_axisHeight), palette().color(QPalette::Window));
    const auto stepFor = [this](const QString &sample, double room) {
        return m_source->labelStepMs(m_scale.leastStepMs(fontMetrics().horizontalAdvance(sample) * room));
    };
    const TimeRange shown = m_scale.shown();
    const qint64 rough = stepFor(QStringLiteral("00:00:00"), 1.6);
    const qint64 step = stepFor(m_source->timeText(shown.toMs, rough), 1.5);
    // On whole steps of the clock that people read.
    const qint64 shift = m_source->wallMs(shown.toMs) - shown.toMs;
    painter.setFont(font());
    for (qint64 at = (shown.fromMs + shift) / step * step - shift; at <= shown.toMs; at += step) {
        const double x = m_scale.xOf(at);
        if (x < place.left() || (at < m_source->known().fromMs && !m_source->isUnknownBefore()))
            continue;
        painter.fillRect(QRectF(x, m_axisHeight - 5, 1, 5), outlineColor(palette()));
        painter.setPen(textColor(StatusColor::Muted, palette()));
        const QString label = m_source->timeText(at, step);
        const QRectF words(x + labelGap, 0, fontMetrics().horizontalAdvance(label) + 1, m_axisHeight);
        if (words.right() <= place.right() + 1)
            painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, label);
    }
    painter.setPen(palette().color(QPalette::Text));
    painter.fillRect(QRect(0, 0, m_namesWidth, m_axisHeight), palette().color(QPalette::Window));
    painter.drawText(QRect(nameSide, 0, m_namesWidth - 2 * nameSide, m_axisHeight),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     m_cursor ? Texts::tr("At %1").arg(m_source->timeText(*m_cursor, 1))
                              : m_source->lastText());
}

void LaneView::paintCursor(QPainter &painter, const QRect &place) const
{
    if (!m_cursor)
        return;
    const double x = m_scale.xOf(*m_cursor);
    if (x < place.left() || x > place.right())
        return;
    painter.fillRect(QRectF(x, 0, 1, place.bottom() + 1), palette().color(QPalette::Text));
    const QString label = m_source->timeText(*m_cursor, 1);
    const int width = fontMetrics().horizontalAdvance(label) + 8;
    const double left = x + 2 + width > place.right() ? x - width - 1 : x + 2;
    const QRectF tag(left, 2, width, m_axisHeight - 4);
    painter.setFont(font());
    painter.fillRect(tag, palette().color(QPalette::Text));
    painter.setPen(palette().color(QPalette::Base));
    painter.drawText(tag, Qt::AlignCenter, label);
}

} // namespace lockscope
