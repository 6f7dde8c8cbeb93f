// SPDX-License-Identifier: GPL-3.0-or-later
// The contention laboratory in the whole window, driven as a user drives it.
#include "tests/system/ui/testwindow.h"
#include "ui/connect/connectpage.h"
#include "ui/events/eventspanel.h"
#include "ui/shell/monitorpage.h"
#include "ui/simulation/confirmserverdialog.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/simulation/workersview.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QMessageBox>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 30'000;

SimulationSetup slowSetup()
{
    SimulationSetup setup;
    setup.plan.name = "window";
    setup.plan.workers = 5;
    setup.plan.duration = 10min;
    setup.plan.hold.low = setup.plan.hold.high = 300ms;
    return setup;
}

} // namespace

class LaboratoryTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }
    void init()
    {
        failOnWarning();
        m_server = std::make_unique<RedisServer>();
    }
    void cleanup()
    {
        m_window.reset();
        m_server.reset();
    }

    void theFirstPageLeadsToIt()
    {
        open({});
        QVERIFY(!commands().showSimulation->isEnabled());
        m_window->findChild<QPushButton *>(QStringLiteral("laboratory"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isVisible(), patience);
        QVERIFY(commands().showSimulation->isChecked());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("Simulation")));
        QVERIFY(card()->isEnabled());
    }

    void itIsShownAndHidden()
    {
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        m_window->activateWindow();
        QVERIFY(!panel()->isVisible() && locks().isVisible());
        commands().showEvents->trigger();
        QWidget *before = QApplication::focusWidget();
        QVERIFY(before);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QVERIFY(panel()->isVisible() && !locks().isVisible());
        QVERIFY(commands().showSimulation->isChecked() && commands().showEvents->isChecked());
        QVERIFY(panel()->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QVERIFY(!panel()->isVisible() && locks().isVisible() && commands().showEvents->isChecked());
        QCOMPARE(QApplication::focusWidget(), before);
        // Escape leads back, too, and the button; commands of the monitor show it.
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!panel()->isVisible() && !commands().showSimulation->isChecked());
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        panel()->findChild<QPushButton *>(QStringLiteral("showMonitor"))->click();
        QVERIFY(!panel()->isVisible() && locks().isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        QVERIFY(!panel()->isVisible() && commands().showEvents->isChecked());
        QVERIFY(m_window->findChild<EventsPanel *>()->isVisible());
        QVERIFY(m_window->findChild<EventsPanel *>()->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        commands().find->trigger();
        QVERIFY(locks().isVisible() && locks().isAncestorOf(QApplication::focusWidget()));
    }

    /// What is chosen there is out of sight: it can't be acted on.
    void hiddenLocksAreNotActedOn()
    {
        m_server->cli({"set", "lock:1", "x", "px", "600000"});
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel() && locks().model().find(LockKey("lock:1")), patience);
        locks().choose(LockKey("lock:1"));
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        commands().showSimulation->trigger();
        QVERIFY(!commands().forceExpire->isEnabled());
        commands().showSimulation->trigger();
        QVERIFY(commands().forceExpire->isEnabled());
        QCOMPARE(locks().chosen(), LockKey("lock:1"));
    }

    void shownDuringARunItOffersToStop()
    {
        WindowOptions options;
        options.laboratory = true;
        options.setup = slowSetup();
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isRunning(), patience);
        QTest::keyClick(m_window.get(), Qt::Key_Escape); // it goes on
        QVERIFY(panel()->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QVERIFY(!panel()->isVisible() && panel()->isRunning());
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QVERIFY(panel()->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("stopSimulation"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->isRunning(), patience);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("startSimulation"));
    }

    void itFitsASmallWindow()
    {
        WindowOptions options;
        options.laboratory = true;
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isVisible(), patience);
        m_window->resize(1024, 640);
        QCOMPARE(m_window->size(), QSize(1024, 640));
        QVERIFY2(m_window->minimumSizeHint().width() <= 1008 && m_window->minimumSizeHint().height() <= 592,
                 qPrintable(QStringLiteral("%1×%2")
                                .arg(m_window->minimumSizeHint().width())
                                .arg(m_window->minimumSizeHint().height())));
    }

    void itsLocksAreSeenWhileItRuns()
    {
        WindowOptions options;
        options.laboratory = true;
        options.setup = slowSetup();
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isRunning(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(hasSimulatedLock(), patience);
        panel()->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->isRunning(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!hasSimulatedLock(), patience);
    }

    void simLeavesThePatternsWhenItsLocksAreGone()
    {
        m_server->cli({"set", "sim:of-another", "x", "px", "600000"});
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        panel()->start(slowSetup());
        panel()->findChild<QPushButton *>(QStringLiteral("runHere"))->click();
        // Any key below sim: is seen while it runs, and none afterwards.
        QTRY_VERIFY_WITH_TIMEOUT(locks().model().find(LockKey("sim:of-another")), patience);
        panel()->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->isRunning(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!locks().model().find(LockKey("sim:of-another")), patience);
        QCOMPARE(m_server->cli({"keys", "sim:*"}), QByteArray("sim:of-another"));
    }

    void anothersServerOffersALaboratory()
    {
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        const QWidgetList before = QApplication::topLevelWidgets();
        panel()->start(slowSetup());
        panel()->findChild<ConfirmServerDialog *>()->defaultButton()->click();
        MainWindow *laboratory = nullptr;
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *window = qobject_cast<MainWindow *>(widget); window && window != m_window.get())
                laboratory = window;
        }
        QVERIFY(laboratory);
        // It runs there, with the same set-up, and not here.
        const auto there = [&] { return laboratory->findChild<SimulationPanel *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(there() && there()->isRunning(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(there()->findChild<LiveView *>()->workers().model().rowCount(), 5,
                                  patience);
        QVERIFY(!panel()->isRunning());
        QCOMPARE(m_server->cli({"keys", "sim:*"}), QByteArray());
        // Closing it while it runs asks first, then ends it.
        const QPointer<MainWindow> watched(laboratory);
        QVERIFY(!laboratory->close());
        question(*laboratory)->reject();
        QVERIFY(laboratory->isVisible() && there()->isRunning());
        QVERIFY(!laboratory->close());
        endRun(*laboratory);
        QTRY_VERIFY_WITH_TIMEOUT(!watched, patience);
    }

    void aRunIsSeenInTheMonitor()
    {
        WindowOptions options;
        options.laboratory = true;
        options.setup = slowSetup();
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isRunning(), patience);
        commands().showSimulation->trigger();
        QVERIFY(!panel()->isVisible());
        QCOMPARE(commands().showSimulation->iconText(), QStringLiteral("Running…"));
        commands().disconnect->trigger();
        endRun(*m_window);
        QTRY_VERIFY_WITH_TIMEOUT(!panel(), patience);
        QCOMPARE(commands().showSimulation->iconText(), QStringLiteral("Simulate"));
    }

    /// A signal has no one to ask.
    void aSignalEndsARunUnasked()
    {
        WindowOptions options;
        options.laboratory = true;
        options.setup = slowSetup();
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isRunning(), patience);
        QTimer::singleShot(0, qApp, &QApplication::quit);
        QApplication::exec();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isVisible(), patience);
    }

    void floatingPanelsGoWithTheMonitor()
    {
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        commands().showEvents->trigger();
        auto *events = m_window->findChild<EventsPanel *>();
        auto *dock = qobject_cast<QDockWidget *>(events->parentWidget());
        QVERIFY(dock);
        dock->setFloating(true);
        commands().showSimulation->trigger();
        QVERIFY(!events->isVisible() && commands().showEvents->isChecked());
        commands().showSimulation->trigger();
        QVERIFY(events->isVisible() && dock->isFloating() && commands().showEvents->isChecked());
    }

    void withoutAConnectionNothingIsRun()
    {
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel() && card()->isEnabled(), patience);
        m_server->kill();
        QTRY_VERIFY_WITH_TIMEOUT(!card()->isEnabled(), patience);
        QVERIFY(card()->toolTip().contains(QStringLiteral("Not connected")));
    }

    void closingTheWindowStopsIt()
    {
        open(server());
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        panel()->start(slowSetup());
        panel()->findChild<QPushButton *>(QStringLiteral("runHere"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_server->cli({"keys", "sim:*"}) != QByteArray(), patience);
        m_window.reset();
        QTRY_COMPARE_WITH_TIMEOUT(m_server->cli({"keys", "sim:*"}), QByteArray(), patience);
    }

    void readOnlySaysWhy()
    {
        WindowOptions options = server();
        options.readOnly = true;
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        commands().showSimulation->trigger();
        QVERIFY(!card()->isEnabled() && card()->toolTip().contains(QStringLiteral("Read-only")));
    }

    void readOnlyLeavesOurOwnServerAlone()
    {
        WindowOptions options;
        options.readOnly = true;
        options.laboratory = true;
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(panel() && panel()->isVisible(), patience);
        QVERIFY(card()->isEnabled());
    }

    void aLaboratoryThatFailedRunsNowhereElse()
    {
        WindowOptions options;
        options.laboratory = true;
        options.setup = slowSetup();
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", m_files.path().toUtf8()); // no redis-server there
        open(options);
        qputenv("PATH", path);
        auto *first = m_window->findChild<ConnectPage *>();
        QVERIFY(first->isVisible());
        auto *uri = first->findChild<QLineEdit *>(QStringLiteral("uri"));
        uri->setText(QStringLiteral("127.0.0.1:%1").arg(m_server->port()));
        QTest::keyClick(uri, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(panel(), patience);
        QVERIFY(!panel()->isRunning());
        QVERIFY(!m_window->findChild<ConfirmServerDialog *>());
    }

    void quitClosesAllWindows()
    {
        open(server());
        auto *other = new MainWindow(WindowOptions());
        other->setAttribute(Qt::WA_DeleteOnClose);
        other->show();
        const QPointer<MainWindow> watched(other);
        commands().quit->trigger();
        QVERIFY(!m_window->isVisible());
        QTRY_VERIFY(!watched);
    }

private:
    WindowOptions server() const
    {
        WindowOptions options;
        options.server = m_server->tcpAddress();
        return options;
    }
    void open(const WindowOptions &options)
    {
        ShownWindow::open(options, {1240, 760});
        m_window->activateWindow();
    }
    /// Null until the page is shown.
    SimulationPanel *panel() const
    {
        const auto *page = m_window->findChild<MonitorPage *>();
        return page && page->isVisible() ? page->findChild<SimulationPanel *>() : nullptr;
    }
    /// What runs a scenario.
    QPushButton *card() const
    {
        return panel()->findChild<QWidget *>(QStringLiteral("herd"))->findChild<QPushButton *>();
    }
    static QMessageBox *question(const QWidget &window) { return window.findChild<QMessageBox *>(); }
    static void endRun(const QWidget &window)
    {
        for (QAbstractButton *button : question(window)->buttons()) {
            if (question(window)->buttonRole(button) == QMessageBox::AcceptRole)
                return button->click();
        }
    }
    LocksPage &locks() const { return *m_window->findChild<LocksPage *>(); }
    bool hasSimulatedLock() const
    {
        for (const QByteArray &key : panel()->keys()) {
            if (locks().model().find(LockKey(key)))
                return true;
        }
        return false;
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(LaboratoryTest)
#include "tst_simulation.moc"
