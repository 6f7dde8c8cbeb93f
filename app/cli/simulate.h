// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "core/simulation/server/privateserver.h"

#include <QObject>

#include <memory>

namespace lockscope {

/// Lets workers contend on a private server of its own, or on the one that the options name, and prints the report.
/// Ctrl-C ends the run and prints what there is.
class Simulate : public QObject
{
    Q_OBJECT

public:
    explicit Simulate(Options options);

    /// To the end.
    ExitStatus run();

private:
    void playScenario(const SimulationTarget &target);
    void playPlan(const SimulationTarget &target);
    void showProgress(const SimulationSnapshot &picture);
    void finish(const QJsonObject &json, const QString &text, ExitStatus status);
    void fail(const Error &why);
    void finish(ExitStatus status);

    const Options m_options;
    Interrupt m_interrupt;
    PrivateServer m_server;         ///< not started where another is named
    std::unique_ptr<QObject> m_run; ///< after the server, which it uses to its end
    QString m_act;                  ///< under way
};

} // namespace lockscope
