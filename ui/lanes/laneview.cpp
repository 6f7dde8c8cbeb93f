// SPDX-License-Identifier: GPL-3.0-or-later
// What a LaneView shows, and how it lays out; laneviewpaint.cpp draws it.
#include "ui/lanes/laneview.h"

#include "ui/widgets/measure.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int namePadding = 8;
constexpr int hintedLetters = 120;  // of the width
constexpr double namesShare = 0.28; // of the width, at most
constexpr int axisPadding = 4;
constexpr int shownLanes = 6;
constexpr int focusFrame = 2;

} // namespace

LaneView::LaneView(const LaneSource &source, QWidget *parent)
    : QAbstractScrollArea(parent), m_source(&source), m_look(font(), palette())
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // draw() fills all of it
    layOut();
}

QSize LaneView::sizeHint() const
{
    return {latinWidth(fontMetrics(), hintedLetters), m_axisHeight + shownLanes * m_look.laneHeight(1, 1)};
}

void LaneView::layOut()
{
    m_axisHeight = fontMetrics().height() + 2 * axisPadding;
    m_namesWidth = std::min(latinWidth(fontMetrics(), m_source->nameLetters()) + 2 * namePadding,
                            int(viewport()->width() * namesShare));
    m_scale.setPlace(m_namesWidth, viewport()->width() - m_namesWidth);
    const int room = viewport()->height() - m_axisHeight;
    m_look.setForm(m_source->isCompact(), m_source->barScale());
    m_tops.assign(1, 0);
    for (int lane = 0; lane < m_source->laneCount(); ++lane)
        m_tops.push_back(m_tops.back() +
                         m_look.laneHeight(m_source->barRows(lane), m_source->waitRows(lane)));
    verticalScrollBar()->setPageStep(std::max(room - pinnedHeight(), 1));
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
    return m_cursor.value_or(m_source->shownUntilMs());
}

int LaneView::laneAt(int y) const
{
    const bool isPinned = y - m_axisHeight < pinnedHeight();
    const int within = y - m_axisHeight + (isPinned ? 0 : verticalScrollBar()->value());
    if (y < m_axisHeight || within >= m_tops.back())
        return -1;
    return int(std::upper_bound(m_tops.begin(), m_tops.end(), within) - m_tops.begin()) - 1;
}

int LaneView::pinnedHeight() const
{
    return m_tops[std::min(size_t(std::max(m_source->pinnedLanes(), 0)), m_tops.size() - 1)];
}

int LaneView::wholeHeight() const
{
    return m_axisHeight + m_tops.back();
}

void LaneView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    draw(painter, {viewport()->size(), verticalScrollBar()->value(), hasFocus()});
    // There may be no chosen lane in sight that shows it.
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) {
        painter.setClipping(false);
        painter.setPen(QPen(palette().color(QPalette::Active, QPalette::Highlight), focusFrame, Qt::SolidLine,
                            Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
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
