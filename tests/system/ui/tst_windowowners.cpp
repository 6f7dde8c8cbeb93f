// SPDX-License-Identifier: GPL-3.0-or-later
// What puts locks together in the window, on a real server: the locks of a process are filtered and ended from its group, and
// what happened to them is in the statistics.
#include "tests/support/resulttext.h"
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/actionseriesdialog.h"
#include "ui/owners/ownerspanel.h"
#include "ui/statistics/statisticspanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTreeView>
#include <QtTest>

using namespace lockscope;

class WindowOwnersTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_world = std::make_unique<TestWindow>();
        QVERIFY(m_world->connect());
        m_world->window().resize(1200, 800);
    }
    void cleanup() { m_world.reset(); }

    void theLocksOfAProcessAreEnded()
    {
        m_world->addFair("lock:order:1", process + ":1", {other + ":1"});
        m_world->addFair("lock:order:2", process + ":2", {});
        m_world->addFair("lock:order:3", other + ":1", {process + ":3"});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 3);
        m_world->commands().showOwners->trigger();
        OwnersPanel &panel = *m_world->find<OwnersPanel>();
        QTRY_VERIFY(panel.isVisible());
        panel.findChild<QComboBox *>()->setCurrentIndex(int(OwnerGrouping::Process));
        auto *tree = panel.findChild<QTreeView *>();
        QTRY_COMPARE(tree->model()->rowCount(), 2);
        const bool isFirst = tree->model()->index(0, 0).data().toString() == QString::fromLatin1(process);
        tree->setCurrentIndex(tree->model()->index(isFirst ? 0 : 1, 0));
        QTRY_VERIFY2(panel.aftermath().contains(QStringLiteral("unless another client renews: 2 lock(s)")),
                     qPrintable(panel.aftermath()));
        QTRY_VERIFY2(panel.aftermath().contains(QStringLiteral("1 place(s) in wait queues")),
                     qPrintable(panel.aftermath()));

        button(panel, QStringLiteral("Filter table"))->click();
        QTRY_COMPARE(m_world->page()->model().rowCount(), 3);
        m_world->server().cli({"SET", "lock:another", "token-1", "PX", "600000"});
        QTRY_COMPARE(m_world->page()->model().total(), 4);
        QCOMPARE(m_world->page()->model().rowCount(), 3);
        m_world->commands().clear->trigger();
        QTRY_COMPARE(m_world->page()->model().rowCount(), 4);

        QTRY_VERIFY(button(panel, QStringLiteral("Force-expire all…"))->isEnabled());
        button(panel, QStringLiteral("Force-expire all…"))->click();
        auto *series = m_world->window().findChild<ActionSeriesDialog *>();
        QVERIFY(series);
        QVERIFY(
            series->findChild<QLabel *>(QStringLiteral("signs"))->text().contains(QStringLiteral("dead")));
        button(*series, QStringLiteral("Force-expire 2 lock(s)"))->click();
        QTRY_COMPARE(resultText(*series), QStringLiteral("Force-expired: 2"));
        QCOMPARE(m_world->server().cli({"EXISTS", "lock:order:1", "lock:order:2", "lock:order:3"}), "1");
        QTRY_VERIFY2(panel.aftermath().contains(QStringLiteral("1 place(s) in wait queues")) &&
                         !panel.aftermath().contains(QStringLiteral("Expire by")),
                     qPrintable(panel.aftermath()));
        series->close();
    }

    void statisticsChooseALock()
    {
        m_world->addFair("lock:order:1", process + ":1", {other + ":1"});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 1);
        m_world->commands().showStatistics->trigger();
        StatisticsPanel &panel = *m_world->find<StatisticsPanel>();
        QTRY_VERIFY(panel.isVisible());
        QTRY_COMPARE(panel.model().rowCount(), 1);
        QTRY_VERIFY(panel.model().at(0).waited > std::chrono::milliseconds(0));
        panel.findChild<QTableView *>()->selectRow(0);
        QTRY_VERIFY(m_world->page()->chosen() == LockKey("lock:order:1"));
        button(panel, QStringLiteral("Show in timeline"))->click();
        QTRY_VERIFY(m_world->find<TimelinePanel>()->isVisible());
    }

private:
    const QByteArray process = "6f8a6c54-58cc-4372-a567-0e02b2c3d479";
    const QByteArray other = "77777777-8f7e-4d6c-9b5a-493827160504";
    std::unique_ptr<TestWindow> m_world;
};

QTEST_MAIN(WindowOwnersTest)
#include "tst_windowowners.moc"
