// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QToolButton;

namespace lockscope {

class ElidedLabel;

/// The line above a panel: its name, and the buttons that take it out of the window and close it. Dragging it moves the dock.
class DockTitle : public QWidget
{
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget *dock);

private:
    QToolButton *addButton(const QIcon &icon);
    void showName();

    QDockWidget *m_dock;
    ElidedLabel *m_name;
    QToolButton *m_float;
    QToolButton *m_close;
};

} // namespace lockscope
