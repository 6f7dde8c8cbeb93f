// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
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

} // namespace lockscope
