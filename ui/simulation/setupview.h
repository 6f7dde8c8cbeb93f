// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QWidget>

class QLabel;

namespace lockscope {

class FieldForm;
class ScenarioForm;

/// The settings of a scenario, or a whole plan.
class SetupView : public QWidget
{
    Q_OBJECT

public:
    explicit SetupView(QWidget *parent = nullptr);

    SimulationSetup setup() const;
    void choose(const SimulationSetup &setup);
    /// Chooses a scenario with its defaults; nullptr: the plan as it was left.
    void choose(const Scenario *scenario);

    /// Sets why no simulation may run; empty allows it.
    void forbid(const QString &reason);
    QString validationError() const; ///< empty: none
    void focusContents();

signals:
    void changed();

private:
    void showValidationError();

    const Scenario *m_chosen = nullptr;
    ScenarioForm *m_scenario;
    FieldForm *m_plan; ///< for a custom setup
    QLabel *m_validationError;
    QString m_forbidden;
};

} // namespace lockscope
