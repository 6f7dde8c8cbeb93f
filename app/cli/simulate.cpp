// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/simulation/server/privateserver.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"

#include <QCoreApplication>
#include <QObject>

#include <memory>

namespace lockscope {

namespace {

class Simulate : public QObject
{
public:
    explicit Simulate(Options options) : m_options(std::move(options)) {}

    /// To the end.
    ExitStatus run()
    {
        SimulationTarget target{m_options.server};
        if (m_options.serverGiven && m_options.readOnly) {
            console::setFieldError(
                Words::tr("A simulation writes locks, so --read-only refuses to run it on %1. "
                          "Remove the options that name a server to use a private one.")
                    .arg(m_options.server.toDisplayString()));
            return ExitStatus::RefusedByReadOnly;
        }
        if (m_options.serverGiven && environmentOf(m_options) == Environment::Production) {
            console::setFieldError(
                Words::tr("A simulation writes locks and causes faults, so it does not run in "
                          "production, which %1 is. "
                          "Remove the options that name a server to use a private one.")
                    .arg(m_options.server.toDisplayString()));
            return ExitStatus::RefusedByReadOnly;
        }
        if (!m_options.serverGiven) {
            if (const Result<void> started = m_server.start(); !started) {
                console::setFieldError(inWords(started.error()));
                return ExitStatus::Unavailable;
            }
            target = {m_server.address(), &m_server};
        }
        if (m_options.simulation.scenario)
            playScenario(target);
        else
            playPlan(target);
        return static_cast<ExitStatus>(QCoreApplication::exec());
    }

private:
    void playScenario(const SimulationTarget &target)
    {
        auto owned = std::make_unique<ScenarioRun>(target, *m_options.simulation.scenario,
                                                   m_options.simulation.settings);
        ScenarioRun *run = owned.get();
        m_run = std::move(owned);
        connect(run, &ScenarioRun::actStarted, this,
                [this, run](int act) { m_act = inWords(run->acts()[act].title); });
        connect(run, &ScenarioRun::finished, this, [this](const ScenarioReport &report) {
            finish(toJson(report), describe(report, console::width()),
                   report.stopped || report.verdict.met ? ExitStatus::Done : ExitStatus::Rejected);
        });
        connect(run, &ScenarioRun::failed, this, &Simulate::fail);
        connect(&m_interrupt, &Interrupt::interrupted, run, &ScenarioRun::stop);
        connect(&run->simulation(), &Simulation::progressed, this, &Simulate::showProgress);
        run->start();
    }

    void playPlan(const SimulationTarget &target)
    {
        auto owned = std::make_unique<Simulation>(target);
        Simulation *simulation = owned.get();
        m_run = std::move(owned);
        connect(simulation, &Simulation::finished, this, [this](const Report &report) {
            finish(toJson(report), describe(report, console::width()), ExitStatus::Done);
        });
        connect(simulation, &Simulation::failed, this, &Simulate::fail);
        connect(&m_interrupt, &Interrupt::interrupted, simulation, &Simulation::stop);
        connect(simulation, &Simulation::progressed, this, &Simulate::showProgress);
        simulation->start(m_options.simulation.plan);
    }

    void showProgress(const SimulationSnapshot &picture)
    {
        QStringList parts;
        if (!m_act.isEmpty())
            parts.append(m_act);
        parts.append(describe(std::chrono::duration_cast<milliseconds>(picture.elapsed)));
        if (picture.round > 0)
            parts.append(Words::tr("round %1").arg(picture.round));
        parts.append(Words::tr("acquired: %1").arg(grouped(picture.total.acquired)));
        parts.append(Words::tr("overlaps: %1").arg(grouped(picture.findings.overlaps)));
        console::progress(parts.join(QStringLiteral(", ")));
    }

    void finish(const QJsonObject &json, const QString &text, ExitStatus status)
    {
        console::progress({});
        finish(deliver(m_options.json ? jsonLine(json) : text.toUtf8(), status));
    }

    void fail(const Error &why)
    {
        // What our own program refuses is a sentence already.
        const QString text =
            why.kind == ErrorKind::InvalidArgument || why.kind == ErrorKind::NotStarted
                ? inWords(why)
                : describe(why, m_options.serverGiven ? m_options.server.toDisplayString()
                                                      : m_server.address().toDisplayString());
        finish(deliverNone(m_options, exitStatusOf(why.kind), text));
    }

    void finish(ExitStatus status) { QCoreApplication::exit(static_cast<int>(status)); }

    const Options m_options;
    Interrupt m_interrupt;
    PrivateServer m_server;         ///< not started where another is named
    std::unique_ptr<QObject> m_run; ///< after the server, which it uses to its end
    QString m_act;                  ///< under way
};

} // namespace

ExitStatus simulate(Options options)
{
    return Simulate(std::move(options)).run();
}

} // namespace lockscope
