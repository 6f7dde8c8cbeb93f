// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real server: the picture is held still and goes on; several locks are ended with one dialog.
#include "tests/support/resulttext.h"
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/actionseriesdialog.h"

#include <QClipboard>
#include <QMimeData>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

class WindowPauseTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init()
    {
        failOnWarning();
        m_server = std::make_unique<RedisServer>();
        for (const char *name : {"a", "b", "c"})
            m_server->cli({"HSET", QByteArray("lock:") + name, QByteArray("owner-") + name, "1"});
        WindowOptions options;
        options.server = m_server->tcpAddress();
        open(options, {1200, 700});
        QTRY_COMPARE(rows(), 3);
        table()->sortByColumn(static_cast<int>(LockTableModel::Column::Key), Qt::AscendingOrder);
        m_window->activateWindow();
        table()->setFocus();
        QTRY_VERIFY(table()->hasFocus());
    }
    void cleanup()
    {
        m_window.reset();
        m_server.reset();
    }

    void thePictureStandsAndGoesOn()
    {
        QTest::keyClick(table(), Qt::Key_Space);
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("Paused at")));
        m_server->cli({"DEL", "lock:a"});
        m_server->cli({"HSET", "lock:d", "owner-d", "1"});
        m_server->cli({"HSET", "lock:e", "owner-e", "1"});
        m_server->cli({"DEL", "lock:e"});
        m_server->cli({"HSET", "lock:b", "owner-b", "2"});
        // Gone, new, and held twice; what came and went is none.
        QTRY_VERIFY2(shownText(*m_window).contains(QStringLiteral("3 lock(s) have changed since then.")),
                     qPrintable(shownText(*m_window)));
        QCOMPARE(rows(), 3);
        QVERIFY(page()->model().find(LockKey("lock:a")));
        QTest::keyClick(table(), Qt::Key_Space);
        QTRY_VERIFY(page()->model().find(LockKey("lock:d")));
        QCOMPARE(rows(), 3);
        QVERIFY(!page()->model().find(LockKey("lock:a")));
        QVERIFY(!shownText(*m_window).contains(QStringLiteral("Paused at")));
        QVERIFY(!page()->clock().isHeld());
    }

    /// Where a notice comes below the table, and where it goes.
    void rowsHoldStillUnderTheMouse()
    {
        m_server->cli({"EVAL", "for i = 1, 100 do redis.call('HSET', 'lock:x' .. i, 'owner', 1) end", "0"});
        QTRY_COMPARE(rows(), 103);
        const auto place = [this] {
            return table()->viewport()->mapToGlobal(
                table()->visualRect(page()->model().index(9, 0)).topLeft());
        };
        const auto isPaused = [this] { return shownText(*m_window).contains(QStringLiteral("Paused at")); };
        const QPoint before = place();
        const int height = table()->viewport()->height();
        QTest::keyClick(table(), Qt::Key_Space);
        QTRY_VERIFY(isPaused() && table()->viewport()->height() < height);
        QCOMPARE(place(), before);
        QTest::keyClick(table(), Qt::Key_Space);
        QTRY_VERIFY(!isPaused() && table()->viewport()->height() == height);
        QCOMPARE(place(), before);
    }

    /// Nobody acts on a picture that is not true any more.
    void anActionEndsThePause()
    {
        table()->selectRow(0);
        QTest::keyClick(table(), Qt::Key_Space);
        QTRY_VERIFY(page()->clock().isHeld());
        m_server->cli({"DEL", "lock:a"});
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("1 lock(s) have changed since then.")));
        commands().forceExpire->trigger();
        QVERIFY(!page()->clock().isHeld());
        QVERIFY(!page()->chosenLock());
        QVERIFY(!m_window->findChild<QDialog *>());
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("The lock is gone")));
    }

    void aLostConnectionIsSaidWhileItStands()
    {
        QTest::keyClick(table(), Qt::Key_Space);
        m_server->kill();
        QTRY_VERIFY_WITH_TIMEOUT(shownText(*m_window).contains(QStringLiteral("Next attempt")), 15'000);
        QTest::keyClick(table(), Qt::Key_Space);
        QVERIFY(page()->clock().isStopped()); // nothing of it is current
        QCOMPARE(rows(), 3);
    }

    void anIncidentIsCopied()
    {
        page()->choose(LockKey("lock:b"));
        QTRY_VERIFY(commands().copySummary->isEnabled());
        m_server->cli({"DEL", "lock:b"});
        QTRY_VERIFY(!page()->chosenLock());
        commands().copySummary->trigger();
        const QMimeData *copied = QGuiApplication::clipboard()->mimeData();
        QVERIFY2(copied->text().contains(QStringLiteral("State: Gone")), qPrintable(copied->text()));
        QVERIFY(copied->text().contains(QStringLiteral("owner-b")));
        QVERIFY(copied->hasFormat(QStringLiteral("text/markdown")));
    }

    void severalAreEndedWithOneDialog()
    {
        table()->selectAll();
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("selected: 3")));
        commands().forceExpire->trigger();
        auto *dialog = m_window->findChild<ActionSeriesDialog *>();
        QVERIFY(dialog);
        m_server->cli({"HSET", "lock:b", "owner-b", "2"}); // re-entered
        auto *outcomes = dialog->findChild<QTableWidget *>();
        QTRY_VERIFY(outcomes->item(1, 5)->text().contains(QStringLiteral("Changed")));
        button(*dialog, QStringLiteral("Force-expire 2 lock(s)"))->click();
        QTRY_COMPARE(resultText(*dialog), QStringLiteral("Force-expired: 2"));
        QCOMPARE(m_server->cli({"EXISTS", "lock:a", "lock:c"}), "0");
        QCOMPARE(m_server->cli({"HGET", "lock:b", "owner-b"}), "2");
        QTRY_COMPARE(rows(), 1);
    }

private:
    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(WindowPauseTest)
#include "tst_windowpause.moc"
