// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QMessageBox>

namespace lockscope {

/// Asks before a simulation runs on a server that is not ours, or requires a private one if destructive.
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
