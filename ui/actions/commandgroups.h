// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace lockscope {

struct CommandGroup
{
    QString name;
    QList<QAction *> actions;
};

/// Returns all visible commands of the menus; submenus are groups of their own such as "View › Theme".
QList<CommandGroup> commandGroups(const QMenuBar &bar);

QString commandText(const QAction &action);
/// Returns the shortcuts in the platform's notation: "F5, Ctrl+R".
QString commandKeys(const QAction &action);

} // namespace lockscope
