// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanepainter.h"
#include "ui/lanes/timescale.h"

#include <QAbstractScrollArea>

#include <optional>
#include <vector>

namespace lockscope {

/// A view of time lanes: names and states of one moment on the left, time spans on the right. The content
/// comes from a LaneSource. Painting costs only what is visible.
///
/// Mouse: the wheel scrolls the lanes, with Shift through time, with Ctrl it zooms; dragging moves through
/// time, with Shift it selects a time; a click chooses a lane. Keys: Left and Right move the cursor, with
/// Ctrl the time, with Shift they select; Up, Down, Page Up and Page Down choose a lane; + and - zoom, 0
/// shows all, Home the oldest, End now; Return opens the lane; Escape clears the selection or the cursor.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// `source` must outlive this.
    explicit LaneView(const LaneSource &source, QWidget *parent = nullptr);

    /// Shows another source over the same time. `source` must outlive this.
    void setSource(const LaneSource &source);
    /// Call after a change of the lanes or of the chosen one.
    void takeLanes();
    /// Call when time has passed or lanes have new data.
    void takeTime();

    const TimeScale &scale() const { return m_scale; }
    void setSpan(qint64 spanMs);
    void setFollowing(bool on);
    void fit();
    /// Stops following and shows a time, as far as data is known.
    void showTime(TimeRange time);
    void reveal(qint64 atMs);
    void setParts(LaneParts parts);
    LaneParts parts() const { return m_parts; }

    /// Returns the moment described next to the names: the cursor's, or now.
    qint64 readMs() const;
    std::optional<qint64> cursor() const { return m_cursor; }
    void setCursorAt(std::optional<qint64> atMs);
    void keepCursorAt(qint64 atMs); ///< stays when the pointer moves
    const std::optional<TimeRange> &selection() const { return m_selection; }
    void setSelection(const std::optional<TimeRange> &time);
    void scrollToLane(int lane);
    int laneAt(int y) const; ///< -1 without one
    struct Sheet
    {
        QSize size;
        int scrolled = 0; ///< pixels; pinned lanes stay
        bool hasFocus = false;
    };
    /// Draws the visible lanes, names and axis. The width must be the viewport's.
    void draw(QPainter &painter, const Sheet &sheet) const;
    int wholeHeight() const; ///< with all lanes
    /// Returns the lane where keyboard steps start; -1: none.
    int currentLane() const;
    QSize sizeHint() const override;

signals:
    void laneChosen(int lane);
    void laneActivated(int lane); ///< by Return or a double click
    void selectionChanged();
    void scaleChanged(); ///< shown time or following
    void cursorChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void layOut();
    void paintGround(QPainter &painter, const QRect &place) const;
    void paintLane(QPainter &painter, int lane, const Sheet &sheet, const QRect &within,
                   LaneContent &content) const;
    void paintName(QPainter &painter, int lane, const Sheet &sheet) const;
    void paintAcross(QPainter &painter, const QRect &place) const;
    void paintArrows(QPainter &painter, const Sheet &sheet) const;
    void paintAxis(QPainter &painter, const QRect &place) const;
    void paintCursor(QPainter &painter, const QRect &place) const;
    void moveCursor(int pixels, bool selects);
    void stepLane(int by);
    void chooseLane(int lane);
    QRect lanePlace(int lane, const Sheet &sheet) const;
    int pinnedHeight() const;
    bool isInPlot(const QPoint &position) const;
    void changedScale();
    void selectTo(qint64 atMs);
    void hover(const QPoint &position);

    const LaneSource *m_source;
    LanePainter m_look;
    TimeScale m_scale;
    LaneParts m_parts = allLaneParts;
    std::vector<int> m_tops{0}; ///< by lane, then the end of the last
    int m_namesWidth = 0;
    int m_axisHeight = 0;
    int m_current = -1; ///< chosen here last
    std::optional<qint64> m_cursor;
    bool m_isCursorKept = false; ///< set by a key: stays when the pointer leaves
    std::optional<TimeRange> m_selection;
    std::optional<qint64> m_anchor;
    enum class Drag : quint8 { None, Pressed, Time, Select };
    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    qint64 m_pressedMs = 0;
};

} // namespace lockscope
