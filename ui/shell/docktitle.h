// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QDockWidget;
class QMenu;
class QToolButton;

namespace lockscope {

class ElidedLabel;

/// The line above a panel: its name, unless a tab beside it has that, and the buttons that move it, take it out of the window and
/// close it. Dragging it moves the dock, too.
class DockTitle : public QWidget
{
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget *dock);

    /// In a row of tabs the name would stand there twice.
    void setTabbed(bool isTabbed);

signals:
    /// To the edge of the window.
    void moveRequested(Qt::DockWidgetArea to);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    QToolButton *addButton(const QIcon &icon);
    void buildPlaces();
    void showName();

    QDockWidget *m_dock;
    ElidedLabel *m_name;
    QMenu *m_places;
    QToolButton *m_move;
    QToolButton *m_float;
    QToolButton *m_close;
};

} // namespace lockscope
