// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

class QLineEdit;
class QWidget;

namespace lockscope {

// What assistive technologies are told where Qt says too little.

/// What a widget is, where Qt knows nothing of it. Before it gets a name.
void setSpokenRole(QWidget *widget, QAccessible::Role role);

/// From here on a label that has a name says its text too: "Scan: 12 locks". Qt would say the name alone.
void speakNamedLabels();

/// The button that empties a field, with a name.
void addClearButton(QLineEdit *field);

} // namespace lockscope
