// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/simulation/model/operationlog.h"
#include "core/simulation/server/privateserver.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"

#include <QCoreApplication>
#include <QFile>
#include <QObject>

#include <memory>

namespace lockscope {

namespace {

class Simulate : public QObject
{
public:
    explicit Simulate(Options options) : m_options(std::move(options)) {}

    ExitStatus run()
    {
        SimulationTarget target{m_options.server};
        const bool isProduction = environmentOf(m_options) == Environment::Production;
        if (m_options.serverGiven && (m_options.readOnly || isProduction)) {
            console::printError(
                Words::tr("No simulation on %1 (%2). Remove the server options to use a private server.")
                    .arg(m_options.server.toDisplayString(),
                         m_options.readOnly ? QStringLiteral("--read-only") : QStringLiteral("production")));
            return ExitStatus::RefusedByReadOnly;
        }
        if (!m_options.serverGiven) {
            if (const Result<void> started = m_server.start(); !started) {
                console::printError(inWords(started.error()));
                return ExitStatus::Unavailable;
            }
            target = {m_server.address(), &m_server};
        }
        if (!m_options.operationLog.isEmpty()) {
            m_log.setFileName(QFile::decodeName(m_options.operationLog));
            if (!m_log.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
                tellLogFailed();
                return ExitStatus::NotWritten;
            }
        }
        play(target);
        return static_cast<ExitStatus>(QCoreApplication::exec());
    }

private:
    void play(const SimulationTarget &target)
    {
        m_run = std::make_unique<ScenarioRun>(target, m_options.simulation);
        connect(m_run.get(), &ScenarioRun::actStarted, this,
                [this](int act) { m_act = inWords(m_run->acts()[act].title); });
        connect(m_run.get(), &ScenarioRun::finished, this, [this](const ScenarioReport &report) {
            const bool isGood = report.stopped || !report.scenario || report.verdict.met;
            const ExitStatus status = isGood ? ExitStatus::Done : ExitStatus::Rejected;
            finish(toJson(report), describe(report, console::width()),
                   writeLog(report) ? status : ExitStatus::NotWritten);
        });
        connect(m_run.get(), &ScenarioRun::failed, this, &Simulate::fail);
        connect(&m_interrupt, &Interrupt::interrupted, m_run.get(), &ScenarioRun::stop);
        connect(&m_run->simulation(), &Simulation::progressed, this, &Simulate::showProgress);
        m_run->simulation().setTraced(m_log.isOpen());
        m_run->start();
    }

    bool writeLog(const ScenarioReport &report)
    {
        if (!m_log.isOpen())
            return true;
        bool isWritten = true;
        for (qsizetype i = 0; i < report.reports.size(); ++i) {
            const QByteArray lines = operationLog(report.reports[i], report.acts.size() > 1 ? int(i) + 1 : 0);
            isWritten = isWritten && m_log.write(lines) == lines.size();
        }
        isWritten = m_log.flush() && isWritten;
        if (!isWritten)
            tellLogFailed();
        return isWritten;
    }

    void tellLogFailed() const
    {
        console::printError(Words::tr("%1 could not be written: %2")
                                .arg(printable(m_options.operationLog), m_log.errorString()));
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
    QFile m_log;
    PrivateServer m_server;             ///< not started if a server is given
    std::unique_ptr<ScenarioRun> m_run; ///< after m_server, which it uses
    QString m_act;
};

} // namespace

ExitStatus simulate(Options options)
{
    return Simulate(std::move(options)).run();
}

} // namespace lockscope
