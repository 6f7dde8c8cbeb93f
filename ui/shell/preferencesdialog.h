// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLocale>

namespace lockscope {

/// Returns the locale of the texts: the user's choice, otherwise the system's.
QLocale chosenLocale();
/// Scales the application's font as the user has chosen. Call once.
void applyTextSize();

/// Stores each choice at once.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PreferencesDialog(QWidget *parent);
};

} // namespace lockscope
