// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QSpinBox;

namespace lockscope {

class FieldForm;
class SeedField;

/// What a scenario shows and expects, and those of its settings that make a difference in it.
class ScenarioForm : public QWidget
{
    Q_OBJECT

public:
    explicit ScenarioForm(QWidget *parent = nullptr);

    void setScenario(const Scenario &scenario); ///< with its own settings
    void setSettings(const ScenarioSettings &settings);
    ScenarioSettings settings() const;   ///< only what was changed
    void setChangeable(bool changeable); ///< the words stay readable

signals:
    void changed();

private:
    const Scenario *m_scenario = nullptr;
    Plan m_usual; ///< of the first act, without any settings
    QLabel *m_purpose;
    QLabel *m_expectationTitle;
    QLabel *m_expectation;
    QLabel *m_private;
    FieldForm *m_algorithm;
    QWidget *m_rows;
    QFormLayout *m_form;
    QSpinBox *m_workers;
    QSpinBox *m_processes;
    QSpinBox *m_rounds;
    QSpinBox *m_seconds;
    SeedField *m_seed;
};

} // namespace lockscope
