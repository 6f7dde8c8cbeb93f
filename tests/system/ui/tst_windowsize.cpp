// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the window is read on a usual screen, and that a small one has all of it.
#include "tests/system/ui/testwindow.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/elidedlabel.h"

#include <QHeaderView>
#include <QTableView>
#include <QTreeWidget>

using namespace lockscope;

class WindowSizeTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_test->addFair("lock:order:1", a, {b});
        m_test->addFair("lock:order:2", b, {a, a + "1"});
        m_test->server().cli({"SET", "lock:backup", "4b1f6f7f3f10aa00112233445566778899aabbcc"});
        QVERIFY(m_test->connect());
        QTRY_COMPARE(m_test->page()->model().rowCount(), 3);
    }
    void cleanup() { m_test.reset(); }

    /// Beside the inspector, on a screen of 1280 x 800.
    void whatIsAskedFirstIsReadAtAUsualSize()
    {
        m_test->window().resize(1280, 760);
        QVERIFY(m_test->find<InspectorPanel>()->isVisible());
        auto *table = m_test->page()->findChild<QTableView *>();
        for (const LockColumn column :
             {LockColumn::Owner, LockColumn::Holds, LockColumn::Waiters, LockColumn::Ttl, LockColumn::Held})
            QTRY_VERIFY(!table->isColumnHidden(int(column)));
        QVERIFY(table->columnWidth(int(LockColumn::Key)) >=
                20 * table->fontMetrics().horizontalAdvance(u'0'));
        m_test->commands().showWaits->trigger();
        auto *tree = m_test->find<LockWaitsPanel>()->findChild<QTreeWidget *>();
        QTRY_VERIFY(tree->topLevelItemCount() > 0);
        QTRY_VERIFY(tree->visualItemRect(tree->itemBelow(tree->topLevelItem(0))).bottom() <
                    tree->viewport()->height());
    }

    void aSmallWindowHasEverything()
    {
        const QSize small(800, 600);
        const MainActions &commands = m_test->commands();
        for (QAction *panel : commands.panelsOfServer()) {
            panel->trigger();
            QTRY_VERIFY2(fits(small), qPrintable(sizeText()));
            panel->trigger();
        }
        m_test->page()->choose(LockKey("lock:order:1"));
        commands.showWaits->trigger();
        m_test->window().resize(small);
        QTRY_COMPARE(m_test->window().size(), small);
        QVERIFY(m_test->find<InspectorPanel>()->isVisible());
    }

private:
    QString sizeText() const
    {
        const QSize least = m_test->window().minimumSizeHint();
        return QStringLiteral("%1 x %2").arg(least.width()).arg(least.height());
    }
    bool fits(const QSize &size) const
    {
        const QSize least = m_test->window().minimumSizeHint();
        return least.width() <= size.width() && least.height() <= size.height();
    }

    const QByteArray a = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1",
                     b = "77777777-8f7e-4d6c-9b5a-493827160504:1";
    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowSizeTest)
#include "tst_windowsize.moc"
