// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandbar.h"

#include "core/words/texts.h"

#include <QEvent>
#include <QLayout>
#include <QMenu>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>
#include <utility>

namespace lockscope {

CommandBar::CommandBar(QWidget *parent) : QToolBar(parent)
{
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void CommandBar::addMore()
{
    auto *button = new QToolButton(this);
    button->setText(tr("More"));
    button->setToolTip(Texts::tr("More commands"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    m_rest = new QMenu(button);
    m_rest->setToolTipsVisible(true);
    button->setMenu(m_rest);
    m_more = addWidget(button);
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
    if (!isVisible() || !m_more || m_rest->isVisible())
        return;
    // Moving a command asks for a layout, which leads here again.
    const Contents now = contents();
    if (now == std::exchange(m_fitted, now))
        return;
    const QList<QAction *> rest = m_rest->actions();
    for (QAction *action : rest) {
        m_rest->removeAction(action);
        insertAction(m_more, action);
    }
    reserve();
    m_more->setVisible(false);
    for (qsizetype last = actions().size() - 2; last >= 0 && sizeHint().width() > width(); --last) {
        QAction *action = actions().at(last);
        if (qobject_cast<QWidgetAction *>(action))
            break;
        m_more->setVisible(true);
        removeAction(action);
        m_rest->insertAction(m_rest->actions().value(0), action);
    }
    layout()->invalidate();
}

void CommandBar::reserve()
{
    const QList<QAction *> all = actions();
    for (QAction *action : all) {
        auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
        const QString widest = action->property(widestText).toString();
        if (!button || widest.isEmpty())
            continue;
        const QFontMetrics metrics = button->fontMetrics();
        const int more = metrics.horizontalAdvance(widest) - metrics.horizontalAdvance(action->iconText());
        button->setMinimumWidth(button->sizeHint().width() + std::max(more, 0));
    }
}

CommandBar::Contents CommandBar::contents() const
{
    Contents found{width(), {}, {}, font()};
    for (const QAction *action : actions() + m_rest->actions()) {
        if (!action->isVisible() || action == m_more)
            continue;
        found.texts.append(action->iconText());
        if (const auto *widget = qobject_cast<const QWidgetAction *>(action))
            found.widths.append(widget->defaultWidget()->sizeHint().width());
    }
    return found;
}

} // namespace lockscope
