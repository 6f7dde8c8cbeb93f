// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialogButtonBox>
#include <QMargins>

class QDialog;

namespace lockscope {

inline constexpr QMargins dialogMargins{18, 16, 18, 14};

/// Shows a dialog, which is deleted when closed.
void openDialog(QDialog *dialog);

/// Returns the buttons of a dialog, without icons; the reject button closes it.
QDialogButtonBox *buttonsOf(QDialog *dialog, QDialogButtonBox::StandardButtons buttons);

} // namespace lockscope
