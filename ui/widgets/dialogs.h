// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialogButtonBox>
#include <QMargins>

class QDialog;

namespace lockscope {

inline constexpr QMargins dialogMargins{18, 16, 18, 14};

/// Shows it above its window; it goes when it is closed.
void openDialog(QDialog *dialog);

/// Of a dialog, without pictures; what rejects closes it.
QDialogButtonBox *buttonsOf(QDialog *dialog, QDialogButtonBox::StandardButtons buttons);

} // namespace lockscope
