// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;

namespace lockscope {

class MainActions;

/// The menu of the layouts that the user has saved.
class LayoutMenu : public QObject
{
    Q_OBJECT

public:
    /// Fills `menu`, and again each time it opens. Both must outlive this.
    LayoutMenu(QMenu &menu, MainActions &commands, QWidget *window);

    /// Asks for a name and saves `layout` under it.
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
