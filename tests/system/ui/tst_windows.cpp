// SPDX-License-Identifier: GPL-3.0-or-later
// Several windows, each with a server of its own.
#include "core/redis/storedservers.h"
#include "tests/support/ownsettings.h"
#include "tests/support/redisserver.h"
#include "tests/support/sshserver.h"
#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QtTest>

using namespace lockscope;

namespace {

QList<MainWindow *> windows()
{
    QList<MainWindow *> all;
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (auto *window = qobject_cast<MainWindow *>(widget); window && window->isVisible())
            all.append(window);
    }
    return all;
}

int rows(const MainWindow &window)
{
    const auto *page = window.findChild<LocksPage *>();
    return page ? page->model().rowCount() : -1;
}

MainWindow *withTitle(const QString &title)
{
    for (MainWindow *window : windows()) {
        if (window->windowTitle().contains(title))
            return window;
    }
    return nullptr;
}

} // namespace

class WindowsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        QSettings().clear();
    }
    void cleanup() { MainWindow::closeAll(); }

    void eachHasItsOwnServer()
    {
        const RedisServer one;
        const RedisServer two;
        one.cli({"SET", "lock:a", "x", "PX", "600000"});
        for (const char *key : {"lock:a", "lock:b"})
            two.cli({"SET", key, "x", "PX", "600000"});
        // With room beside it on this screen.
        MainWindow::open({});
        windows().first()->resize(400, 300);
        windows().first()->close();
        QTRY_COMPARE(windows().size(), 0);
        rememberServer({QStringLiteral("two"), two.tcpAddress(), true});
        WindowOptions options;
        options.server = one.tcpAddress();
        options.serverName = QStringLiteral("one");
        options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        MainWindow::open(options);
        QTRY_VERIFY_WITH_TIMEOUT(withTitle(QStringLiteral("one —")), 20'000);
        MainWindow *first = withTitle(QStringLiteral("one —"));
        QTRY_COMPARE_WITH_TIMEOUT(rows(*first), 1, 20'000);

        // From the menu, which lists what is stored.
        QMenu *menu = nullptr;
        for (QMenu *each : first->findChildren<QMenu *>()) {
            if (each->title() == QStringLiteral("Open in new wind&ow"))
                menu = each;
        }
        QVERIFY(menu);
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2); // the last one used first
        QCOMPARE(menu->actions().at(1)->text(), QStringLiteral("two"));
        menu->actions().at(1)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(withTitle(QStringLiteral("two (read-only)")), 20'000);
        MainWindow *second = withTitle(QStringLiteral("two (read-only)"));
        QTRY_COMPARE_WITH_TIMEOUT(rows(*second), 2, 20'000);
        QVERIFY(first->geometry().topLeft() != second->geometry().topLeft());
        QVERIFY(first->findChild<MainActions *>()->acquire->isEnabled());
        QVERIFY(!second->findChild<MainActions *>()->acquire->isEnabled());

        // A third asks where to; one that closes takes nothing from the others.
        first->findChild<MainActions *>()->newWindow->trigger();
        QCOMPARE(windows().size(), 3);
        first->close();
        QTRY_COMPARE(windows().size(), 2);
        two.cli({"SET", "lock:c", "x", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(rows(*second), 3, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(one.cli({"CLIENT", "LIST"}).count("name=lockscope"), 0, 20'000);
    }

    /// The program itself, started with two names.
    void theProgramOpensThoseThatAreNamed()
    {
        const RedisServer one;
        const RedisServer two;
        const QTemporaryDir home;
        QDir(home.path()).mkdir(QStringLiteral("lockscope"));
        {
            QSettings settings(home.filePath(QStringLiteral("lockscope/Lockscope.conf")),
                               QSettings::NativeFormat);
            settings.beginWriteArray(QStringLiteral("recentServers"), 2);
            for (int i = 0; i < 2; ++i) {
                settings.setArrayIndex(i);
                settings.setValue(QStringLiteral("name"),
                                  i == 0 ? QStringLiteral("first") : QStringLiteral("orders, 2"));
                settings.setValue(QStringLiteral("uri"),
                                  (i == 0 ? one : two).tcpAddress().toUriWithoutPassword());
            }
            settings.endArray();
        }
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        environment.insert(QStringLiteral("XDG_STATE_HOME"), home.path());
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"),
                      {QStringLiteral("--connect"), QStringLiteral("first"), QStringLiteral("--connect"),
                       QStringLiteral("orders, 2")});
        const auto isWatched = [](const RedisServer &server) {
            return server.cli({"CLIENT", "LIST"}).contains("name=lockscope");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWatched(one) && isWatched(two), 30'000);
        program.terminate();
        QVERIFY(program.waitForFinished(20'000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 0);

        // The terminal program knows the same names.
        const Ran ran =
            runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"),
                       {"--connect", "orders, 2", "acquire", "lock:a", "--owner", "me", "--lease", "60"}, {},
                       {QStringLiteral("XDG_CONFIG_HOME=") + home.path(),
                        QStringLiteral("XDG_STATE_HOME=") + home.path()});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QCOMPARE(two.cli({"EXISTS", "lock:a"}), "1");
    }

    void aTunnelThatFailsIsExplained()
    {
        SshServer ssh({QStringLiteral("--forwards"), QStringLiteral("no")});
        WindowOptions options;
        options.server =
            ServerAddress::parse(QStringLiteral("redis://127.0.0.1:1?ssh=") + ssh.host()).value();
        MainWindow::open(options);
        const auto message = [] {
            const auto *label = windows().value(0)->findChild<QLabel *>(QStringLiteral("uriMessage"));
            return label->isVisible() ? label->text() : QString();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(message().contains(QStringLiteral("forbids forwarding to 127.0.0.1:1")),
                                  qPrintable(message()), 30'000);
        QCOMPARE(windows().value(0)->findChild<QLineEdit *>(QStringLiteral("sshHost"))->text(), ssh.host());
    }

private:
    OwnSettings m_files;
};

QTEST_MAIN(WindowsTest)
#include "tst_windows.moc"
