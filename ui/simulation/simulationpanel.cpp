// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/simulationpanel.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "ui/lanes/lanepicture.h"
#include "ui/simulation/confirmserverdialog.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/resultview.h"
#include "ui/simulation/runtimeline.h"
#include "ui/simulation/setupview.h"
#include "ui/simulation/workersview.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fileexporter.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QFileDialog>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace lockscope {

namespace {

constexpr int lowestTab = 10; ///< in lines of text

} // namespace

SimulationPanel::SimulationPanel(const SimulationTarget &target, const QString &serverName, bool readOnly,
                                 QWidget *parent)
    : QWidget(parent),
      m_target(target),
      m_serverName(serverName),
      m_setup(new SetupView(this)),
      m_tabs(new QTabWidget(this)),
      m_live(new LiveView(this)),
      m_timeline(new RunTimeline(this)),
      m_result(new ResultView(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this))
{
    build();
    if (readOnly)
        m_setup->forbid(tr("This connection is read-only. No simulation can run on this server."));
    connect(m_setup, &SetupView::startWanted, this, &SimulationPanel::askOrRun);
    connect(m_setup, &SetupView::stopWanted, this, &SimulationPanel::stop);
    connect(m_result, &ResultView::exportWanted, this, &SimulationPanel::exportReport);
    connect(m_result, &ResultView::momentWanted, this, [this](int run, microseconds at) {
        m_tabs->setCurrentWidget(m_timeline);
        m_timeline->goTo(run, at);
    });
    connect(m_timeline, &RunTimeline::pictureWanted, this, &SimulationPanel::exportPicture);
}

void SimulationPanel::forbid(const QString &why)
{
    m_setup->forbid(why);
}

void SimulationPanel::build()
{
    setAccessibleName(tr("Simulation"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_live, tr("L&ive"));
    m_tabs->addTab(m_timeline, tr("&Timeline"));
    // Lanes and plots are drawn into whatever room there is; what starts and stops a run should not be scrolled out of sight.
    m_tabs->setMinimumHeight(m_tabs->tabBar()->sizeHint().height() + lowestTab * fontMetrics().height());
    m_splitter->addWidget(m_setup);
    m_splitter->addWidget(m_tabs);
    m_splitter->addWidget(m_result);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(1, 1);
    SavedWidgetState::keep(QStringLiteral("simulation"), m_splitter);
    m_splitter->setSizes(
        {latinWidth(fontMetrics(), 40), latinWidth(fontMetrics(), 110), latinWidth(fontMetrics(), 54)});
    // In a small window it scrolls: the window need not be as large as all of it.
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(m_splitter);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    setLayout(columnOf({scroll}, 0, {}));
}

void SimulationPanel::start(const SimulationSetup &setup)
{
    m_setup->choose(setup);
    askOrRun();
}

void SimulationPanel::stop()
{
    if (m_run)
        m_run->stop();
}

void SimulationPanel::focusContents()
{
    m_setup->focusContents();
}

void SimulationPanel::askOrRun()
{
    if (isRunning() || !m_setup->validationError().isEmpty())
        return;
    const SimulationSetup setup = m_setup->setup();
    if (m_target.server) {
        run(setup);
        return;
    }
    auto *question = new ConfirmServerDialog(setup, m_serverName, this);
    connect(question, &ConfirmServerDialog::runHereWanted, this, [this, setup] { run(setup); });
    connect(question, &ConfirmServerDialog::privateServerWanted, this,
            [this, setup] { emit privateRunRequested(setup); });
    openDialog(question);
}

void SimulationPanel::run(const SimulationSetup &setup)
{
    m_setup->setRunning(true);
    m_result->expect(setup.scenario ? inWords(setup.scenario->expectation) : QString());
    m_tabs->setCurrentWidget(m_live);
    m_started = setup;
    m_keys.clear();
    m_run = std::make_unique<ScenarioRun>(m_target, setup);
    Simulation &simulation = m_run->simulation();
    simulation.setTraced(true);
    WorkersView *workers = &m_live->workers();
    connect(workers, &WorkersView::killWanted, &simulation, &Simulation::kill);
    connect(workers, &WorkersView::killHolderWanted, &simulation, &Simulation::killHolder);
    connect(workers, &WorkersView::pauseWanted, &simulation, &Simulation::setPaused);
    connect(&simulation, &Simulation::holderKilled, workers, &WorkersView::showKilled);
    connect(&simulation, &Simulation::noHolderFound, workers, &WorkersView::showNobodyKilled);
    connect(&simulation, &Simulation::progressed, this, &SimulationPanel::onProgressed);
    connect(m_run.get(), &ScenarioRun::actStarted, this, &SimulationPanel::beginAct);
    // An act can be over before its first picture.
    connect(m_run.get(), &ScenarioRun::actFinished, this,
            [this](int, const Report &report) { takeKeys(report.keys); });
    connect(m_run.get(), &ScenarioRun::finished, this, &SimulationPanel::finish);
    connect(m_run.get(), &ScenarioRun::failed, this, &SimulationPanel::fail);
    m_run->start();
    emit runningChanged(true);
}

/// Keys differ between runs: if the first is known, all are.
void SimulationPanel::takeKeys(const QList<QByteArray> &keys)
{
    if (!m_keys.contains(keys.value(0)))
        m_keys.unite(QSet<QByteArray>(keys.begin(), keys.end()));
}

void SimulationPanel::beginAct(int number)
{
    const QList<ScenarioPhase> &acts = m_run->acts();
    const ScenarioPhase &act = acts[number];
    QString title = titleOf(m_started);
    if (acts.size() > 1)
        title += tr(" — phase %1 of %2: %3", "act, of how many, what is different in it")
                     .arg(QString::number(number + 1), QString::number(acts.size()), inWords(act.title));
    m_live->begin(title, act.plan);
    m_timeline->begin(title, act.plan);
    // Steps one after the other: what matters is their order. Of a load, it is the figures.
    if (number == 0 && !act.plan.script.isEmpty())
        m_tabs->setCurrentWidget(m_timeline);
}

void SimulationPanel::onProgressed(const SimulationSnapshot &snapshot)
{
    const QList<QByteArray> &keys = m_run->simulation().keys();
    takeKeys(keys);
    m_live->show(snapshot, keys);
    m_timeline->take(snapshot, keys);
    m_result->showFindings(snapshot.findings, keys);
    QSet<LockKey> locks;
    for (const WorkerView &worker : snapshot.workers) {
        if (worker.lock >= 0 && worker.lock < keys.size())
            locks.insert(LockKey(keys[worker.lock]));
    }
    emit contended(locks.values());
}

void SimulationPanel::finish(const ScenarioReport &report)
{
    end(report.stopped ? tr("stopped") : tr("ended"));
    m_result->show(report);
    QList<CompletedRun> runs;
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        QString title = titleOf(m_started);
        // What differs comes first: the end may not be seen.
        if (const QString act = inWords(report.acts.value(i).title); !act.isEmpty())
            title = act + QStringLiteral(" — ") + title;
        runs.append({title, report.reports.at(i)});
    }
    m_timeline->show(runs);
    emit runningChanged(false);
}

