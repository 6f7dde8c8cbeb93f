// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QMessageBox>

namespace lockscope {

/// Asks before workers are let loose on a server that is not our own; what needs a private one can only go there.
class ConfirmServerDialog : public QMessageBox
{
    Q_OBJECT

public:
    ConfirmServerDialog(const SimulationSetup &setup, const QString &serverName, QWidget *parent);

signals:
    void runHereWanted();
    void privateServerWanted();
};

} // namespace lockscope
