// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a login that may not read everything: what can't be read is said, and never called gone.
#include "core/state/lockstate.h"
#include "tests/support/login.h"
#include "tests/system/ui/testwindow.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/shell/statusbar.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

class WindowPermissionsTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init()
    {
        failOnWarning();
        m_server = std::make_unique<RedisServer>();
        m_server->cli({"HSET", "lock:a", "web-1:7", "1"});
        m_server->cli({"SET", "lock:b", "f47ac10b", "PX", "600000"});
    }
    void cleanup()
    {
        m_window.reset();
        m_server.reset();
    }

    void anUnreadableKeyspaceIsNotEmpty()
    {
        const Login login(*m_server, {"+client|tracking", "&*"});
        open(login);
        QTRY_VERIFY2(shownText(*page()).contains(QStringLiteral("No lock can be read")), shown().constData());
        QVERIFY2(shownText(*page()).contains(QStringLiteral("2 key(s) cannot be read: no permission.")),
                 shown().constData());
        const QString rule = QString::fromLatin1(knownRules({"ACL SETUSER mo %R~lock:*"}).first());
        QVERIFY2(shownText(*page()).contains(QStringLiteral("Request: ") + rule), shown().constData());
        QVERIFY(!shownText(*page()).contains(QStringLiteral("No locks")));
        QVERIFY2(shownText(*find<StatusBar>()).contains(QStringLiteral("unreadable: 2")),
                 shown().constData());
        QVERIFY(find<Banner>()->isVisible());
        find<Banner>()->findChild<QToolButton *>(QStringLiteral("bannerStep"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), rule);
    }

    void someUnreadableKeysAreSaid()
    {
        Login login(*m_server, {"~*", "-getrange"});
        open(login);
        QTRY_COMPARE(rows(), 1);
        QTRY_VERIFY2(shownText(*find<StatusBar>()).contains(QStringLiteral("unreadable: 1")),
                     shown().constData());
        QVERIFY2(find<Banner>()->text().contains(QStringLiteral("1 key(s) cannot be read")),
                 shown().constData());
        QVERIFY2(find<Banner>()->detail().contains(QStringLiteral("+getrange")), shown().constData());
        login.change({"+getrange"});
        commands().scan->trigger();
        QTRY_COMPARE(rows(), 2);
        QTRY_VERIFY(!find<Banner>()->isVisible());
        QVERIFY(!shownText(*find<StatusBar>()).contains(QStringLiteral("unreadable")));
    }

    void aLockThatIsForbiddenIsNotGone()
    {
        Login login(*m_server, {"~*"});
        open(login);
        QTRY_COMPARE(rows(), 2);
        page()->findChild<QTableView *>()->selectRow(page()->model().indexOf(LockKey("lock:b")).row());
        QTRY_VERIFY(shownText(*find<InspectorPanel>()).contains(QStringLiteral("f47ac10b")));

        login.change({"resetkeys", "~lock:a"});
        QTRY_VERIFY2(
            shownText(*find<InspectorPanel>()).contains(QStringLiteral("No permission to read any more")),
            shown().constData());
        QCOMPARE(rows(), 2);
        const WatchedLock *lock = page()->model().find(LockKey("lock:b"));
        QVERIFY(lock);
        QCOMPARE(stateOf(*lock, Clock::now()), LockState::Unreadable);
        QVERIFY(shownText(*find<InspectorPanel>()).contains(QStringLiteral("f47ac10b"))); // as last read
        QVERIFY(!shownText(*find<InspectorPanel>()).contains(QStringLiteral("gone")));
        const QModelIndex left = page()->model().indexOf(LockKey("lock:b"), LockColumn::Ttl);
        QCOMPARE(left.data().toString(), QStringLiteral("unknown"));
        QVERIFY2(find<Banner>()->detail().contains(QStringLiteral("A few are retried every")),
                 shown().constData());

        login.change({"~*"});
        commands().scan->trigger();
        QTRY_VERIFY(
            !shownText(*find<InspectorPanel>()).contains(QStringLiteral("No permission to read any more")));
        QTRY_VERIFY(!find<Banner>()->isVisible());
        QCOMPARE(rows(), 2);
    }

    void aForbiddenScanIsSaid()
    {
        Login login(*m_server, {"~*"});
        open(login);
        QTRY_COMPARE(rows(), 2);
        login.change({"-scan"});
        QTRY_VERIFY2(find<Banner>()->isVisible() &&
                         find<Banner>()->text().contains(QStringLiteral("to scan")),
                     shown().constData());
        QCOMPARE(rows(), 2);
        m_server->cli({"SET", "lock:c", "1"});
        login.change({"+scan"});
        commands().scan->trigger();
        QTRY_COMPARE(rows(), 3);
        QTRY_VERIFY(!find<Banner>()->isVisible());
    }

private:
    void open(const Login &login)
    {
        WindowOptions options;
        options.server = login.address();
        ShownWindow::open(options, {1024, 640});
        m_window->activateWindow();
        QTRY_VERIFY(page());
    }
    QByteArray shown() const { return shownText(*m_window).toUtf8(); }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(WindowPermissionsTest)
#include "tst_windowpermissions.moc"
