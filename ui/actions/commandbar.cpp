// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandbar.h"

#include <QEvent>
#include <QLayout>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockscope {

CommandBar::CommandBar(QWidget *parent) : QToolBar(parent)
{
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

bool CommandBar::event(QEvent *event)
{
    const bool isDone = QToolBar::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::Show)
        fit();
    return isDone;
}

void CommandBar::fit()
{
    if (!isVisible())
        return;
    // Changing the style asks for a layout, which leads here again.
    const Contents now = contents();
    if (now == std::exchange(m_fitted, now))
        return;
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    reserve();
    if (sizeHint().width() <= width())
        return;
    setToolButtonStyle(Qt::ToolButtonIconOnly);
    setStyleOfUrgent(Qt::ToolButtonTextBesideIcon);
    reserve();
    if (sizeHint().width() <= width())
        return;
    setStyleOfUrgent(Qt::ToolButtonIconOnly);
    reserve();
}

/// Widens buttons that show a text to their widest one.
void CommandBar::reserve()
{
    const QList<QAction *> all = actions();
    for (QAction *action : all) {
        const QString widest = action->property(widestText).toString();
        auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
        if (!button || widest.isEmpty())
            continue;
        const QFontMetrics metrics = button->fontMetrics();
        const int more = metrics.horizontalAdvance(widest) - metrics.horizontalAdvance(action->iconText());
        const bool isText = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
        button->setMinimumWidth(isText ? button->sizeHint().width() + std::max(more, 0) : 0);
    }
    layout()->invalidate();
}

void CommandBar::setStyleOfUrgent(Qt::ToolButtonStyle style)
{
    const QList<QAction *> all = actions();
    for (QAction *action : all) {
        auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
        if (button && action->priority() == QAction::HighPriority)
            button->setToolButtonStyle(style);
    }
}

CommandBar::Contents CommandBar::contents() const
{
    Contents found{width(), {}, {}, {}, font()};
    const QList<QAction *> all = actions();
    for (QAction *action : all) {
        if (!action->isVisible())
            continue;
        const QWidget *widget = widgetForAction(action);
        found.texts.append(action->iconText());
        found.priorities.append(action->priority());
        if (widget && !qobject_cast<const QToolButton *>(widget))
            found.widths.append(widget->sizeHint().width());
    }
    return found;
}

} // namespace lockscope
