// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace lockscope {

class AlgorithmForm;
class FaultForm;
class SeedField;

/// A plan of the user's own.
class PlanForm : public QWidget
{
    Q_OBJECT

public:
    explicit PlanForm(QWidget *parent = nullptr);

    Plan plan() const;
    void setPlan(const Plan &plan);

signals:
    void changed();

private:
    void addRows();
    void tellChanges();
    void showFitting();

    AlgorithmForm *m_algorithm;
    QWidget *m_rows;
    QFormLayout *m_form;
    QComboBox *m_mode;
    QSpinBox *m_timeout;
    QSpinBox *m_workers;
    QSpinBox *m_processes;
    QSpinBox *m_locks;
    QComboBox *m_end;
    QSpinBox *m_seconds;
    QSpinBox *m_rounds;
    QSpinBox *m_lease;
    QComboBox *m_holdShape;
    QDoubleSpinBox *m_hold;
    QDoubleSpinBox *m_holdMost;
    QSpinBox *m_reentry;
    QCheckBox *m_watchdog;
    SeedField *m_seed;
    FaultForm *m_faults;
};

} // namespace lockscope
