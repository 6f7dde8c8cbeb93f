// SPDX-License-Identifier: GPL-3.0-or-later
// What a LaneView does for its user.
#include "ui/lanes/laneview.h"

#include "ui/widgets/plaintext.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

constexpr double zoomStep = 1.25;
constexpr int wheelStep = 120; // of an ordinary wheel, in eighths of a degree
constexpr int cursorStep = 8;  // pixels
constexpr int panShare = 4;    // of what is shown

} // namespace

void LaneView::changedScale()
{
    viewport()->update();
    emit scaleChanged();
}

void LaneView::setSpan(qint64 spanMs)
{
    m_scale.setSpan(spanMs);
    changedScale();
}

void LaneView::setFollowing(bool on)
{
    m_scale.setFollowing(on);
    changedScale();
}

void LaneView::fit()
{
    m_scale.setKnown(m_source->known());
    m_scale.fit();
    changedScale();
}

void LaneView::showTime(TimeRange time)
{
    if (time == m_scale.shown() && !m_scale.isFollowing())
        return;
    m_scale.setKnown(m_source->known());
    m_scale.show(time);
    changedScale();
}

void LaneView::reveal(qint64 atMs)
{
    m_scale.reveal(atMs);
    changedScale();
}

void LaneView::setParts(LaneParts parts)
{
    m_parts = parts;
    viewport()->update();
}

void LaneView::setCursorAt(std::optional<qint64> atMs)
{
    if (atMs == m_cursor)
        return;
    m_cursor = atMs;
    m_isCursorKept = m_isCursorKept && atMs;
    viewport()->update();
    emit cursorChanged();
}

void LaneView::keepCursorAt(qint64 atMs)
{
    m_isCursorKept = true;
    setCursorAt(atMs);
}

void LaneView::setSelection(const std::optional<TimeRange> &time)
{
    if (time == m_selection)
        return;
    m_selection = time;
    if (!time)
        m_anchor.reset();
    viewport()->update();
    emit selectionChanged();
}

void LaneView::selectTo(qint64 atMs)
{
    const TimeRange known = m_source->known();
    const qint64 anchor = std::clamp(m_anchor.value_or(atMs), known.fromMs, known.toMs);
    const qint64 other = std::clamp(atMs, known.fromMs, known.toMs);
    setSelection(TimeRange{std::min(anchor, other), std::max(anchor, other)});
}

int LaneView::currentLane() const
{
    const int lanes = m_source->laneCount();
    if (m_current >= 0 && m_current < lanes && m_source->isChosen(m_current))
        return m_current;
    for (int lane = 0; lane < lanes; ++lane) {
        if (m_source->isChosen(lane))
            return lane;
    }
    return m_current < lanes ? m_current : -1; // what is gone cannot be chosen
}

void LaneView::chooseLane(int lane)
{
    m_current = lane;
    emit laneChosen(lane);
}

void LaneView::scrollToLane(int lane)
{
    if (lane < m_source->pinnedLanes() || lane + 1 >= int(m_tops.size()))
        return;
    const int room = viewport()->height() - m_axisHeight;
    const int top = m_tops[size_t(lane)] - pinnedHeight(), bottom = m_tops[size_t(lane) + 1];
    QScrollBar *bar = verticalScrollBar();
    bar->setValue(std::clamp(bar->value(), bottom - room, std::max(top, bottom - room)));
}

void LaneView::stepLane(int by)
{
    const int lanes = m_source->laneCount();
    if (lanes == 0)
        return;
    const int chosen = currentLane();
    const int next = chosen < 0 ? std::max(laneAt(m_axisHeight), 0) : std::clamp(chosen + by, 0, lanes - 1);
    chooseLane(next);
    scrollToLane(next);
}

/// Without a cursor, puts it at now or in the middle of the shown time.
void LaneView::moveCursor(int pixels, bool selects)
{
    const TimeRange known = m_source->known();
    const qint64 at =
        m_cursor.value_or(m_scale.isFollowing() ? known.toMs : m_scale.shown().fromMs + m_scale.spanMs() / 2);
    if (selects && !m_anchor)
        m_anchor = at;
    const qint64 next =
        std::clamp(at + pixels * std::max<qint64>(m_scale.stepMs(), 1), known.fromMs, known.toMs);
    m_isCursorKept = true;
    setCursorAt(next);
    m_scale.reveal(next);
    changedScale();
    if (selects)
        selectTo(next);
}

