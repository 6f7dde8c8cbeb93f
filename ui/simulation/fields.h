// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;
class QWidget;

namespace lockscope {

// Rows of the set-up: all with the same width for their names, a tool tip on both name and field, and no wheel that
// changes a number while the set-up is scrolled.

QFormLayout *formOn(QWidget *parent);
/// `spoken`: the name for those who hear it, where `name` means something only below the row before; empty: the same.
void addRow(QFormLayout &form, const QString &name, QWidget *field, const QString &meaning,
            const QString &spoken = {});

QSpinBox *wholeNumber(int low, int high, int value, const QString &unit, QWidget *parent);
QDoubleSpinBox *number(double low, double high, double value, const QString &unit, QWidget *parent);
QComboBox *choice(QWidget *parent);

} // namespace lockscope
