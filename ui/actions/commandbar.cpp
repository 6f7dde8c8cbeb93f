// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandbar.h"

#include <QEvent>
#include <QLayout>
#include <QToolButton>

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
    const auto fitsWith = [this](Qt::ToolButtonStyle style, Qt::ToolButtonStyle urgent) {
        setToolButtonStyle(style);
        setStyleOfUrgent(urgent);
        return sizeHint().width() <= width();
    };
    if (!fitsWith(Qt::ToolButtonTextBesideIcon, Qt::ToolButtonTextBesideIcon) &&
        !fitsWith(Qt::ToolButtonIconOnly, Qt::ToolButtonTextBesideIcon))
        fitsWith(Qt::ToolButtonIconOnly, Qt::ToolButtonIconOnly);
}

void CommandBar::setStyleOfUrgent(Qt::ToolButtonStyle style)
{
    const QList<QAction *> all = actions();
    for (QAction *action : all) {
        auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
        if (!button || action->priority() != QAction::HighPriority)
            continue;
        button->setToolButtonStyle(style);
        const auto widthOf = [metrics = button->fontMetrics()](const QString &text) {
            return text.isEmpty() ? 0 : metrics.horizontalAdvance(text);
        };
        const int more = widthOf(action->property(widestText).toString()) - widthOf(action->iconText());
        button->setMinimumWidth(
            style == Qt::ToolButtonIconOnly || more < 0 ? 0 : button->sizeHint().width() + more);
    }
    layout()->invalidate();
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
