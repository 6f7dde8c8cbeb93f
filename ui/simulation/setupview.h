// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;

namespace lockscope {

class FieldForm;
class ScenarioForm;

/// What to run, whether it can, and the buttons that start and stop it.
class SetupView : public QWidget
{
    Q_OBJECT

public:
    explicit SetupView(QWidget *parent = nullptr);

    SimulationSetup setup() const;
    void choose(const SimulationSetup &setup);

    void setRunning(bool running); ///< no changes while it runs
    /// Why nothing may run here at all; empty: it may.
    void forbid(const QString &reason);
    QString validationError() const; ///< as shown; empty: none
    void focusContents();            ///< what to run, or while it runs: Stop

signals:
    void startWanted();
    void stopWanted();

private:
    void showChoice();
    void showValidationError();

    QComboBox *m_choice;
    ScenarioForm *m_scenario;
    FieldForm *m_plan; ///< of the user's own
    QScrollArea *m_scroll;
    QLabel *m_validationError;
    QPushButton *m_start;
    QPushButton *m_stop;
    QString m_forbidden;
    bool m_running = false;
};

} // namespace lockscope
