// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;

namespace lockscope {

class MainActions;

class LayoutMenu : public QObject
{
    Q_OBJECT

public:
    /// Fills `menu` each time it opens. `menu` and `commands` must outlive this.
    LayoutMenu(QMenu &menu, MainActions &commands, QWidget *window);

    void save(const QByteArray &layout);

signals:
    void chosen(const QByteArray &layout);

private:
    void fill();

    QMenu &m_menu;
    MainActions &m_commands;
    QWidget *m_window;
};

} // namespace lockscope
