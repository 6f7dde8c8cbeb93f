// SPDX-License-Identifier: GPL-3.0-or-later
// What a LaneView shows, and how it lays out.
#include "ui/lanes/laneview.h"

#include "ui/widgets/measure.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

constexpr int namePadding = 8;
constexpr int nameMarkWidth = 3;
constexpr int nameCharacters = 40;
constexpr double namesShare = 0.28; // of the width, at most
constexpr int axisPadding = 4;
constexpr int shownLanes = 6;

} // namespace

LaneView::LaneView(const LaneSource &source, QWidget *parent)
    : QAbstractScrollArea(parent), m_source(&source), m_look(font(), palette())
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    layOut();
}

QSize LaneView::sizeHint() const
{
    return {latinWidth(fontMetrics(), 3 * nameCharacters),
            m_axisHeight + shownLanes * m_look.laneHeight(1, 1)};
}

void LaneView::layOut()
{
    m_axisHeight = fontMetrics().height() + 2 * axisPadding;
    m_namesWidth = std::min(latinWidth(fontMetrics(), nameCharacters) + 2 * namePadding,
                            int(viewport()->width() * namesShare));
    m_scale.setPlace(m_namesWidth, viewport()->width() - m_namesWidth);
    m_tops.assign(1, 0);
    for (int lane = 0; lane < m_source->laneCount(); ++lane)
        m_tops.push_back(m_tops.back() +
                         m_look.laneHeight(m_source->barRows(lane), m_source->waitRows(lane)));
    const int room = viewport()->height() - m_axisHeight;
    verticalScrollBar()->setPageStep(std::max(room, 1));
    verticalScrollBar()->setSingleStep(m_look.laneHeight(1, 0));
    verticalScrollBar()->setRange(0, std::max(m_tops.back() - room, 0));
}

void LaneView::setSource(const LaneSource &source)
{
    m_source = &source;
    takeLanes();
    takeTime();
}

void LaneView::takeLanes()
{
    layOut();
    viewport()->update();
}

void LaneView::takeTime()
{
    m_scale.setKnown(m_source->known());
    viewport()->update();
}

qint64 LaneView::readMs() const
{
    return m_cursor.value_or(m_source->known().toMs);
}

int LaneView::laneAt(int y) const
{
    const int within = y - m_axisHeight + verticalScrollBar()->value();
    if (y < m_axisHeight || within >= m_tops.back())
        return -1;
    return int(std::upper_bound(m_tops.begin(), m_tops.end(), within) - m_tops.begin()) - 1;
}

QRect LaneView::lanePlace(int lane) const
{
    const int top = m_tops[size_t(lane)];
    return {0, m_axisHeight + top - verticalScrollBar()->value(), viewport()->width(),
            m_tops[size_t(lane) + 1] - top};
}

void LaneView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const QRect all = viewport()->rect();
    const QRect plot = all.adjusted(m_namesWidth, m_axisHeight, 0, 0);
    const auto inSight = [&](int lane) { return lane >= 0 && lane + 1 < int(m_tops.size()); };
    LaneContent content;
    painter.setClipRect(all.adjusted(0, m_axisHeight, 0, 0));
    for (int lane = laneAt(m_axisHeight); inSight(lane) && lanePlace(lane).top() < all.bottom(); ++lane) {
        const QRect place = lanePlace(lane);
        if (m_source->isChosen(lane))
            painter.fillRect(place, ::lockscope::selection(palette(), hasFocus()));
        painter.setClipRect(plot & place);
        paintLane(painter, lane, place, content);
        painter.setClipRect(all.adjusted(0, m_axisHeight, 0, 0));
        paintName(painter, lane, place);
        painter.fillRect(QRect(0, place.bottom(), all.width(), 1), borderColor(palette()));
    }
    painter.setClipRect(plot);
    paintAcross(painter, plot);
    paintArrows(painter);
    painter.setClipping(false);
    paintAxis(painter, QRect(m_namesWidth, 0, all.width() - m_namesWidth, m_axisHeight));
    painter.fillRect(QRect(m_namesWidth - 1, 0, 1, all.height()), borderColor(palette()));
    painter.fillRect(QRect(0, m_axisHeight - 1, all.width(), 1), borderColor(palette()));
    paintCursor(painter, plot);
}

void LaneView::paintLane(QPainter &painter, int lane, const QRect &place, LaneContent &content) const
{
    content.clear();
    m_source->fill(content, lane, m_scale.shown(), m_scale.stepMs());
    m_look.drawLane(painter, place, content, m_source->barRows(lane), m_scale, m_parts);
}

void LaneView::paintName(QPainter &painter, int lane, const QRect &place) const
{
    painter.fillRect(QRect(0, place.top(), nameMarkWidth, place.height() - 1),
                     textColor(m_source->laneColor(lane), palette()));
    const QRect words(namePadding, place.top() + 3, m_namesWidth - 2 * namePadding, fontMetrics().height());
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_source->laneName(lane), Qt::ElideMiddle, words.width()));
    const QFontMetrics small(m_look.smallFont());
    painter.setFont(m_look.smallFont());
    painter.setPen(textColor(StatusColor::Muted, palette()));
    const QRect below(words.left(), words.bottom() + 1, words.width(), small.height());
    painter.drawText(below, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     small.elidedText(m_source->stateText(lane, readMs()), Qt::ElideRight, below.width()));
}