void LaneView::keyPressEvent(QKeyEvent *event)
{
    const bool isShift = event->modifiers() & Qt::ShiftModifier;
    const bool isControl = event->modifiers() & Qt::ControlModifier;
    const qint64 middle = m_cursor.value_or(m_scale.shown().fromMs + m_scale.spanMs() / 2);
    const auto page = [this] {
        const int height = m_look.laneHeight(1, 0);
        return std::max(1, (viewport()->height() - m_axisHeight) / height - 1);
    };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int way = event->key() == Qt::Key_Right ? 1 : -1;
        if (isControl) {
            m_scale.pan(way * m_scale.spanMs() / panShare);
            changedScale();
        } else {
            moveCursor(way * cursorStep, isShift);
        }
        return;
    }
    case Qt::Key_Up:
        return stepLane(-1);
    case Qt::Key_Down:
        return stepLane(1);
    case Qt::Key_PageUp:
        return stepLane(-page());
    case Qt::Key_PageDown:
        return stepLane(page());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_scale.zoom(1 / zoomStep, middle);
        return changedScale();
    case Qt::Key_Minus:
        m_scale.zoom(zoomStep, middle);
        return changedScale();
    case Qt::Key_0:
        return fit();
    case Qt::Key_Home:
        m_scale.showFirst();
        return changedScale();
    case Qt::Key_End:
        m_isCursorKept = false;
        setCursorAt(std::nullopt);
        return setFollowing(true);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const int lane = currentLane(); lane >= 0)
            emit laneActivated(lane);
        return;
    case Qt::Key_Escape:
        if (m_selection)
            return setSelection(std::nullopt);
        if (m_cursor)
            return setCursorAt(std::nullopt);
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

/// Escape first clears what this view shows; the window uses it otherwise.
bool LaneView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && (m_selection || m_cursor)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        viewport()->update();
    return QAbstractScrollArea::event(event);
}

bool LaneView::isInPlot(const QPoint &position) const
{
    return position.x() >= m_namesWidth;
}

void LaneView::wheelEvent(QWheelEvent *event)
{
    const QPoint turned = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        const double steps = double(turned.y()) / wheelStep;
        m_scale.zoom(std::pow(zoomStep, -steps), m_scale.atX(event->position().x()));
        changedScale();
    } else if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y())) {
        const int way = turned.x() != 0 ? turned.x() : turned.y();
        m_scale.pan(-m_scale.spanMs() * way / (wheelStep * 10));
        changedScale();
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void LaneView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->position().toPoint();
    m_pressedMs = m_scale.atX(event->position().x());
    m_drag = Drag::Pressed;
    if (event->modifiers() & Qt::ShiftModifier && isInPlot(m_pressedAt)) {
        m_drag = Drag::Select;
        m_anchor = m_pressedMs;
    }
}

void LaneView::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint position = event->position().toPoint();
    if (m_drag == Drag::Pressed && isInPlot(m_pressedAt) &&
        std::abs(position.x() - m_pressedAt.x()) >= QApplication::startDragDistance()) {
        m_drag = Drag::Time;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Time) {
        // What was pressed stays below the pointer.
        m_scale.pan(m_pressedMs - m_scale.atX(event->position().x()));
        changedScale();
    } else if (m_drag == Drag::Select) {
        selectTo(m_scale.atX(event->position().x()));
    }
    hover(position);
}

void LaneView::hover(const QPoint &position)
{
    if (m_isCursorKept)
        return;
    const qint64 at = m_scale.atX(position.x());
    const TimeRange known = m_source->known();
    const bool isThere = isInPlot(position) && at >= known.fromMs && at <= known.toMs;
    setCursorAt(isThere ? std::optional(at) : std::nullopt);
}

void LaneView::mouseReleaseEvent(QMouseEvent *event)
{
    const QPoint position = event->position().toPoint();
    const Drag was = std::exchange(m_drag, Drag::None);
    viewport()->unsetCursor();
    if (was == Drag::Select && m_selection && m_selection->fromMs == m_selection->toMs)
        setSelection(std::nullopt);
    if (was != Drag::Pressed)
        return;
    m_isCursorKept = false;
    hover(position);
    if (const int lane = laneAt(position.y()); lane >= 0)
        chooseLane(lane);
}

void LaneView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const int lane = laneAt(event->position().toPoint().y()); lane >= 0)
        emit laneActivated(lane);
}

bool LaneView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave && !m_isCursorKept)
        setCursorAt(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int lane = laneAt(help->pos().y());
        const QString text =
            lane < 0
                ? QString()
                : m_source->toolTip(lane, isInPlot(help->pos()) ? m_scale.atX(help->pos().x()) : readMs());
        QToolTip::showText(help->globalPos(), text.isEmpty() ? text : plainToolTip(text), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace lockscope
