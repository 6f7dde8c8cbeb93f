// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPointer>
#include <QWidget>

namespace lockscope {

/// Gives the keyboard to the window of `widget`: another one of ours may have it, as a panel that floats.
inline void activateWindowOf(const QWidget &widget)
{
    if (QApplication::activeWindow() != widget.window())
        widget.window()->activateWindow();
}

/// As QWidget::setFocus(), in whatever window `widget` is.
inline void giveFocus(QWidget &widget, Qt::FocusReason reason = Qt::OtherFocusReason)
{
    activateWindowOf(widget);
    widget.setFocus(reason);
}

/// Runs `change`, which may hide `part` for a moment: what has the keyboard in there keeps it.
template <typename Change>
void keepFocusIn(const QWidget &part, const Change &change)
{
    const QPointer<QWidget> focused = QApplication::focusWidget();
    const bool isInside = focused && part.isAncestorOf(focused);
    change();
    if (isInside && focused)
        giveFocus(*focused);
}

} // namespace lockscope
