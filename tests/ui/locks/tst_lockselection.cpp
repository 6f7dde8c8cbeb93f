// SPDX-License-Identifier: GPL-3.0-or-later
// Several locks selected, while rows come, go and move: what is selected are these locks, and no others.
#include "ui/locks/lockselection.h"
#include "ui/locks/lockspage.h"

#include "tests/ui/samplelocks.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockSelectionTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_page = std::make_unique<LocksPage>();
        m_page->setStale(now);
        m_page->resize(900, 400);
        m_page->show();
        m_table = m_page->findChild<QTableView *>();
        m_table->sortByColumn(static_cast<int>(LockTableModel::Column::Key), Qt::AscendingOrder);
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void theyFollowTheirLocks()
    {
        m_page->apply(changes({reentrant("b"), reentrant("d"), reentrant("f")}));
        click(0);
        click(2, Qt::ControlModifier);
        QCOMPARE(keys(), (QByteArrayList{"b", "f"}));
        QCOMPARE(m_page->chosen()->bytes, "f");
        m_page->apply(changes({reentrant("a"), reentrant("c"), reentrant("e")}, {"d"}));
        QCOMPARE(keys(), (QByteArrayList{"b", "f"}));
        m_table->sortByColumn(static_cast<int>(LockTableModel::Column::Key), Qt::DescendingOrder);
        QCOMPARE(keys(), (QByteArrayList{"f", "b"}));
        QCOMPARE(selectedRows(), (QList<int>{0, 3}));
    }

    /// Where all rows are selected, Qt selects what comes, too.
    void whatComesIsNotSelected()
    {
        m_page->apply(changes({reentrant("b"), reentrant("d")}));
        m_table->selectRow(0);
        m_table->selectAll();
        QCOMPARE(keys(), (QByteArrayList{"b", "d"}));
        m_page->apply(changes({reentrant("a"), reentrant("c")}));
        QCOMPARE(keys(), (QByteArrayList{"b", "d"}));
        QCOMPARE(selectedRows(), (QList<int>{0, 3})); // the chosen one keeps its row
        // Nor what takes the place of all of them.
        m_page->apply(changes({reentrant("e"), reentrant("f")}, {"a", "b", "c", "d"}));
        QCOMPARE(keys(), QByteArrayList());
        QCOMPARE(selectedRows(), QList<int>());
    }

    void whatGoesOrIsHiddenIsNotSelected()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b"), reentrant("order"), reentrant("other")}));
        click(0);
        click(3, Qt::ShiftModifier);
        QCOMPARE(m_page->selectedCount(), 4);
        m_page->apply(changes({}, {"b"}));
        QCOMPARE(keys(), (QByteArrayList{"a", "order", "other"}));
        m_page->findChild<QLineEdit *>()->setText(QStringLiteral("o"));
        QCOMPARE(keys(), (QByteArrayList{"order", "other"}));
        m_page->findChild<QLineEdit *>()->clear();
        QCOMPARE(keys(), (QByteArrayList{"order", "other"}));
        // The chosen one is one that can be seen.
        QVERIFY(m_page->chosen() && keys().contains(m_page->chosen()->bytes));
        // One that comes back is not selected by itself.
        m_page->apply(changes({reentrant("b")}));
        QCOMPARE(keys(), (QByteArrayList{"order", "other"}));
    }

    /// What stays selected is chosen in the place of what has gone, and what comes back is not selected by itself.
    void theLastOneSelectedIsChosen()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b"), reentrant("c")}));
        click(1);
        click(0, Qt::ControlModifier);
        QCOMPARE(m_page->chosen()->bytes, "a");
        for (int i = 0; i < 3; ++i) { // a look now and then changes nothing
            m_page->apply(changes({}, {"a"}));
            QCOMPARE(keys(), QByteArrayList{"b"});
            QCOMPARE(m_page->selectedCount(), 1);
            QCOMPARE(m_page->chosen()->bytes, "b");
        }
        m_page->apply(changes({reentrant("a")}));
        QCOMPARE(keys(), QByteArrayList{"b"});
        QCOMPARE(m_page->chosen()->bytes, "b");
    }

    /// Shift goes on from what was chosen last, however it was chosen.
    void itIsExtendedFromTheChosenOne()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 20; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(100 + i)));
        m_page->apply(changes(locks));
        click(9);
        m_page->choose(LockKey("lock:102"));
        QTest::keyClick(m_table, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(keys(), (QByteArrayList{"lock:102", "lock:103"}));
    }

    void itHasALimit()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 3000; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(10'000 + i)));
        m_page->apply(changes(locks));
        QSignalSpy limited(m_page.get(), &LocksPage::selectionLimited);
        m_table->selectAll();
        QCOMPARE(m_page->selectedCount(), LockSelection::most);
        QCOMPARE(selectedRows().size(), LockSelection::most);
        QCOMPARE(selectedRows().last(), int(LockSelection::most) - 1);
        QVERIFY(!limited.isEmpty());
        m_page->apply(changes({reentrant("lock:0")}));
        QCOMPARE(m_page->selectedCount(), LockSelection::most);
        QCOMPARE(selectedRows().first(2), (QList<int>{0, 2})); // the chosen one keeps its row
    }

    /// As many as may be, none beside another: they stay what they are.
    void manyRangesAreHeld()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 3000; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(10'000 + i), milliseconds(10'000 + i % 3)));
        m_page->apply(changes(locks));
        m_table->selectAll();
        m_table->sortByColumn(static_cast<int>(LockTableModel::Column::Ttl), Qt::AscendingOrder);
        QCOMPARE(m_page->selectedCount(), LockSelection::most);
        for (int i = 0; i < 30; ++i)
            m_page->apply(changes({reentrant("lock:" + QByteArray::number(i), 1s)}));
        QCOMPARE(m_page->selected().size(), LockSelection::most);
        for (const LockKey &key : m_page->selected())
            QVERIFY(key.bytes < "lock:11000");
    }

    void theChosenRowHoldsStill()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 200; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(1000 + i)));
        m_page->apply(changes(locks));
        click(5);
        const auto place = [this] {
            return m_table->visualRect(m_page->model().indexOf(*m_page->chosen())).top();
        };
        const int before = place();
        m_page->apply(changes({reentrant("lock:0"), reentrant("lock:0a"), reentrant("lock:0b")}));
        QCOMPARE(place(), before);
        // Where nothing is chosen or pointed to, the top is what is read.
        m_table->verticalScrollBar()->setValue(0);
        m_page->chooseNothing();
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_table->viewport(), &leave);
        m_page->apply(changes({reentrant("lock:00")}));
        QCOMPARE(m_table->verticalScrollBar()->value(), 0);
    }

    void theyAreCopied()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b"), reentrant("c")}));
        click(0);
        click(2, Qt::ControlModifier);
        const QStringList lines = m_page->rowsText().split(u'\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].split(u'\t')[1], QStringLiteral("a"));
        QCOMPARE(lines[1].split(u'\t')[1], QStringLiteral("c"));
    }

private:
    void click(int row, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        const QRect place = m_table->visualRect(m_page->model().index(row, 1));
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, modifiers, place.center());
    }
    QByteArrayList keys() const
    {
        QByteArrayList keys;
        for (const LockKey &key : m_page->selected())
            keys.append(key.bytes);
        return keys;
    }
    QList<int> selectedRows() const
    {
        QList<int> rows;
        for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
            rows.append(index.row());
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    std::unique_ptr<LocksPage> m_page;
    QTableView *m_table = nullptr;
};

QTEST_MAIN(LockSelectionTest)
#include "tst_lockselection.moc"
