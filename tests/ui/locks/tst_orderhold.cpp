// SPDX-License-Identifier: GPL-3.0-or-later
// Rows under a hand: none moves while others come, go and change their places, and what waits is said.
#include "ui/locks/orderhold.h"

#include "tests/ui/samplelocks.h"
#include "ui/locks/lockspage.h"

#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <random>

using namespace lockscope;
using namespace lockscope::sample;

class OrderHoldTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_page = std::make_unique<LocksPage>();
        m_page->replay(now, 0, {});
        m_page->resize(900, 400);
        m_page->show();
        m_table = m_page->findChild<QTableView *>();
        m_line = m_page->findChild<OrderHold *>()->findChild<QLabel *>();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    /// Ten minutes in which hundreds of locks are acquired, released, renewed and get problems.
    void noRowMovesUnderThePointer()
    {
        std::mt19937 random(1);
        const auto drawn = [&random](int below) { return static_cast<int>(random() % unsigned(below)); };
        m_page->apply(changes(many(200)));
        click(3);
        m_table->verticalScrollBar()->setValue(m_table->rowHeight(0) * 20);
        QVERIFY(m_table->verticalScrollBar()->value() > 0);
        const QPoint hand = m_table->viewport()->rect().center();
        move(hand);
        const QByteArray pointed = keyAt(hand);
        const QByteArrayList inSight = keysInSight();
        constexpr auto step = 200ms;
        for (milliseconds passed = 0ms; passed < 10min; passed += step) {
            const TimePoint at = now + passed;
            LockDiff diff;
            for (int i = 0; i < 10; ++i) {
                const QByteArray key = "lock:" + QByteArray::number(1000 + drawn(400));
                WatchedLock lock = reentrant(key, passed + milliseconds(drawn(30'000)), "o", 1, -passed);
                if (drawn(3) == 0)
                    diff.removed.append(LockKey(key));
                else
                    diff.changed.append(drawn(5) == 0 ? withProblem(lock, Problem::BadCount) : lock);
            }
            m_page->apply(diff);
            m_page->replay(at, 0, {});
            QCOMPARE(keyAt(hand), pointed);
            QCOMPARE(keysInSight(), inSight);
        }
        const LockTableModel &model = m_page->model();
        QVERIFY(model.rowCount() <= 200 + int(LockTableModel::maxAppended));
        QTRY_VERIFY2(m_line->text().startsWith(QStringLiteral("Order kept: ")), qPrintable(m_line->text()));
        // A problem is in the row at once, and a lock that is gone and comes back is there again.
        m_page->apply(changes({withProblem(reentrant(pointed, 20min), Problem::BadCount)}));
        const int row = m_table->rowAt(hand.y());
        QCOMPARE(model.index(row, 0).data().toString(), QStringLiteral("Invalid hold count"));
        m_page->apply(changes({}, {pointed}));
        QCOMPARE(model.index(row, 0).data().toString(), QStringLiteral("Gone"));
        QVERIFY(model.isGone(row) && !model.find(LockKey(pointed)));
        m_page->apply(changes({reentrant(pointed, 20min)}));
        QCOMPARE(model.index(row, 0).data().toString(), QStringLiteral("Held"));
        QCOMPARE(keysInSight(), inSight);
        // A moment after the hand is away all are in order, and those that are gone have no row.
        leave();
        QVERIFY(model.isHeld());
        QTRY_VERIFY(!model.isHeld());
        QCOMPARE(model.rowCount(), model.total());
    }

    void whatWaitsIsAppliedOnDemand()
    {
        m_page->apply(changes({reentrant("b"), reentrant("c"), reentrant("d"), reentrant("e")}));
        click(3);
        m_page->apply(changes(
            {withProblem(reentrant("d"), Problem::BadCount), withProblem(reentrant("a"), Problem::BadCount)},
            {"b"}));
        QCOMPARE(keysInSight(), (QByteArrayList{"b", "c", "d", "e", "a"}));
        QTRY_COMPARE(m_line->text(),
                     QStringLiteral("Order kept: 1 row(s) to move · 1 new · 1 new above · 1 to remove"));
        auto *update = m_line->parentWidget()->findChild<QToolButton *>();
        update->click();
        QCOMPARE(keysInSight(), (QByteArrayList{"a", "d", "c", "e"}));
        QVERIFY(m_line->text().isEmpty() && !update->isVisible());
    }

    /// The chosen row stays where it is without a hand, too; for some seconds also while its lock is gone.
    void theChosenRowIsPinned()
    {
        m_page->apply(changes(many(300)));
        m_table->selectRow(5);
        const LockKey chosen = *m_page->chosen();
        const auto row = [&] { return m_page->model().indexOf(chosen).row(); };
        m_page->apply(changes({withProblem(reentrant("lock:0"), Problem::BadCount)}));
        QCOMPARE(keysInSight().first(), QByteArray("lock:0"));
        QCOMPARE(row(), 5);
        for (int i = 0; i < 3; ++i) { // busy
            m_page->apply(changes({}, {chosen.bytes}));
            QVERIFY(m_page->model().isGone(5));
            m_page->apply(changes({reentrant(chosen.bytes, 20s, "o", 1, milliseconds(i))}));
            QCOMPARE(row(), 5);
        }
        QTRY_COMPARE(m_line->text(), QStringLiteral("The selected row keeps its place"));
        // It does not come to the top, and the view does not go after it.
        m_page->apply(changes({endless(token(chosen.bytes))}));
        QCOMPARE(row(), 5);
        m_page->apply(changes({}, {chosen.bytes}));
        m_page->replay(now + LockTableModel::goneTime + 1s, 0, {});
        QTRY_COMPARE(row(), -1);
        m_page->apply(changes({reentrant(chosen.bytes, 20s, "o", 1, 5s)}));
        m_table->sortByColumn(static_cast<int>(LockColumn::Key), Qt::DescendingOrder);
        QVERIFY(row() > 200);
        QCOMPARE(m_table->verticalScrollBar()->value(), 0);
        QVERIFY(m_table->selectionModel()->isRowSelected(row()));
        QTRY_COMPARE(m_line->text(), QStringLiteral("The selected lock is out of view"));
        m_line->parentWidget()->findChild<QToolButton *>()->click();
        QVERIFY(keysInSight().contains(chosen.bytes));
    }

    void whatGoesToTheTopIsNotFollowed()
    {
        m_page->apply(changes(many(200)));
        QTRY_VERIFY(m_table->verticalScrollBar()->maximum() > 0);
        m_table->verticalScrollBar()->setValue(m_table->rowHeight(0) * 20);
        const QByteArrayList inSight = keysInSight();
        m_page->apply(changes({withProblem(reentrant(inSight.first()), Problem::BadCount)}));
        QCOMPARE(keysInSight().mid(1), inSight.mid(1));
    }

    void keysHoldTheOrder()
    {
        m_page->apply(changes(many(20)));
        m_page->activateWindow();
        m_page->focusTable();
        QTRY_VERIFY(m_table->hasFocus());
        QTest::keyClick(m_table, Qt::Key_Down);
        const QByteArrayList inSight = keysInSight();
        m_page->apply(changes({endless(token("x"))}));
        QTest::keyClick(m_table, Qt::Key_Down);
        QCOMPARE(m_page->chosen()->bytes, inSight.at(1));
        QTRY_COMPARE(keysInSight().first(), QByteArray("x"));
        QCOMPARE(m_page->model().indexOf(*m_page->chosen()).row(), 1);
    }

private:
    static QList<WatchedLock> many(int count)
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < count; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(1000 + i), 20min));
        return locks;
    }
    void move(const QPoint &to)
    {
        QMouseEvent event(QEvent::MouseMove, to, m_table->viewport()->mapToGlobal(to), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(m_table->viewport(), &event);
    }
    void leave()
    {
        QEvent event(QEvent::Leave);
        QCoreApplication::sendEvent(m_table, &event);
    }
    void click(int row)
    {
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {},
                          m_table->visualRect(m_page->model().index(row, 1)).center());
    }
    QByteArray keyAt(const QPoint &place) const
    {
        return m_table->indexAt(place).data(LockTableModel::KeyRole).toByteArray();
    }
    QByteArrayList keysInSight() const
    {
        QByteArrayList keys;
        const int height = m_table->rowHeight(0);
        for (int y = 1; y < m_table->viewport()->height() && m_table->rowAt(y) >= 0; y += height)
            keys.append(keyAt({1, y}));
        return keys;
    }

    std::unique_ptr<LocksPage> m_page;
    QTableView *m_table = nullptr;
    QLabel *m_line = nullptr;
};

QTEST_MAIN(OrderHoldTest)
#include "tst_orderhold.moc"
