// SPDX-License-Identifier: GPL-3.0-or-later
// The window where the server loses its keys, or the window the server.
#include "tests/support/fakepeer.h"
#include "tests/system/ui/testwindow.h"
#include "ui/widgets/banner.h"

#include <QToolButton>
#include <QtTest>

using namespace lockscope;

class WindowLiveTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init() { failOnWarning(); }
    void cleanup() { m_window.reset(); }

    void aFlushIsSaidUntilItIsSeen()
    {
        const RedisServer server;
        server.cli({"EVAL",
                    "for i = 1, 200 do redis.call('set', 'lock:' .. i, "
                    "string.format('%08x-58cc-4372-a567-0e02b2c3d479', i), 'PX', 3600000) end",
                    "0"});
        open(server.tcpAddress());
        QTRY_COMPARE(rows(), 200);
        QTRY_VERIFY_WITH_TIMEOUT(shownText(*m_window).contains(QStringLiteral("change feed: tracking")),
                                 15'000);
        QVERIFY(!banner().isVisible());
        server.cli({"FLUSHALL"});
        QTRY_COMPARE(rows(), 0);
        QTRY_VERIFY(banner().isVisible());
        const QRegularExpression said(QStringLiteral("^The database was flushed at \\d\\d:\\d\\d; 200 "));
        QVERIFY2(said.match(banner().text()).hasMatch(), qPrintable(banner().text()));
        server.cli({"SET", "lock:a", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PX", "3600000"});
        QTRY_COMPARE(rows(), 1);
        QVERIFY(banner().isVisible());
        banner().findChild<QToolButton *>(QStringLiteral("bannerStep"))->click();
        QVERIFY(!banner().isVisible());
    }

    /// The end that is shown is no later for all the time without a connection.
    void theEndStandsStill()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PX", "600000"});
        open(server.tcpAddress());
        QTRY_COMPARE(rows(), 1);
        auto *table = page()->findChild<QTableView *>();
        table->selectRow(0);
        const QRegularExpression end(QStringLiteral("(\\d\\d:\\d\\d:\\d\\d) \\(as read [^)]* ago\\)"));
        server.kill();
        QTRY_VERIFY2_WITH_TIMEOUT(end.match(shownText(*m_window)).hasMatch(),
                                  qPrintable(shownText(*m_window)), 15'000);
        const auto shown = [&] {
            return QTime::fromString(end.match(shownText(*m_window)).captured(1), QStringLiteral("HH:mm:ss"));
        };
        const QTime first = shown();
        QElapsedTimer passed;
        passed.start();
        while (passed.elapsed() < 3500)
            QTRY_VERIFY(qAbs(first.secsTo(shown())) <= 1);
        QVERIFY(shownText(*m_window).contains(QStringLiteral("unless renewed or released since")));
    }

    /// What can't be finished is not said to be tried again at once.
    void aScanWithoutEndIsExplained()
    {
        FakePeer peer;
        peer.on("SCAN", "*2\r\n$1\r\n7\r\n*0\r\n");
        open(peer.address());
        QTRY_VERIFY(page());
        QTRY_VERIFY(banner().isVisible());
        QVERIFY2(banner().text().contains(QStringLiteral("cannot complete")), qPrintable(banner().text()));
        QVERIFY2(banner().detail().contains(QStringLiteral("within a minute")),
                 qPrintable(banner().detail()));
    }

private:
    void open(const ServerAddress &address)
    {
        WindowOptions options;
        options.server = address;
        ShownWindow::open(options, {1200, 700});
    }

    Banner &banner() const { return *m_window->findChild<Banner *>(); }
};

QTEST_MAIN(WindowLiveTest)
#include "tst_windowlive.moc"
