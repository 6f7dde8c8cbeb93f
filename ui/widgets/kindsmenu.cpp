// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/kindsmenu.h"

#include <QAction>

namespace lockscope {

void KindsMenu::addKind(const QByteArray &name, const QString &text, const QString &meaning)
{
    QAction *action = addAction(text);
    action->setCheckable(true);
    action->setChecked(true);
    if (!meaning.isEmpty())
        action->setToolTip(meaning);
    connect(action, &QAction::toggled, this, &KindsMenu::changed);
    m_kinds.push_back({name, action});
}

QByteArrayList KindsMenu::hiddenKinds() const
{
    QByteArrayList hidden;
    for (const Kind &kind : m_kinds) {
        if (!kind.action->isChecked())
            hidden << kind.name;
    }
    return hidden;
}

void KindsMenu::setHiddenKinds(const QByteArrayList &names)
{
    set([&](size_t kind) { return !names.contains(m_kinds[kind].name); });
}

void KindsMenu::mouseReleaseEvent(QMouseEvent *event)
{
    // The menu stays open: mostly several kinds are chosen.
    QAction *action = activeAction();
    if (!action || !action->isCheckable())
        return QMenu::mouseReleaseEvent(event);
    action->toggle();
}

} // namespace lockscope