/// What concerns all lanes: what nobody saw, what happened to all, the chosen time.
void LaneView::paintAcross(QPainter &painter, const QRect &place) const
{
    const auto across = [&](const TimeRange &time) {
        const double left = std::max(m_scale.xOf(time.fromMs), double(place.left()));
        const double right = std::min(m_scale.xOf(time.toMs), double(place.right() + 1));
        return QRectF(left, place.top(), right - left, place.height());
    };
    const TimeRange known = m_source->known();
    if (m_parts & LanePart::Unknown) {
        if (const QRectF before = across({m_scale.shown().fromMs, known.fromMs}); before.width() > 0)
            m_look.drawUnknown(painter, before);
        for (const LaneBand &band : m_source->bands(m_scale.shown())) {
            if (const QRectF part = across(band.time); part.width() > 0)
                m_look.drawUnknown(painter, part);
        }
    }
    for (const LaneLine &line : m_source->lines(m_scale.shown())) {
        painter.setPen(QPen(textColor(line.color, palette()), 1, Qt::DashLine));
        const double x = m_scale.xOf(line.atMs);
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
    if (const double now = m_scale.xOf(known.toMs); now < place.right()) {
        QColor ahead = palette().color(QPalette::Window);
        painter.fillRect(QRectF(now, place.top(), place.right() + 1 - now, place.height()), ahead);
        painter.fillRect(QRectF(now, place.top(), 1, place.height()), outlineColor(palette()));
    }
}

void LaneView::paintArrows(QPainter &painter) const
{
    const int lanes = m_source->laneCount();
    for (const LaneArrow &arrow : m_source->arrows(m_scale.shown())) {
        if (std::max(arrow.fromLane, arrow.toLane) >= lanes)
            continue;
        const QPointF from(m_scale.xOf(arrow.fromMs), lanePlace(arrow.fromLane).center().y());
        const QPointF to(m_scale.xOf(arrow.toMs), lanePlace(arrow.toLane).center().y());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Text), 1.2));
        painter.drawLine(from, to);
        const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
        constexpr double head = 6, spread = 0.45;
        for (const double side : {-spread, spread})
            painter.drawLine(to, to - head * QPointF(std::cos(angle + side), std::sin(angle + side)));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void LaneView::paintAxis(QPainter &painter, const QRect &place) const
{
    painter.fillRect(QRect(0, 0, viewport()->width(), m_axisHeight), palette().color(QPalette::Window));
    const qint64 rough =
        m_scale.labelStepMs(fontMetrics().horizontalAdvance(QStringLiteral("00:00:00")) * 1.6);
    const QString sample = TimeScale::labelOf(0, rough);
    const qint64 step = m_scale.labelStepMs(fontMetrics().horizontalAdvance(sample) * 1.5);
    const TimeRange shown = m_scale.shown();
    // On whole steps of the clock that people read.
    const qint64 shift = m_source->wallMs(shown.toMs) - shown.toMs;
    painter.setFont(font());
    for (qint64 at = (shown.fromMs + shift) / step * step - shift; at <= shown.toMs; at += step) {
        const double x = m_scale.xOf(at);
        if (x < place.left())
            continue;
        painter.fillRect(QRectF(x, m_axisHeight - 5, 1, 5), outlineColor(palette()));
        painter.setPen(textColor(StatusColor::Muted, palette()));
        painter.drawText(QRectF(x + 4, 0, 400, m_axisHeight),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         TimeScale::labelOf(m_source->wallMs(at), step));
    }
    painter.setPen(palette().color(QPalette::Text));
    painter.fillRect(QRect(0, 0, m_namesWidth, m_axisHeight), palette().color(QPalette::Window));
    painter.drawText(QRect(namePadding, 0, m_namesWidth - 2 * namePadding, m_axisHeight),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     m_cursor ? tr("At %1").arg(TimeScale::labelOf(m_source->wallMs(*m_cursor), 1))
                              : tr("Now"));
}

void LaneView::paintCursor(QPainter &painter, const QRect &place) const
{
    if (!m_cursor)
        return;
    const double x = m_scale.xOf(*m_cursor);
    if (x < place.left() || x > place.right())
        return;
    painter.fillRect(QRectF(x, 0, 1, viewport()->height()), palette().color(QPalette::Text));
    const QString label = TimeScale::labelOf(m_source->wallMs(*m_cursor), 1);
    const int width = fontMetrics().horizontalAdvance(label) + 8;
    const double left = x + 2 + width > place.right() ? x - width - 1 : x + 2;
    const QRectF tag(left, 2, width, m_axisHeight - 4);
    painter.fillRect(tag, palette().color(QPalette::Text));
    painter.setPen(palette().color(QPalette::Base));
    painter.drawText(tag, Qt::AlignCenter, label);
}

void LaneView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void LaneView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange ||
        event->type() == QEvent::StyleChange) {
        m_look = LanePainter(font(), palette());
        layOut();
        viewport()->update();
    }
}

} // namespace lockscope
