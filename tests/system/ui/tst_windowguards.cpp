// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real server of each environment: what it asks for before an action, and what a second tool then sees.
#include "tests/support/resulttext.h"
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/actionseriesdialog.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/lockactions/lockdialogs.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/widgets/serverlabel.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

class WindowGuardsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        for (const char *name : {"a", "b", "c"})
            server().cli({"SET", QByteArray("lock:") + name, QByteArray("owner-") + name, "PX", "600000"});
    }
    void cleanup() { m_test.reset(); }

    void developmentAsksNothingAndCanBeUndone()
    {
        open(Environment::Development);
        QVERIFY(window().windowTitle().contains(QStringLiteral("DEVELOPMENT")));
        page()->choose(LockKey("lock:a"));
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        commands().forceExpire->trigger();
        QVERIFY(!window().findChild<QDialog *>());
        QTRY_COMPARE(server().cli({"EXISTS", "lock:a"}), "0");
        QTRY_VERIFY(notice().text().contains(QStringLiteral("lock:a")));
        auto *undo = notice().findChild<QToolButton *>(QStringLiteral("bannerOtherStep"));
        QTRY_VERIFY(undo->isVisible());
        undo->click();
        QTRY_COMPARE(server().cli({"GET", "lock:a"}), "owner-a");
        const qint64 left = server().cli({"PTTL", "lock:a"}).toLongLong();
        QVERIFY2(left > 500'000 && left <= 600'000, qPrintable(QString::number(left)));

        // Another has it: nothing is taken from him.
        QTRY_VERIFY(page()->model().find(LockKey("lock:b")));
        page()->choose(LockKey("lock:b"));
        commands().release->trigger();
        QTRY_COMPARE(server().cli({"EXISTS", "lock:b"}), "0");
        QTRY_VERIFY(notice().text().contains(QStringLiteral("lock:b")));
        server().cli({"SET", "lock:b", "other", "PX", "600000"});
        undo->click();
        QTRY_VERIFY2(notice().text().contains(QStringLiteral("another owner")), qPrintable(notice().text()));
        QCOMPARE(server().cli({"GET", "lock:b"}), "other");
        QVERIFY(!undo->isVisible());
    }

    /// Whose lock it was when the key was pressed nobody knows then.
    void whatChangedUnderTheHandIsAskedFor()
    {
        open(Environment::Development);
        page()->choose(LockKey("lock:a"));
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        commands().pause->setChecked(true);
        server().cli({"SET", "lock:a", "another", "PX", "600000"});
        QTRY_VERIFY(shownText(window()).contains(QStringLiteral("1 lock(s) have changed since then.")));
        commands().forceExpire->trigger();
        auto *dialog = window().findChild<ForceExpireDialog *>();
        QVERIFY(dialog);
        QCOMPARE(server().cli({"GET", "lock:a"}), "another");
        QVERIFY(!commands().forceExpire->autoRepeat());
    }

    void stagingAsksUntilToldNotTo()
    {
        open(Environment::Staging);
        page()->choose(LockKey("lock:a"));
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        commands().forceExpire->trigger();
        auto *dialog = window().findChild<ForceExpireDialog *>();
        QVERIFY(dialog);
        dialog->findChild<QCheckBox *>(QStringLiteral("skipQuestion"))->setChecked(true);
        press(*dialog, "Force-expire");
        QTRY_COMPARE(server().cli({"EXISTS", "lock:a"}), "0");
        press(*dialog, "Close");
        QTRY_VERIFY(!window().findChild<QDialog *>());
        page()->choose(LockKey("lock:b"));
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        commands().forceExpire->trigger();
        QVERIFY(!window().findChild<QDialog *>());
        QTRY_COMPARE(server().cli({"EXISTS", "lock:b"}), "0");
        // The click on it is the agreement.
        auto *undo = notice().findChild<QToolButton *>(QStringLiteral("bannerOtherStep"));
        QTRY_VERIFY(undo->isVisible());
        undo->click();
        QTRY_COMPARE(server().cli({"GET", "lock:b"}), "owner-b");
        // Of this action alone.
        page()->choose(LockKey("lock:c"));
        QTRY_VERIFY(commands().release->isEnabled());
        commands().release->trigger();
        QVERIFY(window().findChild<OwnerDialog *>());
    }

    void withoutAnEnvironmentItAsks()
    {
        open(Environment::Unset);
        page()->choose(LockKey("lock:a"));
        QTRY_VERIFY(commands().release->isEnabled());
        commands().release->trigger();
        auto *dialog = window().findChild<OwnerDialog *>();
        QVERIFY(dialog);
        QVERIFY(!dialog->findChild<QCheckBox *>(QStringLiteral("skipQuestion")));
        QVERIFY(!commands().unlock->isVisible());
    }

    void productionIsUnlockedAndAsksForTheName()
    {
        open(Environment::Production);
        QVERIFY(window().windowTitle().contains(QStringLiteral("PRODUCTION (read-only)")));
        auto *label = window().findChild<ServerLabel *>();
        QVERIFY2(label->accessibleName().contains(QStringLiteral("READ-ONLY")),
                 qPrintable(label->accessibleName()));
        page()->choose(LockKey("lock:a"));
        QTRY_VERIFY(commands().copyRow->isEnabled());
        QVERIFY(!commands().forceExpire->isEnabled());
        QVERIFY2(commands().forceExpire->toolTip().contains(QStringLiteral("unlock")),
                 qPrintable(commands().forceExpire->toolTip()));
        commands().unlock->trigger();
        QTRY_VERIFY(commands().forceExpire->isEnabled());
        QVERIFY(!window().windowTitle().contains(QStringLiteral("read-only")));
        QVERIFY(label->accessibleName().contains(QStringLiteral("UNLOCKED")));

        commands().forceExpire->trigger();
        auto *dialog = window().findChild<ForceExpireDialog *>();
        QPushButton *act = button(*dialog, QStringLiteral("Force-expire"));
        QVERIFY(!act->isEnabled());
        auto *typed = dialog->findChild<QLineEdit *>(QStringLiteral("typedName"));
        QTest::keyClicks(typed, QStringLiteral("lock:"));
        QVERIFY(!act->isEnabled());
        QTest::keyClicks(typed, QStringLiteral("a"));
        QVERIFY(act->isEnabled());
        act->click();
        QTRY_COMPARE(server().cli({"EXISTS", "lock:a"}), "0");
        press(*dialog, "Close");
        QTRY_VERIFY(!window().findChild<QDialog *>());

        // Several: the server's name.
        page()->findChild<QTableView *>()->selectAll();
        QTRY_COMPARE(page()->selectedCount(), 2);
        commands().release->trigger();
        auto *series = window().findChild<ActionSeriesDialog *>();
        QPushButton *all = button(*series, QStringLiteral("Release 2 lock(s)"));
        QVERIFY(!all->isEnabled());
        QTest::keyClicks(series->findChild<QLineEdit *>(QStringLiteral("typedName")),
                         QStringLiteral("orders"));
        QTRY_VERIFY(all->isEnabled());
        all->click();
        QTRY_COMPARE(resultText(*series), QStringLiteral("Released: 2"));
        QCOMPARE(server().cli({"DBSIZE"}), "0");
        press(*series, "Close");

        QTest::mouseClick(label, Qt::LeftButton); // once more: locked
        QTRY_VERIFY(window().windowTitle().contains(QStringLiteral("read-only")));
        QVERIFY(!commands().acquire->isEnabled());
    }

    void opensOnALock()
    {
        WindowOptions options;
        options.selectedLock = LockKey("lock:b");
        open(Environment::Unset, options);
        QTRY_VERIFY(page()->chosen() == LockKey("lock:b"));
        options.selectedLock = LockKey("lock:none");
        open(Environment::Unset, options);
        QTRY_VERIFY2(notice().text().contains(QStringLiteral("lock:none is not among")),
                     qPrintable(notice().text()));
    }

private:
    void open(Environment environment, WindowOptions options = {})
    {
        options.server = server().tcpAddress();
        options.serverName = QStringLiteral("orders");
        options.environment = environment;
        QVERIFY(m_test->connect(options));
        window().resize(1200, 700);
        QTRY_COMPARE(page()->model().rowCount(), 3);
    }
    static void press(const QDialog &dialog, const char *text)
    {
        QTRY_VERIFY(button(dialog, QString::fromLatin1(text)));
        button(dialog, QString::fromLatin1(text))->click();
    }
    RedisServer &server() const { return m_test->server(); }
    MainWindow &window() const { return m_test->window(); }
    LocksPage *page() const { return m_test->page(); }
    OutcomeNotice &notice() const { return *m_test->find<OutcomeNotice>(); }
    MainActions &commands() const { return m_test->commands(); }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowGuardsTest)
#include "tst_windowguards.moc"
