// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/storylabel.h"

#include "ui/widgets/spokenrole.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace lockscope {

StoryLabel::StoryLabel(const QString &text, QWidget *parent) : WrappedLabel(parent)
{
    setSpokenRole(this, QAccessible::Link);
    setText(text);
    setAccessibleName(text);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Show this moment in the timeline"));
    setAccessibleDescription(toolTip());
}

void StoryLabel::underline(bool on)
{
    if (font().underline() == on)
        return;
    QFont changed = font();
    changed.setUnderline(on);
    setFont(changed);
}

void StoryLabel::enterEvent(QEnterEvent *event)
{
    WrappedLabel::enterEvent(event);
    setCursor(Qt::PointingHandCursor);
    underline(true);
}

void StoryLabel::leaveEvent(QEvent *event)
{
    WrappedLabel::leaveEvent(event);
    underline(hasFocus());
}

void StoryLabel::focusInEvent(QFocusEvent *event)
{
    WrappedLabel::focusInEvent(event);
    underline(true);
}

void StoryLabel::focusOutEvent(QFocusEvent *event)
{
    WrappedLabel::focusOutEvent(event);
    underline(underMouse());
}

void StoryLabel::mouseReleaseEvent(QMouseEvent *event)
{
    WrappedLabel::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !hasSelectedText() &&
        rect().contains(event->position().toPoint()))
        emit activated();
}

void StoryLabel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit activated();
    else
        WrappedLabel::keyPressEvent(event);
}

} // namespace lockscope
