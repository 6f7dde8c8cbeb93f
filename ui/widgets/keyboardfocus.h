// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPointer>
#include <QWidget>

namespace lockscope {

/// Activates the window of `widget`, since another one, such as a floating panel, may be active.
inline void activateWindowOf(const QWidget &widget)
{
    if (QApplication::activeWindow() != widget.window())
        widget.window()->activateWindow();
}

inline void giveFocus(QWidget &widget, Qt::FocusReason reason = Qt::OtherFocusReason)
{
    activateWindowOf(widget);
    widget.setFocus(reason);
}

/// Runs `change`, which may hide `part` for a moment, and restores the focus inside it.
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
