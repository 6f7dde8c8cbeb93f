// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QSpinBox;

namespace lockscope {

class FieldForm;

/// The description of a scenario and the settings that matter to it.
class ScenarioForm : public QWidget
{
    Q_OBJECT

public:
    explicit ScenarioForm(QWidget *parent = nullptr);

    void setScenario(const Scenario &scenario); ///< with default settings
    void setSettings(const ScenarioSettings &settings);
    ScenarioSettings settings() const; ///< only changed settings

signals:
    void changed();

private:
    const Scenario *m_scenario = nullptr;
    Plan m_usual; ///< first phase with default settings
    QLabel *m_purpose;
    QLabel *m_expectation;
    QLabel *m_private;
    FieldForm *m_algorithm;
    QWidget *m_rows;
    QFormLayout *m_form;
    QSpinBox *m_workers;
    QSpinBox *m_processes;
    QSpinBox *m_rounds;
    QSpinBox *m_seconds;
    QSpinBox *m_seed;
};

} // namespace lockscope
