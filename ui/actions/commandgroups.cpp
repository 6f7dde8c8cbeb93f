// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandgroups.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

namespace lockscope {

namespace {

QString plain(QString text)
{
    // "Key(&K)" is how Chinese menus have it.
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&"));
    // A name's own "&" is written twice.
    constexpr QChar kept(QChar::ReplacementCharacter);
    return text.replace(QLatin1String("&&"), QString(kept)).remove(mnemonic).replace(kept, u'&');
}

void addGroup(QList<CommandGroup> &groups, const QString &name, const QMenu &menu)
{
    CommandGroup group{name, {}};
    QList<CommandGroup> below;
    for (QAction *action : menu.actions()) {
        if (action->menu())
            addGroup(below, name + QStringLiteral(" › ") + plain(action->text()), *action->menu());
        else if (!action->isSeparator() && action->isVisible())
            group.actions.append(action);
    }
    if (!group.actions.isEmpty())
        groups.append(group);
    groups.append(below);
}

} // namespace

QList<CommandGroup> commandGroups(const QMenuBar &bar)
{
    QList<CommandGroup> groups;
    for (const QAction *action : bar.actions()) {
        if (action->menu())
            addGroup(groups, plain(action->text()), *action->menu());
    }
    return groups;
}

QString commandText(const QAction &action)
{
    return plain(action.text());
}

QString commandKeys(const QAction &action)
{
    return QKeySequence::listToString(action.shortcuts(), QKeySequence::NativeText)
        .replace(QLatin1String("; "), QLatin1String(", "));
}

} // namespace lockscope
