// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;
class QWidget;

namespace lockscope {

// Rows of the setup form: equal label widths, tool tips on label and field, no change by mouse wheel.

QFormLayout *formOn(QWidget *parent);
/// Adds a row. `spoken`: accessible name if `name` needs the row above; empty: `name`.
void addRow(QFormLayout &form, const QString &name, QWidget *field, const QString &meaning,
            const QString &spoken = {});

inline constexpr int maxSeed = 999'999'999;

QSpinBox *wholeNumber(int low, int high, int value, const QString &unit, QWidget *parent);
QDoubleSpinBox *number(double low, double high, double value, const QString &unit, QWidget *parent);
QComboBox *choice(QWidget *parent);

} // namespace lockscope
