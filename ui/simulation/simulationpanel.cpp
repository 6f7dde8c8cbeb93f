// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/simulationpanel.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/lanes/lanepicture.h"
#include "ui/simulation/confirmserverdialog.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/resultview.h"
#include "ui/simulation/runtimeline.h"
#include "ui/simulation/scenariocards.h"
#include "ui/simulation/setupview.h"
#include "ui/simulation/workersview.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/fileexporter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/plaintext.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

namespace lockscope {

namespace {

constexpr double titleScale = 1.7;
constexpr double progressScale = 1.3;

QPushButton *button(const QString &text, const char *name, QWidget *parent)
{
    auto *made = new QPushButton(text, parent);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(true); // Return presses it
    return made;
}

} // namespace

SimulationPanel::SimulationPanel(const SimulationTarget &target, const QString &serverName, bool readOnly,
                                 QAction &toggle, QWidget *parent)
    : QWidget(parent),
      m_target(target),
      m_serverName(serverName),
      m_toggle(toggle),
      m_title(new ElidedLabel(this)),
      m_progress(new QLabel(this)),
      m_stop(button(tr("St&op"), "stopSimulation", this)),
      m_start(button(tr("&Run"), "startSimulation", this)),
      m_settings(button(tr("Settin&gs"), "changeSettings", this)),
      m_back(button(tr("S&cenarios"), "showScenarios", this)),
      m_leave(button({}, "showMonitor", this)),
      m_pages(new QStackedWidget(this)),
      m_cards(new ScenarioCards(this)),
      m_setup(new SetupView(this)),
      m_live(new LiveView(this))
{
    setAccessibleName(Texts::tr("Simulation"));
    m_title->setFont(strong(font(), titleScale));
    m_progress->setFont(strong(font(), progressScale));
    m_progress->setTextFormat(Qt::PlainText);
    m_start->setIcon(glyphIcon(Glyph::Play));
    m_stop->setIcon(glyphIcon(Glyph::Stop));
    for (QWidget *page : std::initializer_list<QWidget *>{m_cards, m_setup, m_live})
        m_pages->addWidget(page);
    auto *head = lineOf({{m_title, 1}, m_progress, Space{8}, m_stop, m_start, m_settings, m_back, m_leave},
                        usualSpacing, {12, 8, 12, 0});
    setLayout(columnOf({head, {m_pages, 1}}, 6, {}));
    connectParts();
    if (readOnly)
        forbid(tr("Read-only connection: no simulation can run here."));
    showPage(m_cards);
}

void SimulationPanel::connectParts()
{
    const auto nameKey = [this] {
        const QString key = m_toggle.shortcut().toString(QKeySequence::NativeText);
        m_leave->setText(key.isEmpty() ? tr("&Monitor") : tr("&Monitor (%1)", "shortcut").arg(key));
    };
    nameKey();
    connect(&m_toggle, &QAction::changed, this, nameKey);
    connect(m_leave, &QPushButton::clicked, &m_toggle, &QAction::trigger);
    connect(m_cards, &ScenarioCards::runWanted, this, [this](const Scenario *scenario) {
        m_setup->choose(scenario);
        askOrRun();
    });
    const auto change = [this] {
        showPage(m_setup);
        m_setup->focusContents();
    };
    connect(m_cards, &ScenarioCards::settingsWanted, this, [this, change](const Scenario *scenario) {
        m_setup->choose(scenario);
        change();
    });
    connect(m_settings, &QPushButton::clicked, this, change);
    connect(m_back, &QPushButton::clicked, this, [this] {
        showPage(m_cards);
        m_cards->focusContents();
    });
    connect(m_setup, &SetupView::changed, this, &SimulationPanel::refresh);
    connect(m_start, &QPushButton::clicked, this, &SimulationPanel::askOrRun);
    connect(m_stop, &QPushButton::clicked, this, &SimulationPanel::stop);
    connect(&m_live->result(), &ResultView::exportWanted, this, &SimulationPanel::exportReport);
    connect(&m_live->result(), &ResultView::momentWanted, this, [this](int run, microseconds at) {
        m_live->showTimeline();
        m_live->timeline().goTo(run, at);
    });
    connect(&m_live->timeline(), &RunTimeline::pictureWanted, this, &SimulationPanel::exportPicture);
}

void SimulationPanel::forbid(const QString &why)
{
    m_forbidden = why;
    setOnline(true);
}

void SimulationPanel::setOnline(bool isOnline)
{
    const QString why = isOnline ? m_forbidden : tr("Not connected to the server.");
    m_cards->forbid(why);
    m_setup->forbid(why);
}

void SimulationPanel::showPage(QWidget *page)
{
    m_pages->setCurrentWidget(page);
    refresh();
}

void SimulationPanel::refresh()
{
    const QWidget *page = m_pages->currentWidget();
    const QString why = m_setup->validationError();
    m_title->setFullText(page == m_cards   ? Texts::tr("Simulation")
                         : page == m_setup ? titleOf(m_setup->setup())
                                           : m_runTitle);
    m_progress->setText(page == m_live ? m_live->progress() : QString());
    m_stop->setVisible(isRunning());
    m_start->setVisible(page != m_cards && !isRunning());
    m_back->setVisible(page != m_cards && !isRunning());
    m_settings->setVisible(page == m_live && !isRunning());
    m_start->setEnabled(why.isEmpty());
    setPlainToolTip(*m_start, why);
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

void SimulationPanel::endBefore(const std::function<void()> &then)
{
    if (!isRunning())
        return then();
    auto *question = new QMessageBox(QMessageBox::Question, tr("Simulation"),
                                     tr("End the running simulation?"), QMessageBox::Cancel, window());
    question->setInformativeText(tr("Its report is lost."));
    QPushButton *endRun = question->addButton(tr("&End"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(endRun, &QPushButton::clicked, this, [this, then] {
        if (!isRunning())
            return then();
        // Later: the panel may be deleted by it, which is emitting now.
        connect(this, &SimulationPanel::runningChanged, this, then,
                Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
        stop();
    });
    openDialog(question);
}

void SimulationPanel::focusContents()
{
    if (m_pages->currentWidget() == m_cards)
        m_cards->focusContents();
    else if (m_pages->currentWidget() == m_setup)
        m_setup->focusContents();
    else
        (isRunning() ? m_stop : m_start)->setFocus(Qt::ShortcutFocusReason);
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
    const bool wasHere = isAncestorOf(window()->focusWidget());
    m_started = setup;
    m_runTitle = titleOf(setup);
    m_live->result().expect(setup.scenario ? inWords(setup.scenario->expectation) : QString());
    m_live->showTimeline();
    m_keys.clear();
    m_run = std::make_unique<ScenarioRun>(m_target, setup);
    showPage(m_live);
    if (wasHere)
        m_stop->setFocus(Qt::OtherFocusReason);
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
    const QString phase = phaseTitle(acts[number].title);
    m_runTitle = titleOf(m_started);
    if (acts.size() > 1)
        m_runTitle += tr(" — phase %1 of %2: %3", "act, of how many, what is different in it")
                          .arg(QString::number(number + 1), QString::number(acts.size()), phase);
    m_live->begin(phase, acts[number].plan);
    refresh();
}

void SimulationPanel::onProgressed(const SimulationSnapshot &snapshot)
{
    const QList<QByteArray> &keys = m_run->simulation().keys();
    takeKeys(keys);
    m_live->show(snapshot, keys);
    if (m_pages->isVisible())
        m_progress->setText(m_live->progress());
    QSet<LockKey> locks;
    for (const WorkerView &worker : snapshot.workers) {
        if (worker.lock >= 0 && worker.lock < keys.size())
            locks.insert(LockKey(keys[worker.lock]));
    }
    emit contended(locks.values());
}

void SimulationPanel::finish(const ScenarioReport &report)
{
    m_live->result().show(report);
    end(report.stopped ? Texts::tr("stopped") : tr("ended"), report);
}

/// Deletes the run later, since it is emitting now.
void SimulationPanel::end(const QString &how, const ScenarioReport &report)
{
    const bool hadFocus = m_stop->hasFocus();
    takeKeys(m_run->simulation().keys()); // also where it failed before it told anything
    m_run.release()->deleteLater();
    QList<CompletedRun> runs;
    for (qsizetype i = 0; i < report.reports.size(); ++i)
        runs.append({phaseTitle(report.acts.value(i).title), report.reports.at(i)});
    m_live->end(how, runs);
    m_runTitle = titleOf(m_started);
    refresh();
    if (hadFocus)
        m_start->setFocus(Qt::OtherFocusReason);
    emit runningChanged(false);
}

void SimulationPanel::fail(const Error &why)
{
    m_live->result().showFailure(describe(why, m_serverName));
    end(tr("failed"), {});
}

/// Saves to the file chosen in `dialog`; `save` returns an error, or nothing.
void SimulationPanel::saveBy(QFileDialog *dialog, const std::function<QString(const QString &path)> &save)
{
    connect(dialog, &QFileDialog::fileSelected, this, [this, save](const QString &path) {
        const QString problem = save(path);
        m_live->result().showMessage(problem.isEmpty(),
                                     problem.isEmpty() ? tr("Written to %1").arg(printable(path.toUtf8()))
                                                       : problem);
    });
    openDialog(dialog);
}

void SimulationPanel::exportPicture()
{
    const QString phase = m_live->timeline().title();
    const QString title = titleOf(m_started) + (phase.isEmpty() ? QString() : QStringLiteral(" — ") + phase);
    saveBy(saveDialog(this, tr("Save the timeline"), QStringLiteral("timeline"),
                      {tr("SVG (*.svg)"), QStringLiteral("svg")}, {tr("PNG (*.png)"), QStringLiteral("png")}),
           [view = &m_live->timeline().view(), title](const QString &path) {
               return saveLanePicture(*view, title, path);
           });
}

void SimulationPanel::exportReport()
{
    if (!m_live->result().report())
        return;
    const ScenarioReport report = *m_live->result().report();
    const QByteArray name = report.scenario ? report.scenario->name.toByteArray() : QByteArray("own-set-up");
    saveBy(saveDialog(this, tr("Export the report"), QString::fromLatin1(name),
                      {tr("JSON (*.json)"), QStringLiteral("json")},
                      {tr("Text (*.txt)"), QStringLiteral("txt")}),
           [report](const QString &path) { return writeReport(report, path); });
}

} // namespace lockscope