/// Deletes the run later, since it is emitting now.
void SimulationPanel::end(const QString &how)
{
    takeKeys(m_run->simulation().keys()); // also where it failed before it told anything
    m_run.release()->deleteLater();
    m_setup->setRunning(false);
    m_live->end(how);
}

void SimulationPanel::fail(const Error &why)
{
    end(tr("failed"));
    m_result->showFailure(describe(why, m_serverName));
    m_timeline->show({});
    emit runningChanged(false);
}

/// Saves to the file chosen in `dialog`; `save` returns an error, or nothing.
void SimulationPanel::saveBy(QFileDialog *dialog, const std::function<QString(const QString &path)> &save)
{
    connect(dialog, &QFileDialog::fileSelected, this, [this, save](const QString &path) {
        const QString problem = save(path);
        m_result->showMessage(problem.isEmpty(), problem.isEmpty()
                                                     ? tr("Written to %1").arg(printable(path.toUtf8()))
                                                     : problem);
    });
    openDialog(dialog);
}

void SimulationPanel::exportPicture()
{
    saveBy(saveDialog(this, tr("Save the timeline"), QStringLiteral("timeline"),
                      {tr("SVG, drawn anew at each size (*.svg)"), QStringLiteral("svg")},
                      {tr("PNG, made of pixels (*.png)"), QStringLiteral("png")}),
           [view = &m_timeline->view(), title = m_timeline->title()](const QString &path) {
               return saveLanePicture(*view, title, path);
           });
}

void SimulationPanel::exportReport()
{
    if (!m_result->report())
        return;
    const ScenarioReport report = *m_result->report();
    const QByteArray name = report.scenario ? report.scenario->name.toByteArray() : QByteArray("own-set-up");
    saveBy(saveDialog(this, tr("Export the report"), QString::fromLatin1(name),
                      {tr("JSON, for programs (*.json)"), QStringLiteral("json")},
                      {tr("Text, for people (*.txt)"), QStringLiteral("txt")}),
           [report](const QString &path) { return writeReport(report, path); });
}

} // namespace lockscope
