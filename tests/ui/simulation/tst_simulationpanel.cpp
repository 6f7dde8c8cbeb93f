// SPDX-License-Identifier: GPL-3.0-or-later
// The panel on real servers: our own, and another's.
#include "core/words/phrases.h"
#include "ui/simulation/simulationpanel.h"

#include "core/simulation/server/privateserver.h"
#include "tests/support/redisserver.h"
#include "ui/simulation/confirmserverdialog.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/resultview.h"
#include "ui/simulation/runtimeline.h"
#include "ui/simulation/scenariocards.h"
#include "ui/simulation/setupview.h"
#include "ui/simulation/storylabel.h"
#include "ui/simulation/workersview.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 30'000;

SimulationSetup ownSetup(milliseconds duration)
{
    SimulationSetup setup;
    setup.plan.name = "own";
    setup.plan.workers = 6;
    setup.plan.duration = duration;
    setup.plan.lease = 1500ms;
    setup.plan.hold.low = setup.plan.hold.high = 5ms;
    return setup;
}

/// What was found of each point, a line each.
QString reported(const Verdict &verdict)
{
    QStringList lines;
    for (const Phrase &finding : verdict.findings)
        lines << finding.inEnglish();
    return lines.join(u'\n');
}

} // namespace

class SimulationPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qRegisterMetaType<SimulationSetup>();
        QVERIFY(m_ours.start());
        m_toggle.setShortcut(Qt::Key_F8);
    }
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }
    void cleanup()
    {
        m_panel.reset();
        QCOMPARE(m_foreign.cli({"keys", "sim:*"}), QByteArray());
    }

    void ourServerRunsAtOnce()
    {
        open(ours());
        m_panel->start(ownSetup(1s));
        QVERIFY(m_panel->isRunning());
        QVERIFY(!button("startSimulation")->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(live().workers().model().rowCount(), 6, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QCOMPARE(live().progress(), QStringLiteral("ended"));
        const ScenarioReport report = *result().report();
        QVERIFY(report.reports.first().total.acquired > 0);
        QVERIFY(report.reports.first().findings.isClean());
        QVERIFY2(result().text().contains(QStringLiteral("No violations")), qPrintable(result().text()));
        QVERIFY(button("startSimulation")->isVisible() && button("startSimulation")->isEnabled());
        QVERIFY(!m_panel->keys().isEmpty());
    }

    void aScenarioIsJudged()
    {
        open(ours());
        SimulationSetup setup;
        setup.scenario = scenarioFromName("foreign-release");
        m_panel->start(setup);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        const ScenarioReport report = *result().report();
        QVERIFY(!report.stopped);
        QCOMPARE(report.reports.size(), report.acts.size());
        QVERIFY2(result().text().contains(inWords(setup.scenario->expectation)), qPrintable(result().text()));
        QVERIFY2(report.verdict.met, qPrintable(reported(report.verdict)));
        QVERIFY(report.reports.size() > 1);

        // A sentence of the story leads to its moment.
        auto *timeline = m_panel->findChild<RunTimeline *>();
        auto *story = result().findChild<StoryLabel *>();
        QVERIFY(timeline && story);
        const Violation first = worthTelling(report.reports.first().findings.examples, 20).first();
        QTest::keyClick(story, Qt::Key_Return);
        QVERIFY(timeline->isVisible());
        QCOMPARE(timeline->view().cursor().value_or(-1), RunLanes::onAxis(first.at));
        const TimeRange shown = timeline->view().scale().shown();
        QVERIFY(shown.fromMs <= RunLanes::onAxis(first.at) && shown.toMs >= RunLanes::onAxis(first.at));
    }

    void stopEndsIt()
    {
        open(ours());
        m_panel->start(ownSetup(10min));
        QTRY_VERIFY_WITH_TIMEOUT(live().workers().model().countOf(WorkerState::Holding) > 0, patience);
        button("stopSimulation")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QVERIFY(result().report()->stopped);
        QCOMPARE(live().progress(), QStringLiteral("stopped"));
    }

    void holdersDieAndWorkersPause()
    {
        open(ours());
        SimulationSetup setup = ownSetup(10min);
        setup.plan.hold.low = setup.plan.hold.high = 200ms;
        m_panel->start(setup);
        WorkersView &workers = live().workers();
        QTRY_VERIFY_WITH_TIMEOUT(workers.model().rowCount() == 6, patience);
        m_panel->findChild<QToolButton *>(QStringLiteral("killHolder"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(workers.story().contains(QStringLiteral("was killed while holding")),
                                 patience);
        QTRY_VERIFY_WITH_TIMEOUT(workers.model().countOf(WorkerState::Dead) == 1, patience);
        int living = 0;
        while (workers.model().at(living).state == WorkerState::Dead)
            ++living;
        workers.choose(living);
        auto *pause = m_panel->findChild<QToolButton *>(QStringLiteral("pauseWorker"));
        pause->click();
        QTRY_VERIFY_WITH_TIMEOUT(workers.model().at(living).state == WorkerState::Paused, patience);
        pause->click();
        QTRY_VERIFY_WITH_TIMEOUT(workers.model().at(living).state != WorkerState::Paused, patience);
        m_panel->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QVERIFY(result().report()->reports.first().total.crashes >= 1);
    }

    void closingStopsIt()
    {
        open(foreign());
        runHere(ownSetup(10min));
        QTRY_VERIFY_WITH_TIMEOUT(live().workers().model().countOf(WorkerState::Holding) > 0, patience);
        m_panel.reset();
        // Nobody is left who could take another lock.
        QTRY_COMPARE_WITH_TIMEOUT(m_foreign.cli({"keys", "sim:*"}), QByteArray(), patience);
    }

    void anothersServerIsAskedFor()
    {
        open(foreign());
        m_panel->start(ownSetup(1s));
        QVERIFY(!m_panel->isRunning());
        ConfirmServerDialog *box = question();
        QVERIFY2(box->text().contains(QStringLiteral("production")), qPrintable(box->text()));
        const QString details = box->informativeText();
        QVERIFY2(details.contains(QStringLiteral("6 worker")) && details.contains(QStringLiteral("sim:")) &&
                     details.contains(QStringLiteral("deletes")) && details.contains(QStringLiteral("1.5 s")),
                 qPrintable(details));
        QCOMPARE(box->textFormat(), Qt::PlainText);
        QVERIFY(box->defaultButton()->text().remove(u'&').contains(QStringLiteral("private server")));
        // Escape: nothing happens.
        QSignalSpy wanted(m_panel.get(), &SimulationPanel::privateRunRequested);
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!m_panel->findChild<ConfirmServerDialog *>());
        QVERIFY(!m_panel->isRunning());
        QCOMPARE(wanted.size(), 0);

        m_panel->start(ownSetup(1s));
        question()->defaultButton()->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().value<SimulationSetup>().plan.workers, 6);
        QVERIFY(!m_panel->isRunning());
    }

    void theHandOffsKeysStayLonger()
    {
        SimulationSetup acts;
        acts.scenario = scenarioFromName("fair-vs-unfair");
        QVERIFY(!needsPrivateServer(acts));
        SimulationSetup visits = ownSetup(1s);
        Iteration visit;
        visit.algorithm = Algorithm{.strategy = StrategyKind::Handoff};
        visits.plan.script = {{Iteration()}, {Iteration(), visit}};
        SimulationSetup own = ownSetup(1s);
        own.plan.algorithm.strategy = StrategyKind::Handoff;
        for (const SimulationSetup &setup : {acts, visits, own}) {
            const ConfirmServerDialog box(setup, QStringLiteral("production"), nullptr);
            QVERIFY2(box.informativeText().contains(QStringLiteral("24 hours")),
                     qPrintable(box.informativeText()));
        }
        const ConfirmServerDialog other(ownSetup(1s), QStringLiteral("production"), nullptr);
        QVERIFY(!other.informativeText().contains(QStringLiteral("24 hours")));
        QVERIFY2(other.informativeText().contains(QStringLiteral("14 connections")),
                 qPrintable(other.informativeText()));
    }

    void onAnothersServerNothingStays()
    {
        m_foreign.cli({"set", "mine", "1"});
        open(foreign());
        runHere(ownSetup(500ms));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QVERIFY2(result().report().has_value(), qPrintable(result().text()));
        QCOMPARE(m_foreign.cli({"keys", "*"}), QByteArray("mine"));
    }

    void whatHarmsGoesToAPrivateServerOnly()
    {
        open(foreign());
        SimulationSetup setup = ownSetup(1s);
        setup.plan.serverFaults = {ServerFault::FlushAll};
        m_panel->start(setup);
        QVERIFY(!question()->findChild<QPushButton *>(QStringLiteral("runHere")));
        QVERIFY2(question()->text().contains(QStringLiteral("private server only")),
                 qPrintable(question()->text()));
    }

    void theTabKeyGoesFromLeftToRight()
    {
        open(ours());
        m_panel->start(ownSetup(10min));
        QTRY_VERIFY_WITH_TIMEOUT(live().workers().model().rowCount() == 6, patience);
        activate();
        m_panel->focusContents();
        const QWidget *first = QApplication::focusWidget();
        QCOMPARE(first, button("stopSimulation"));
        QWidgetList order;
        for (QWidget *focused = QApplication::focusWidget(); !order.contains(focused);
             focused = QApplication::focusWidget()) {
            order << focused;
            QTest::keyClick(focused, Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget(), first);
        const auto *tabs = m_panel->findChild<QTabBar *>();
        const auto *lanes = &live().timeline().view();
        const auto *story = result().findChild<QScrollArea *>();
        QCOMPARE(order.indexOf(button("showMonitor")), 1);
        QCOMPARE(order.indexOf(tabs), 2);
        QVERIFY(order.indexOf(lanes) > 2);
        QVERIFY2(order.indexOf(story) > order.indexOf(lanes), qPrintable(QString::number(order.size())));
        m_panel->stop();
        QTRY_VERIFY_WITH_TIMEOUT(button("exportReport")->isEnabled(), patience);
        result().findChild<QScrollArea *>()->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), button("exportReport"));
    }

    void readOnlyCannotStart()
    {
        m_panel = std::make_unique<SimulationPanel>(foreign(), QStringLiteral("production"), true, m_toggle);
        m_panel->setVisible(true);
        QVERIFY(!card("herd")->isEnabled());
        QVERIFY(card("herd")->toolTip().contains(QStringLiteral("Read-only")));
        QVERIFY(m_panel->findChild<QLabel *>(QStringLiteral("simulationForbidden"))->isVisible());
        QVERIFY(!button("startSimulation")->isEnabled());
        m_panel->start(ownSetup(1s));
        QVERIFY(!m_panel->isRunning());
        QVERIFY(!m_panel->findChild<ConfirmServerDialog *>());
    }

    /// Keys alone: to a card, and Return runs it; then to the settings of it and back to the cards.
    void aCardIsRunByItsFocusAndReturn()
    {
        open(ours());
        activate();
        m_panel->focusContents();
        QCOMPARE(QApplication::focusWidget(), card("one-winner"));
        for (const Scenario &scenario : scenarios()) {
            const auto *run = card(scenario.name.data());
            QVERIFY(run->accessibleName().endsWith(inWords(scenario.title)));
            QVERIFY(run->accessibleDescription().contains(inWords(scenario.expectation)));
        }
        const QStringList texts = textsOf(*m_panel->findChild<ScenarioCards *>());
        QCOMPARE(texts.count(QStringLiteral("One winner")), 1); // it is called so once, and not by its name
        QVERIFY(!texts.join(u' ').contains(QStringLiteral("one-winner")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(QApplication::focusWidget(), card("sequence"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        QCOMPARE(QApplication::focusWidget(), card("one-winner"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up); // there is none
        QCOMPARE(QApplication::focusWidget(), card("one-winner"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(m_panel->isRunning());
        QCOMPARE(QApplication::focusWidget(), button("stopSimulation"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QCOMPARE(QApplication::focusWidget(), button("startSimulation"));
        QCOMPARE(result().report()->scenario, scenarioFromName("one-winner"));
        QTest::keyClick(button("changeSettings"), Qt::Key_Return);
        auto *setup = m_panel->findChild<SetupView *>();
        QVERIFY(setup->isVisible() && setup->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(setup->setup().scenario, scenarioFromName("one-winner"));
        QTest::keyClick(button("showScenarios"), Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget(), card("one-winner"));
    }

    void aCustomSetupStaysPossible()
    {
        open(ours());
        m_panel->findChild<QWidget *>(QStringLiteral("custom"))->findChild<QPushButton *>()->click();
        auto *setup = m_panel->findChild<SetupView *>();
        QVERIFY(setup->isVisible() && !setup->setup().scenario);
        button("startSimulation")->click();
        QVERIFY(m_panel->isRunning());
        m_panel->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
    }

    void theFocusElsewhereStaysThere()
    {
        open(ours());
        QWidget window;
        m_panel->setParent(&window);
        m_panel->show();
        auto *other = new QPushButton(&window);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other->setFocus();
        m_panel->start(ownSetup(10min));
        QCOMPARE(QApplication::focusWidget(), other);
        m_panel->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QCOMPARE(QApplication::focusWidget(), other);
        m_panel->setParent(nullptr);
    }

    void theMonitorIsOneKeyAway()
    {
        open(ours());
        QVERIFY(button("showMonitor")->text().contains(QStringLiteral("F8")));
        QSignalSpy toggled(&m_toggle, &QAction::triggered);
        button("showMonitor")->click();
        QCOMPARE(toggled.size(), 1);
        m_toggle.setShortcut(Qt::Key_F9);
        QVERIFY(button("showMonitor")->text().contains(QStringLiteral("F9")));
        m_toggle.setShortcut(Qt::Key_F8);
    }

    void aServerThatIsGoneIsSaid()
    {
        RedisServer server;
        const SimulationTarget target{server.tcpAddress(), nullptr};
        m_panel = std::make_unique<SimulationPanel>(target, QStringLiteral("gone"), false, m_toggle);
        m_panel->setVisible(true);
        server.kill();
        runHere(ownSetup(1s));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        QVERIFY2(result().text().contains(QStringLiteral("gone")) ||
                     result().text().contains(QString::number(server.port())),
                 qPrintable(result().text()));
        QVERIFY(button("startSimulation")->isEnabled());
    }

    void theReportIsExported()
    {
        open(ours());
        m_panel->start(ownSetup(300ms));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), patience);
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("r.json"));
        button("exportReport")->click();
        auto *dialog = m_panel->findChild<QFileDialog *>();
        QVERIFY(dialog);
        dialog->setDirectory(directory.path());
        dialog->findChild<QLineEdit *>()->setText(QStringLiteral("r"));
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject read = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(read[QLatin1StringView("strategy")].toString(), QStringLiteral("reentrant"));
        QCOMPARE(read[QLatin1StringView("workers")].toInt(), 6);
        QCOMPARE(read[QLatin1StringView("acquired")].toInteger(),
                 result().report()->reports.first().total.acquired);
    }

private:
    SimulationTarget ours() { return {m_ours.address(), &m_ours}; }
    SimulationTarget foreign() const { return {m_foreign.tcpAddress(), nullptr}; }

    void open(const SimulationTarget &target)
    {
        m_panel = std::make_unique<SimulationPanel>(target, QStringLiteral("production"), false, m_toggle);
        m_panel->resize(1240, 600);
        m_panel->setVisible(true);
    }
    void runHere(const SimulationSetup &setup)
    {
        m_panel->start(setup);
        question()->findChild<QPushButton *>(QStringLiteral("runHere"))->click();
        QVERIFY(m_panel->isRunning());
    }
    ConfirmServerDialog *question() const
    {
        auto *box = m_panel->findChild<ConfirmServerDialog *>();
        if (!box)
            qFatal("nothing was asked");
        return box;
    }
    QPushButton *button(const char *name) const
    {
        return m_panel->findChild<QPushButton *>(QString::fromLatin1(name));
    }
    /// What runs a scenario.
    QPushButton *card(const char *name) const
    {
        return m_panel->findChild<QWidget *>(QString::fromLatin1(name))->findChild<QPushButton *>();
    }
    static QStringList textsOf(const QWidget &widget)
    {
        QStringList texts;
        for (const QLabel *label : widget.findChildren<QLabel *>())
            texts << label->text();
        return texts;
    }
    void activate()
    {
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }
    LiveView &live() const { return *m_panel->findChild<LiveView *>(); }
    ResultView &result() const { return *m_panel->findChild<ResultView *>(); }

    QAction m_toggle{QStringLiteral("Simulate")};
    PrivateServer m_ours;
    RedisServer m_foreign;
    std::unique_ptr<SimulationPanel> m_panel;
};

QTEST_MAIN(SimulationPanelTest)
#include "tst_simulationpanel.moc"
