// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/celltext.h"

#include <QAccessible>

class QLineEdit;
class QWidget;

namespace lockscope {

// Corrections of what Qt reports to assistive technologies.

/// Sets the role of a custom widget. Call before setting its name.
void setSpokenRole(QWidget *widget, QAccessible::Role role);

/// Makes named labels report their text too: "Scan: 12 locks". Qt reports only the name. Pages are not reported as "layered pane".
void correctSpoken();

/// Makes screen readers say `text` at once, wherever the focus is; Qt before 6.8 has no event for that.
void announce(QWidget *window, const QString &text);

/// Adds a clear button with an accessible name.
void addClearButton(QLineEdit *field);

} // namespace lockscope
