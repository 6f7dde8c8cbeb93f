// SPDX-License-Identifier: GPL-3.0-or-later
// The window where Sentinels name the server: a failover is followed and said, and a replica is called one.
#include "core/model/names.h"
#include "tests/support/sentinelgroup.h"
#include "tests/system/ui/testwindow.h"
#include "ui/audit/auditpanel.h"
#include "ui/shell/statusbar.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QtTest>

using namespace lockscope;

class WindowSentinelsTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init()
    {
        failOnWarning();
        m_group = std::make_unique<SentinelGroup>();
        m_group->server(0).cli({"SET", "lock:a", "one", "PX", "600000"});
        QTRY_VERIFY_WITH_TIMEOUT(m_group->server(1).cli({"DBSIZE"}) == "1", 10'000);
    }
    void cleanup()
    {
        m_window.reset();
        m_group.reset();
    }

    void aFailoverIsSaid()
    {
        open(m_group->address());
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 20'000);
        QTRY_VERIFY2_WITH_TIMEOUT(status().contains(at(0)) &&
                                      status().contains(QStringLiteral("Sentinels: 3 of 3")),
                                  qPrintable(status()), 5'000);
        QVERIFY(m_group->failOver());
        QTRY_VERIFY2_WITH_TIMEOUT(
            find<Banner>()->isVisible() &&
                find<Banner>()->text().startsWith(at(1) + QStringLiteral(" took over from ") + at(0)),
            qPrintable(find<Banner>()->text()), SentinelGroup::patience);
        QVERIFY(find<Banner>()->text().contains(QStringLiteral("no known lock is gone")));
        QVERIFY(find<Banner>()->detail().contains(QStringLiteral("may be missing")));
        QTRY_VERIFY(status().contains(at(1)));
        QCOMPARE(rows(), 1);
        // What is copied asks the server itself.
        page()->findChild<QTableView *>()->selectRow(0);
        commands().copyCli->trigger();
        QVERIFY2(QGuiApplication::clipboard()->text().contains(
                     QStringLiteral("-p %1").arg(m_group->server(1).port())),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void withoutSentinelsThatIsSaid()
    {
        open(m_group->address());
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 20'000);
        for (int i = 0; i < 3; ++i)
            m_group->sentinel(i).kill();
        QTRY_VERIFY_WITH_TIMEOUT(find<Banner>()->isVisible() &&
                                     find<Banner>()->text() == QStringLiteral("No Sentinel answers"),
                                 15'000);
        QVERIFY(find<Banner>()->detail().contains(at(0)));
    }

    void aReplicaChangesNothing()
    {
        open(m_group->server(1).tcpAddress());
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 20'000);
        QTRY_VERIFY2_WITH_TIMEOUT(status().contains(QStringLiteral("replica")), qPrintable(status()), 5'000);
        page()->findChild<QTableView *>()->selectRow(0);
        for (const QAction *action : {commands().acquire, commands().release, commands().forceExpire}) {
            QTRY_VERIFY(!action->isEnabled());
            QVERIFY2(action->toolTip().contains(at(0)), qPrintable(action->toolTip()));
        }
        for (int i = 0; i < 3; ++i)
            m_group->sentinel(i).kill();
        m_group->server(0).kill();
        QTRY_VERIFY_WITH_TIMEOUT(
            find<Banner>()->isVisible() &&
                find<Banner>()->text().contains(QStringLiteral("lost its link to ") + at(0)),
            10'000);
        QCOMPARE(rows(), 1);
        // By hand, as one does then.
        m_group->server(1).cli({"REPLICAOF", "NO", "ONE"});
        QTRY_VERIFY_WITH_TIMEOUT(commands().forceExpire->isEnabled(), 10'000);
        QTRY_VERIFY(!find<Banner>()->isVisible());
    }

private:
    void open(const ServerAddress &address)
    {
        WindowOptions options;
        options.server = address;
        ShownWindow::open(options, {1280, 800});
    }
    QString at(int server) const { return m_group->server(server).tcpAddress().toDisplayString(); }
    QString status() const { return shownText(*find<StatusBar>()); }

    std::unique_ptr<SentinelGroup> m_group;
};

QTEST_MAIN(WindowSentinelsTest)
#include "tst_windowsentinels.moc"
