// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of Redisson's on a real server, written as it writes them, and the window that shows who waits for whom.
#include "tests/support/redisserver.h"
#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/processnamedialog.h"
#include "ui/shell/mainwindow.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>
#include <QtTest>

using namespace lockscope;

class WaitsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
        QCoreApplication::setApplicationName(QStringLiteral("test"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_files.path());
    }
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_server = std::make_unique<RedisServer>();
    }
    void cleanup()
    {
        m_window.reset();
        m_server.reset();
    }

    void aDeadlockIsToldAndFound()
    {
        fair("lock:order:1", a, b);
        fair("lock:order:2", b, a);
        connectWindow();
        auto *banner = m_window->findChild<Banner *>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 20'000);
        QVERIFY2(banner->text().contains(QStringLiteral("Deadlock")), qPrintable(banner->text()));
        QVERIFY2(banner->detail().contains(QStringLiteral("holds lock:order:1 and waits for lock:order:2")),
                 qPrintable(banner->detail()));

        auto *panel = m_window->findChild<LockWaitsPanel *>();
        QVERIFY(!panel->isVisible());
        auto *page = m_window->findChild<LocksPage *>();
        const auto before = page->chosen();
        emit banner->stepChosen();
        QVERIFY(panel->isVisible() && commands().showWaits->isChecked());
        auto *tree = panel->findChild<QTreeWidget *>();
        QTRY_VERIFY(tree->topLevelItemCount() == 2);
        QCOMPARE(page->chosen(), before); // to look is not to choose
        tree->topLevelItem(0)->child(0)->setSelected(true);
        QVERIFY(page->chosenLock());
        QVERIFY(page->chosenLock()->problems().testFlag(Problem::Deadlock));

        // A name is given once and shown everywhere, after a new start too.
        commands().nameProcess->trigger();
        auto *dialog = m_window->findChild<ProcessNameDialog *>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit *>(QStringLiteral("name"))->setText(QStringLiteral("orders"));
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QTRY_VERIFY(banner->detail().contains(QStringLiteral("orders · thread 1 holds")));
        m_window.reset();
        connectWindow();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->findChild<Banner *>()->detail().contains(QStringLiteral("orders · ")), 20'000);

        // It is over when one of them is.
        m_server->cli({"DEL", "redisson_lock_queue:{lock:order:1}"});
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<Banner *>()->isVisible(), 20'000);
    }

private:
    void fair(const QByteArray &key, const QByteArray &owner, const QByteArray &waiter)
    {
        m_server->cli({"HSET", key, owner, "1"});
        m_server->cli({"PEXPIRE", key, "600000"});
        m_server->cli({"RPUSH", "redisson_lock_queue:{" + key + '}', waiter});
        m_server->cli({"ZADD", "redisson_lock_timeout:{" + key + '}', "99999999999999", waiter});
    }
    void connectWindow()
    {
        WindowOptions options;
        options.server = m_server->socketAddress();
        options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        m_window = std::make_unique<MainWindow>(options);
        m_window->show();
        QTRY_VERIFY(m_window->findChild<LocksPage *>() && m_window->findChild<LocksPage *>()->isVisible());
    }
    MainActions &commands() { return *m_window->findChild<MainActions *>(); }

    const QByteArray a = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1",
                     b = "77777777-8f7e-4d6c-9b5a-493827160504:1";
    QTemporaryDir m_files;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WaitsTest)
#include "tst_waits.moc"
