// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanepainter.h"
#include "ui/lanes/timescale.h"

#include <QAbstractScrollArea>

#include <optional>
#include <vector>

namespace lockscope {

/// Lanes of time below each other: names and what was so at one moment at the left, slices of time at the right. Knows nothing
/// of locks: a LaneSource says what is in a lane. Painting costs by what is in sight.
///
/// Mouse: the wheel scrolls the lanes, with Shift it moves through time, with Ctrl it zooms at the pointer; dragging moves
/// through time, with Shift it selects a time; a click chooses a lane. Keys: Left and Right move the cursor, with Ctrl the
/// time, with Shift they select; Up, Down and Page Up, Page Down choose a lane; + and - zoom, 0 shows all that is known;
/// Home the oldest, End now; Return opens the lane; Escape takes the selection back, then the cursor.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// Must outlive this.
    explicit LaneView(const LaneSource &source, QWidget *parent = nullptr);

    /// Shows others instead, over the same time. Must outlive this.
    void setSource(const LaneSource &source);
    /// Where not all lanes are in sight, those of a compact source become lower, at most down to their names' height.
    void setShrinking(bool on);
    /// Left out where another view's axis above is this one's, too.
    void setAxisShown(bool on);
    /// Other lanes, or others are chosen.
    void takeLanes();
    /// Time has passed, or something in the lanes is new.
    void takeTime();

    const TimeScale &scale() const { return m_scale; }
    void setSpan(qint64 spanMs);
    void setFollowing(bool on);
    void fit();
    /// Stands still there, as far as what is known reaches.
    void showTime(TimeRange time);
    /// Moves on as little as needed, so that the moment is in sight.
    void reveal(qint64 atMs);
    void setParts(LaneParts parts);
    LaneParts parts() const { return m_parts; }

    /// The moment that the names' column tells: the cursor's, or now.
    qint64 readMs() const;
    std::optional<qint64> cursor() const { return m_cursor; }
    void setCursorAt(std::optional<qint64> atMs);
    void keepCursorAt(qint64 atMs); ///< it stays there, wherever the pointer is
    const std::optional<TimeRange> &selection() const { return m_selection; }
    void setSelection(const std::optional<TimeRange> &time);
    void scrollToLane(int lane);
    int laneAt(int y) const; ///< -1: none
    /// Where the view, or a file, is drawn.
    struct Sheet
    {
        QSize size;
        int scrolled = 0; ///< pixels, of lanes that are not pinned
        bool hasFocus = false;
    };
    /// What is in sight, with names and axis; onto screen and file alike. The width must be the viewport's.
    void draw(QPainter &painter, const Sheet &sheet) const;
    int wholeHeight() const; ///< with every lane
    /// The one that keys start from: chosen here last, while no other is; -1: none.
    int currentLane() const;
    QSize sizeHint() const override;

signals:
    void laneChosen(int lane);
    void laneActivated(int lane); ///< Return, or a double click
    void selectionChanged();
    void scaleChanged(); ///< what is shown, or whether it follows
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
    void stackLanes(const LanePainter::Form &form);
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
    std::vector<int> m_tops{0}; ///< by lane, and the end of the last
    int m_namesWidth = 0;
    int m_axisHeight = 0; ///< 0: not shown
    bool m_isAxisShown = true;
    bool m_isShrinking = false;
    int m_current = -1; ///< chosen here last
    std::optional<qint64> m_cursor;
    bool m_isCursorKept = false; ///< set by a key: it stays where the pointer leaves
    std::optional<TimeRange> m_selection;
    std::optional<qint64> m_anchor; ///< where the selection began
    enum class Drag : quint8 { None, Pressed, Time, Select };
    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    qint64 m_pressedMs = 0;
};

} // namespace lockscope
