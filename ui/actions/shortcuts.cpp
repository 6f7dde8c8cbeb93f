// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/shortcuts.h"

#include "core/base/settings.h"

#include <QAction>

#include <algorithm>

namespace lockscope {

namespace {

QList<Shortcuts *> &all()
{
    static QList<Shortcuts *> shortcuts;
    return shortcuts;
}

QString groupName()
{
    return QStringLiteral("shortcuts");
}

} // namespace

Shortcuts::Shortcuts(const QList<QAction *> &actions, QObject *parent) : QObject(parent)
{
    for (QAction *action : actions) {
        if (action->objectName().isEmpty())
            continue;
        m_actions.append(action);
        m_usual.insert(action, action->shortcuts());
    }
    all().append(this);
    restore();
}

Shortcuts::~Shortcuts()
{
    all().removeOne(this);
}

void Shortcuts::restore()
{
    Settings settings;
    settings.beginGroup(groupName());
    for (QAction *action : std::as_const(m_actions)) {
        const QVariant chosen = settings.value(action->objectName());
        if (!chosen.isValid())
            action->setShortcuts(m_usual.value(action));
        else
            action->setShortcut(QKeySequence::fromString(chosen.toString(), QKeySequence::PortableText));
    }
    emit changed();
}

void Shortcuts::restoreAll()
{
    for (Shortcuts *shortcuts : std::as_const(all()))
        shortcuts->restore();
}

bool Shortcuts::isChanged(const QAction *action) const
{
    return action->shortcuts() != m_usual.value(action);
}

void Shortcuts::set(const QAction *action, const QKeySequence &keys)
{
    if (QList{keys} == m_usual.value(action))
        return reset(action);
    {
        Settings settings;
        settings.beginGroup(groupName());
        settings.setValue(action->objectName(), keys.toString(QKeySequence::PortableText));
    }
    restoreAll();
}

void Shortcuts::reset(const QAction *action)
{
    {
        Settings settings;
        settings.beginGroup(groupName());
        settings.remove(action->objectName());
    }
    restoreAll();
}

void Shortcuts::resetAll()
{
    {
        Settings settings;
        settings.remove(groupName());
    }
    restoreAll();
}

const QAction *Shortcuts::userOf(const QKeySequence &keys, const QAction *except) const
{
    if (keys.isEmpty())
        return nullptr;
    const auto clashes = [&](const QKeySequence &other) {
        return !other.isEmpty() &&
               (keys.matches(other) != QKeySequence::NoMatch || other.matches(keys) != QKeySequence::NoMatch);
    };
    const auto found = std::ranges::find_if(m_actions, [&](const QAction *action) {
        return action != except && std::ranges::any_of(action->shortcuts(), clashes);
    });
    return found == m_actions.end() ? nullptr : *found;
}

} // namespace lockscope
