// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QDockWidget;
class QMenu;
class QToolButton;

namespace lockscope {

class ElidedLabel;

/// The title line of a panel: its name and the buttons that move, float and close it. Dragging it moves the
/// dock.
class DockTitle : public QWidget
{
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget *dock);

    /// Hides the name, which the tab shows already.
    void setTabbed(bool isTabbed);

signals:
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
