// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of Redisson's on a real server, written as it writes them, and the window that shows who waits for whom.
#include "core/words/actionpreview.h"
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/locks/processnamedialog.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

using namespace lockscope;

class WaitsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_test->addFair("lock:order:1", a, {b});
        m_test->addFair("lock:order:2", b, {a});
        QVERIFY(m_test->connect());
    }
    void cleanup() { m_test.reset(); }

    void aDeadlockIsToldAndFound()
    {
        auto *banner = m_test->find<Banner>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 20'000);
        QVERIFY2(banner->text().contains(QStringLiteral("deadlock")), qPrintable(banner->text()));
        QVERIFY2(banner->detail().contains(QStringLiteral("holds lock:order:1 and waits for lock:order:2")),
                 qPrintable(banner->detail()));

        auto *panel = m_test->find<LockWaitsPanel>();
        QVERIFY(!panel->isVisible());
        auto *page = m_test->page();
        const auto before = page->chosen();
        emit banner->stepChosen();
        QVERIFY(panel->isVisible() && m_test->commands().showWaits->isChecked());
        auto *tree = panel->findChild<QTreeWidget *>();
        QTRY_VERIFY(tree->topLevelItemCount() == 2);
        QCOMPARE(page->chosen(), before); // to look is not to choose
        tree->topLevelItem(0)->child(0)->setSelected(true);
        QVERIFY(page->chosenLock());
        QVERIFY(page->chosenLock()->problems().testFlag(Problem::Deadlock));

        // A name is given once and shown everywhere, after a new start too.
        m_test->commands().nameProcess->trigger();
        auto *dialog = m_test->find<ProcessNameDialog>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit *>(QStringLiteral("name"))->setText(QStringLiteral("orders"));
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QTRY_VERIFY(banner->detail().contains(QStringLiteral("orders · thread 1 holds")));
        QVERIFY(m_test->connect());
        QTRY_VERIFY_WITH_TIMEOUT(m_test->find<Banner>()->detail().contains(QStringLiteral("orders · ")),
                                 20'000);

        // It is over when one of them is.
        m_test->server().cli({"DEL", "redisson_lock_queue:{lock:order:1}"});
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->find<Banner>()->isVisible(), 20'000);
    }

    void aDeadlockIsEndedFromThePanel()
    {
        m_test->commands().showWaits->trigger();
        auto *panel = m_test->find<LockWaitsPanel>();
        auto *button = panel->findChild<QToolButton *>(QStringLiteral("endDeadlock"));
        QTRY_VERIFY_WITH_TIMEOUT(button->isVisible(), 20'000);
        QVERIFY(!button->isEnabled()); // no lock is chosen
        auto *tree = panel->findChild<QTreeWidget *>();
        tree->topLevelItem(0)->child(0)->setSelected(true);
        QTRY_VERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        auto *dialog = m_test->find<ForceExpireDialog>();
        QVERIFY(dialog);
        QCOMPARE(dialog->key(), m_test->page()->chosen());
        QVERIFY(dialog->findChild<QLabel *>(QStringLiteral("details"))->text().contains(deadlockRemedy()));
        dialog->reject();
    }

private:
    const QByteArray a = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1",
                     b = "77777777-8f7e-4d6c-9b5a-493827160504:1";
    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WaitsTest)
#include "tst_waits.moc"
