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

class SetupView : public QWidget
{
    Q_OBJECT

public:
    explicit SetupView(QWidget *parent = nullptr);

    SimulationSetup setup() const;
    void choose(const SimulationSetup &setup);

    void setRunning(bool running); ///< disables changes
    /// Sets why no simulation may run; empty allows it.
    void forbid(const QString &reason);
    QString validationError() const; ///< empty: none
    void focusContents();            ///< the choice, or Stop while running

signals:
    void startWanted();
    void stopWanted();

private:
    void showChoice();
    void showValidationError();

    QComboBox *m_choice;
    ScenarioForm *m_scenario;
    FieldForm *m_plan; ///< for a custom setup
    QScrollArea *m_scroll;
    QLabel *m_validationError;
    QPushButton *m_start;
    QPushButton *m_stop;
    QString m_forbidden;
    bool m_running = false;
};

} // namespace lockscope
