// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace lockscope {

/// A menu and its commands, in their order.
struct CommandGroup
{
    QString name;
    QList<QAction *> actions;
};

/// All that the menus have, what is hidden left out; those of submenus stand in groups of their own, "View › Theme".
QList<CommandGroup> commandGroups(const QMenuBar &bar);

/// The command's words, without the mark of a mnemonic.
QString commandText(const QAction &action);
/// Its keys, as this platform writes them: "F5, Ctrl+R".
QString commandKeys(const QAction &action);

} // namespace lockscope
