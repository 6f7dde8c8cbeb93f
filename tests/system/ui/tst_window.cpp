// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real server, driven as a user drives it.
#include "tests/support/resulttext.h"
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/actiondialog.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QScopeGuard>
#include <QSettings>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

namespace {

template <typename Widget>
Widget *visible(const QWidget &parent)
{
    for (Widget *widget : parent.findChildren<Widget *>()) {
        if (widget->isVisible())
            return widget;
    }
    return nullptr;
}

} // namespace

class WindowTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
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

    void aWindowOfALargerScreenFits()
    {
        open({});
        const QSize room = m_window->screen()->availableSize();
        m_window->resize(room * 2);
        m_window->close(); // is saved
        const MainWindow again(WindowOptions{});
        QVERIFY2(again.width() <= room.width() && again.height() <= room.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(again.width()).arg(again.height())));
    }

    void connectFilterAndChoose()
    {
        m_server->cli({"hset", "lock:order:1", "web-1:7", "2"});
        m_server->cli({"pexpire", "lock:order:1", "60000"});
        m_server->cli({"set", "lock_pay", "f47ac10b", "px", "50000"});
        m_server->cli({"set", "other", "x"});
        open({});
        auto *uri = m_window->findChild<QLineEdit *>(QStringLiteral("uri"));
        uri->setText(QStringLiteral("127.0.0.1:%1").arg(m_server->port()));
        QTest::keyClick(uri, Qt::Key_Return);
        QTRY_VERIFY(table());
        QTRY_COMPARE(rows(), 2);
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("127.0.0.1")));

        commands().find->trigger();
        auto *filter = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(filter);
        QTest::keyClicks(filter, QStringLiteral("family:token"));
        QTRY_COMPARE(rows(), 1);
        commands().clear->trigger();
        QTRY_COMPARE(rows(), 2);

        choose("lock:order:1");
        QTRY_VERIFY2(shownText(*m_window).contains(QStringLiteral("web-1:7  ×2")),
                     qPrintable(shownText(*m_window)));
        commands().copyCli->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("HGETALL lock:order:1")));
        commands().copyRow->trigger();
        const QString row = QGuiApplication::clipboard()->text();
        QVERIFY2(row.contains(QStringLiteral("lock:order:1\treentrant\tambiguous\tweb-1:7\t2")),
                 qPrintable(row));

        // What others do is seen.
        m_server->cli({"del", "lock_pay"});
        QTRY_COMPARE(rows(), 1);
        m_server->cli({"set", "lock:new", "t", "px", "30000"});
        QTRY_COMPARE(rows(), 2);
    }

    void acquireThenRelease()
    {
        open(server());
        QTRY_VERIFY(commands().acquire->isEnabled());
        commands().acquire->trigger();
        QTRY_VERIFY(dialog());
        dialog()->findChild<QLineEdit *>(QStringLiteral("key"))->setText(QStringLiteral("lock:mine"));
        dialog()->findChild<QLineEdit *>(QStringLiteral("owner"))->setText(QStringLiteral("me"));
        act(QStringLiteral("Acquire"));
        QCOMPARE(m_server->cli({"hget", "lock:mine", "me"}), QByteArray("1"));
        QTRY_COMPARE(rows(), 1);

        choose("lock:mine");
        commands().extend->trigger();
        QTRY_VERIFY(dialog());
        dialog()->findChild<QLineEdit *>(QStringLiteral("lease"))->setText(QStringLiteral("500"));
        act(QStringLiteral("Extend"));
        QVERIFY(m_server->cli({"pttl", "lock:mine"}).toLongLong() > 400'000);

        commands().release->trigger();
        QTRY_VERIFY(dialog());
        act(QStringLiteral("Release"));
        QCOMPARE(m_server->cli({"exists", "lock:mine"}), QByteArray("0"));
        QTRY_COMPARE(rows(), 0);
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("Gone. The last reading")));

        QFile audit(m_files.filePath(QStringLiteral("audit.jsonl")));
        QVERIFY(audit.open(QIODevice::ReadOnly));
        QCOMPARE(audit.readAll().count('\n'), 6);
    }

    /// Its first waiter is dead: it is told, then removed, and whoever is behind it is woken.
    void anOrphanedQueueIsWoken()
    {
        m_server->cli({"rpush", "redisson_lock_queue:{lock:fair}", "web-1:7", "web-2:7"});
        m_server->cli({"zadd", "redisson_lock_timeout:{lock:fair}", "99999999999999", "web-1:7",
                       "99999999999999", "web-2:7"});
        QProcess second;
        second.start(QStringLiteral("redis-cli"),
                     {QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("subscribe"),
                      QStringLiteral("redisson_lock__channel:{lock:fair}:web-2:7")});
        const auto leave = qScopeGuard([&second] {
            second.kill();
            second.waitForFinished();
        });
        open(server());
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 20'000);
        choose("lock:fair");
        QTRY_VERIFY(commands().wake->isEnabled());
        commands().wake->trigger();
        QTRY_VERIFY(dialog());
        QVERIFY(shownText(*dialog()).contains(QStringLiteral("web-1:7")));
        act(QStringLiteral("Wake"));
        QTRY_VERIFY_WITH_TIMEOUT(commands().removeWaiter->isEnabled(), 20'000);
        commands().removeWaiter->trigger();
        QTRY_VERIFY(dialog());
        act(QStringLiteral("Remove"));
        QCOMPARE(m_server->cli({"lrange", "redisson_lock_queue:{lock:fair}", "0", "-1"}),
                 QByteArray("web-2:7"));
        QByteArray heard;
        QTRY_VERIFY((heard += second.readAllStandardOutput()).count("\nmessage\n") == 1); // the removal's
        QTRY_VERIFY(commands().wake->isEnabled() && !commands().removeWaiter->isEnabled());
        commands().wake->trigger();
        QTRY_VERIFY(dialog());
        act(QStringLiteral("Wake"));
        QTRY_VERIFY((heard += second.readAllStandardOutput()).count("\nmessage\n") == 2);
        QFile audit(m_files.filePath(QStringLiteral("audit.jsonl")));
        QVERIFY(audit.open(QIODevice::ReadOnly));
        const QByteArray records = audit.readAll();
        QVERIFY2(records.contains("\"not-heard\"") && records.contains("\"woken\""), records.constData());
    }

    /// Keys do nothing to a lock that nobody chose, or that is not shown.
    void verbsFollowTheVisibleSelection()
    {
        m_server->cli({"hset", "lock:order", "web-1:7", "1"});
        m_server->cli({"hset", "lock:pay", "web-2:7", "1"});
        open(server());
        QTRY_COMPARE(rows(), 2);
        const QList<QAction *> verbs{commands().release, commands().extend, commands().forceExpire,
                                     commands().copyKey, commands().findClients};
        const auto canAct = [&verbs] {
            return std::any_of(verbs.begin(), verbs.end(),
                               [](const QAction *verb) { return verb->isEnabled(); });
        };
        const auto press = [this](Qt::Key key, Qt::KeyboardModifiers with) {
            QTest::keyClick(m_window->focusWidget() ? m_window->focusWidget() : m_window.get(), key, with);
        };
        table()->setFocus();
        QVERIFY(!canAct());
        press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!dialog());

        choose("lock:order");
        QVERIFY(canAct());
        commands().find->trigger();
        auto *filter = page()->findChild<QLineEdit *>();
        QTest::keyClicks(filter, QStringLiteral("pay"));
        QCOMPARE(rows(), 1);
        QVERIFY(!canAct());
        press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_L, Qt::ControlModifier);
        QVERIFY(!dialog());
        QVERIFY2(shownText(*m_window).contains(QStringLiteral("The filter hides lock:order")),
                 qPrintable(shownText(*m_window)));
        QTest::keyClick(filter, Qt::Key_Down);
        QVERIFY(canAct());
        QCOMPARE(page()->chosen()->bytes, QByteArray("lock:pay"));

        // A pattern that does not cover it takes its row away: it is not gone, only not watched.
        commands().patterns->trigger();
        auto *patterns = visible<QDialog>(*m_window);
        QVERIFY(patterns);
        patterns->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("lock:o*"));
        patterns->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QVERIFY(!canAct());
        QVERIFY(!shownText(*m_window).contains(QStringLiteral("is gone")));
    }

    void forceExpireEndsWhatWasSeen()
    {
        m_server->cli({"hset", "lock:stuck", "dead:1", "1"});
        open(server());
        QTRY_COMPARE(rows(), 1);
        choose("lock:stuck");
        commands().forceExpire->trigger();
        QTRY_VERIFY(dialog());
        act(QStringLiteral("Force-expire"));
        QCOMPARE(m_server->cli({"exists", "lock:stuck"}), QByteArray("0"));
    }

    void forceExpireSparesAnotherOwner()
    {
        m_server->cli({"hset", "lock:stuck", "dead:1", "1"});
        open(server());
        QTRY_COMPARE(rows(), 1);
        choose("lock:stuck");
        commands().forceExpire->trigger();
        QTRY_VERIFY(dialog());
        m_server->cli({"del", "lock:stuck"});
        m_server->cli({"hset", "lock:stuck", "alive:2", "1"});
        QTRY_VERIFY2(resultText(*dialog()).contains(QStringLiteral("nothing was done")),
                     qPrintable(resultText(*dialog())));
        QVERIFY(!button(*dialog(), QStringLiteral("Force-expire"))->isEnabled());
        button(*dialog(), QStringLiteral("Cancel"))->click();
        QCOMPARE(m_server->cli({"hget", "lock:stuck", "alive:2"}), QByteArray("1"));
    }

    void aLockThatHasGoneCanBeCopied()
    {
        m_server->cli({"set", "lock:1", "owner-7", "px", "600000"});
        open(server());
        QTRY_VERIFY(table());
        QTRY_COMPARE(rows(), 1);
        choose("lock:1");
        m_server->cli({"flushall"});
        const MainActions &actions = commands();
        QTRY_VERIFY(!actions.forceExpire->isEnabled() && actions.copyOwner->isEnabled());
        actions.copyKey->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("lock:1"));
        actions.copyOwner->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("owner-7"));
        QVERIFY(!actions.copyCli->isEnabled()); // it could end the next hold
    }

    /// While its row is held.
    void aLockThatHasGoneIsChosenAgain()
    {
        m_server->cli({"mset", "lock:1", "owner-7", "lock:2", "owner-8"});
        open(server());
        QTRY_VERIFY(table());
        QTRY_COMPARE(rows(), 2);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          {50, 50}); // the mouse is over the table now
        choose("lock:2");
        m_server->cli({"del", "lock:1"});
        const LockTableModel &model = page()->model();
        QTRY_VERIFY(model.isGone(model.indexOf(LockKey("lock:1")).row()));
        QVERIFY(!shownText(*m_window).contains(QStringLiteral("Gone. The last reading")));
        choose("lock:1");
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("Gone. The last reading")));
    }

    void whatNobodyWaitedForIsToldAllTheSame()
    {
        m_server->cli({"hset", "lock:stuck", "dead:1", "1"});
        open(server());
        QTRY_COMPARE(rows(), 1);
        choose("lock:stuck");
        commands().forceExpire->trigger();
        QTRY_VERIFY(dialog());
        m_server->pause();
        button(*dialog(), QStringLiteral("Force-expire"))->click();
        QVERIFY(dialog()->isUnderWay());
        button(*dialog(), QStringLiteral("Close"))->click();
        QTRY_VERIFY(!dialog());
        auto *notice = m_window->findChild<Banner *>(QStringLiteral("outcomeNotice"));
        QVERIFY(notice->isHidden());
        m_server->resume();
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), 30'000);
        QVERIFY2(notice->text().contains(QStringLiteral("lock:stuck: ")), qPrintable(notice->text()));
        notice->findChild<QToolButton *>()->click();
        QVERIFY(notice->isHidden());
        QTRY_VERIFY(m_window->findChildren<ActionDialog *>().isEmpty());
    }

    void aLostServerIsSaidAndComesBack()
    {
        m_server->cli({"set", "lock:a", "t", "px", "60000"});
        open(server());
        QTRY_COMPARE(rows(), 1);
        choose("lock:a");
        m_server->kill();
        auto *banner = m_window->findChild<Banner *>();
        QTRY_VERIFY(banner->isVisible());
        QTRY_VERIFY2(banner->detail().contains(QStringLiteral("old")), qPrintable(banner->detail()));
        QTRY_VERIFY2_WITH_TIMEOUT(banner->detail().contains(QStringLiteral("Next attempt in")),
                                  qPrintable(banner->detail()), 15'000);
        // Still readable, and standing still.
        QCOMPARE(rows(), 1);
        QVERIFY(page()->clock().isStopped());
        QVERIFY(!commands().forceExpire->isEnabled());
        QVERIFY(commands().copyKey->isEnabled());

        m_server->start();
        auto *step = banner->findChild<QToolButton *>(QStringLiteral("bannerStep"));
        if (banner->isVisible() && step->text() == QStringLiteral("Retry now"))
            step->click();
        QTRY_VERIFY_WITH_TIMEOUT(banner->text().contains(QStringLiteral("restarted or replaced at")), 15'000);
        QTRY_VERIFY(!page()->clock().isStopped());
        QTRY_COMPARE(rows(), 0);
        step->click();
        QVERIFY(!banner->isVisible());
    }

    void readOnlyCanDoNothing()
    {
        m_server->cli({"hset", "lock:a", "o", "1"});
        WindowOptions options = server();
        options.readOnly = true;
        open(options);
        QTRY_COMPARE(rows(), 1);
        choose("lock:a");
        for (const QAction *action :
             {commands().acquire, commands().release, commands().extend, commands().forceExpire}) {
            QVERIFY(!action->isEnabled());
            QVERIFY(action->toolTip().contains(QStringLiteral("read-only")));
        }
        QVERIFY(commands().scan->isEnabled());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("read-only")));
    }

    void aWrongAddressIsExplained()
    {
        WindowOptions options;
        options.server = ServerAddress();
        options.server->host = QStringLiteral("127.0.0.1");
        options.server->port = 1; // a port that was given back may be another test's server by now
        open(options);
        auto *message = m_window->findChild<QLabel *>(QStringLiteral("uriMessage"));
        QTRY_VERIFY2(message->isVisible() && message->text().contains(QStringLiteral("127.0.0.1:1")),
                     qPrintable(message->text()));
        QVERIFY(!table());
        // And mended in place.
        auto *uri = m_window->findChild<QLineEdit *>(QStringLiteral("uri"));
        uri->setText(m_server->socketPath());
        QTest::keyClick(uri, Qt::Key_Return);
        QTRY_VERIFY(commands().scan->isEnabled());
    }

    void aPasswordIsAskedFor()
    {
        m_server = std::make_unique<RedisServer>(
            QStringList{QStringLiteral("--requirepass"), QStringLiteral("canary")});
        open(server());
        auto *password = m_window->findChild<QLineEdit *>(QStringLiteral("password"));
        QTRY_VERIFY(password->isVisible() && password->hasFocus());
        QTest::keyClicks(password, QStringLiteral("canary"));
        QTest::keyClick(password, Qt::Key_Return);
        QTRY_VERIFY(commands().scan->isEnabled());
        m_window->close();
        m_window.reset();
        QFile settings(QSettings().fileName());
        QVERIFY(settings.open(QIODevice::ReadOnly));
        QVERIFY(!settings.readAll().contains("canary"));
    }

    /// Later, too: the reason is seen, and what is typed then is the password, not an address.
    void aPasswordThatIsRefusedLater()
    {
        m_server = std::make_unique<RedisServer>(
            QStringList{QStringLiteral("--requirepass"), QStringLiteral("canary")});
        WindowOptions options = server();
        options.server->password = "canary";
        open(options);
        QTRY_VERIFY(commands().scan->isEnabled());
        m_server->cli({"-a", "canary", "config", "set", "requirepass", "second"});
        m_server->cli({"-a", "second", "client", "kill", "type", "normal"});
        auto *banner = m_window->findChild<Banner *>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible() && banner->detail().contains(QStringLiteral("old")),
                                 15'000);
        auto *step = banner->findChild<QToolButton *>(QStringLiteral("bannerStep"));
        QTRY_COMPARE_WITH_TIMEOUT(step->text(), QStringLiteral("Edit connection…"), 15'000);
        step->click();
        auto *password = m_window->findChild<QLineEdit *>(QStringLiteral("password"));
        QTRY_VERIFY(password->isVisible() && password->hasFocus());
        QVERIFY2(shownText(*m_window).contains(QStringLiteral("refused the user name or password")),
                 qPrintable(shownText(*m_window)));
        // Wrong once more, then right: it is always the password that is typed.
        for (const char *typed : {"wrong", "second"}) {
            QTRY_VERIFY(password->isVisible() && password->hasFocus());
            QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(typed));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
            QTRY_VERIFY(!password->isVisible() || commands().scan->isEnabled());
        }
        QTRY_VERIFY(commands().scan->isEnabled());
    }

    void nothingFoundSaysWhatToDo()
    {
        open(server());
        QTRY_VERIFY2(shownText(*m_window).contains(QStringLiteral("No locks at the moment")),
                     qPrintable(shownText(*m_window)));
        QVERIFY(shownText(*m_window).contains(QStringLiteral("lock:*")));
    }

    void theDemoRunsAndLeavesNothing()
    {
        WindowOptions options;
        options.demo = true;
        options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(table() && rows() > 5, 20'000);
        commands().disconnect->trigger();
        QVERIFY(!table());
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
        QFile::remove(m_files.filePath(QStringLiteral("audit.jsonl")));
        ShownWindow::open(options, {1200, 700});
        m_window->activateWindow();
    }

    ActionDialog *dialog() const { return visible<ActionDialog>(*m_window); }

    void choose(const QByteArray &key)
    {
        QTRY_VERIFY(page()->model().indexOf(LockKey(key)).isValid());
        page()->choose(LockKey(key));
        QTRY_VERIFY(commands().copyKey->isEnabled());
    }

    /// Presses the dialog's verb, waits for the answer and closes it.
    void act(const QString &verb)
    {
        button(*dialog(), verb)->click();
        QTRY_VERIFY2(!dialog()->isUnderWay(), qPrintable(resultText(*dialog())));
        button(*dialog(), QStringLiteral("Close"))->click();
        QTRY_VERIFY(!dialog());
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
