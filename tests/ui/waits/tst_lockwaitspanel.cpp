// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/waits/lockwaitspanel.h"

#include "core/table/displayclock.h"
#include "core/words/actionpreview.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QAction>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

const QByteArray a = client + ":1", b = client + ":2", d = otherClient + ":1";

} // namespace

class WaitsPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_index = {};
        m_names.setAll({{client, QStringLiteral("web")}});
        m_panel = std::make_unique<LockWaitsPanel>(m_index, m_clock, m_names, &m_forceExpire);
        m_panel->resize(800, 300);
        m_tree = m_panel->findChild<QTreeWidget *>();
    }
    void cleanup() { m_panel.reset(); }

    void showsChainsFromTheirRoots()
    {
        apply({fair("order:<1>", a, {d}), fair("order:2", d, {b, "!" + client + ":9"})});
        m_panel->show();
        QCOMPARE(m_tree->topLevelItemCount(), 1);
        const QTreeWidgetItem *root = m_tree->topLevelItem(0);
        QCOMPARE(row(root), QStringLiteral("order:<1>|web · thread 1|3"));
        QCOMPARE(row(root->child(0)->child(0)).section(u'|', 0, 0), QStringLiteral("order:2"));
        const QTreeWidgetItem *dead = root->child(0)->child(0)->child(1);
        QVERIFY2(row(dead).startsWith(QStringLiteral("2. web · thread 9|dead")), qPrintable(row(dead)));
        QVERIFY(root->isExpanded() && m_tree->isVisible());
        QVERIFY(m_panel->findChild<QLabel *>(QStringLiteral("honest"))
                    ->text()
                    .contains(QStringLiteral("Only wait queues")));
    }

    void rowsFitAnotherFont()
    {
        apply({fair("order:1", a, {d}), fair("order:2", d, {b})});
        m_panel->show();
        const int before = m_tree->visualItemRect(m_tree->topLevelItem(0)).height();
        QFont larger = m_panel->font();
        larger.setPointSize(3 * larger.pointSize());
        m_panel->setFont(larger);
        QTRY_VERIFY(m_tree->visualItemRect(m_tree->topLevelItem(0)).height() > 2 * before);
        QVERIFY(m_tree->minimumHeight() > 4 * m_panel->fontMetrics().height());
    }

    void nobodyWaits()
    {
        m_panel->show();
        QVERIFY(!m_tree->isVisible());
        apply({fair("x", a, {b})});
        QTRY_VERIFY(m_tree->isVisible());
        apply({}, {"x"});
        QTRY_VERIFY(!m_tree->isVisible());
    }

    void circlesComeFirst()
    {
        apply({fair("order:1", a, {d}), fair("order:2", d, {a}),
               fair("other", b, {"x:1", "x:2", "x:3", "x:4"})});
        m_panel->setDeadlocks({{{{LockKey("order:2"), a, d}, {LockKey("order:1"), d, a}}}});
        m_panel->show();
        const QTreeWidgetItem *cycle = m_tree->topLevelItem(0);
        QVERIFY(cycle->text(0).startsWith(QStringLiteral("Deadlock: 2")));
        QCOMPARE(cycle->childCount(), 2);
        QCOMPARE(cycle->child(0)->text(0),
                 QStringLiteral("web · thread 1 holds order:1 and waits for order:2"));
        QCOMPARE(m_tree->topLevelItem(1)->text(0), QStringLiteral("other"));
    }

    /// Rows that go make the tree scroll while it still has rows of the picture before.
    void scrollingByItselfShowsNothingOfBefore()
    {
        QList<WatchedLock> locks;
        for (int number = 0; number < 60; ++number)
            locks.append(fair("queue:" + QByteArray::number(number), b, {client + ":7", client + ":8"}));
        apply(locks + QList<WatchedLock>{fair("order:1", a, {d}), fair("order:2", d, {a})});
        m_panel->show();
        QTRY_VERIFY(m_tree->topLevelItemCount() > 50);
        QScrollBar *bar = m_tree->verticalScrollBar();
        for (int round = 0; round < 3; ++round) {
            bar->setValue(bar->maximum());
            m_panel->setDeadlocks({{{{LockKey("order:2"), a, d}, {LockKey("order:1"), d, a}}}});
            QTRY_VERIFY(m_tree->topLevelItem(0)->text(0).startsWith(QStringLiteral("Deadlock")));
            bar->setValue(bar->maximum());
            m_panel->setDeadlocks({});
            QTRY_VERIFY(!m_tree->topLevelItem(0)->text(0).startsWith(QStringLiteral("Deadlock")));
        }
    }

    void waitingTimesAreSummed()
    {
        m_clock.holdAt(now);
        apply({fair("short", b, {client + ":7"})}, {}, now - 2min);
        apply({fair("order:1", a, {d})}, {}, now - 30s);
        apply({fair("order:2", d, {b})}, {}, now - 10s);
        apply({fair("order:2", d, {b, client + ":9"})}, {},
              now - 5s); // who was there already has waited longer
        m_panel->show();
        const QTreeWidgetItem *root = m_tree->topLevelItem(0);
        QCOMPARE(root->text(0), QStringLiteral("order:1"));
        // d for 30 s, b for 10 s, another for 5 s; and behind b the one that waits for "short".
        QCOMPARE(root->text(2), QStringLiteral("4"));
        QCOMPARE(m_tree->headerItem()->text(3), QStringLiteral("Longest wait"));
        QCOMPARE(m_tree->headerItem()->text(4), QStringLiteral("Total wait"));
        QCOMPARE(root->text(3), QStringLiteral("≥ 2 min 0 s"));
        QCOMPARE(root->text(4), QStringLiteral("≥ 2 min 45 s"));
        QCOMPARE(root->child(0)->text(3), QStringLiteral("≥ 30 s"));
        QCOMPARE(root->child(0)->text(4), QString());
        QCOMPARE(root->child(0)->child(0)->text(4), QStringLiteral("≥ 2 min 15 s"));
        // What stands still gets no older.
        m_clock.holdAt(now + 1s);
        apply({}, {"short"});
        QTRY_COMPARE(root->text(4), QStringLiteral("≥ 48 s"));
        QCOMPARE(root->text(3), QStringLiteral("≥ 31 s"));
        // Nobody is named: nothing is known of times.
        apply({listenedTo(redisson("plain"), 9)});
        QTRY_COMPARE(m_tree->topLevelItem(0)->text(0), QStringLiteral("plain"));
        QCOMPARE(m_tree->topLevelItem(0)->text(2), QStringLiteral("≥ 9"));
        QCOMPARE(m_tree->topLevelItem(0)->text(3), QString());
    }

    /// Whose time to wait is up waits no more, also where nothing else changes.
    void whoTimedOutWaitsNoMore()
    {
        m_clock.run();
        WatchedLock lock = fair("order:1", a, {d, b});
        CompanionState companions = *lock.lock.companions;
        companions.waiters.queue[0].timeoutAtMs = QDateTime::currentMSecsSinceEpoch() + 1500;
        companions.waiters.queue[1].timeoutAtMs = {};
        lock.lock.companions = CompanionStatePtr(companions);
        apply({lock}, {}, Clock::now() - 30s);
        m_panel->show();
        const QTreeWidgetItem *root = m_tree->topLevelItem(0);
        QVERIFY(root->child(0)->text(1).contains(QStringLiteral("until ")));
        QCOMPARE(root->text(4), QStringLiteral("≥ 1 min 0 s"));
        QTRY_VERIFY(root->child(0)->text(1).contains(QStringLiteral("timed out")));
        QCOMPARE(root->child(0)->text(3), QString());
        QTRY_VERIFY(root->text(4) == root->text(3) && root->text(4).startsWith(QStringLiteral("≥ 3")));
    }

    void aDeadlockSaysWhatEndsIt()
    {
        apply({fair("order:1", a, {d}), fair("order:2", d, {a})});
        m_panel->show();
        const auto *remedy = m_panel->findChild<QLabel *>(QStringLiteral("remedy"));
        auto *button = m_panel->findChild<QToolButton *>(QStringLiteral("endDeadlock"));
        QVERIFY(!remedy->isVisible() && !button->isVisible());
        m_panel->setDeadlocks({{{{LockKey("order:2"), a, d}, {LockKey("order:1"), d, a}}}});
        QTRY_VERIFY(remedy->isVisible() && button->isVisible());
        QCOMPARE(remedy->text(), deadlockRemedy());
        QSignalSpy spy(&m_forceExpire, &QAction::triggered);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(spy.size(), 1);
        m_panel->setDeadlocks({});
        QTRY_VERIFY(!remedy->isVisible());
        QCOMPARE(m_tree->topLevelItem(0)->text(0), QStringLiteral("order:1"));
    }

    /// A thousand waiters: what is closed is not built, what is opened is, and what is the same stays the same item.
    void manyWaitersAreBuiltWhenOpened()
    {
        QList<WatchedLock> locks;
        for (int lock = 0; lock < 50; ++lock) {
            QList<QByteArray> queue;
            for (int i = 0; i < 20; ++i)
                queue.append("q" + QByteArray::number(lock) + ':' + QByteArray::number(i));
            locks.append(
                fair("k" + QByteArray::number(100 + lock), "o" + QByteArray::number(lock) + ":1", queue));
        }
        apply(locks);
        m_panel->show();
        QCOMPARE(m_tree->topLevelItemCount(), 50);
        QTreeWidgetItem *first = m_tree->topLevelItem(0), *last = m_tree->topLevelItem(49);
        QCOMPARE(first->childCount(), 20);
        QCOMPARE(last->childCount(), 0);
        QVERIFY(!last->isExpanded());
        m_tree->expandItem(last);
        QCOMPARE(last->childCount(), 20);
        m_tree->setCurrentItem(last->child(3));
        const QTreeWidgetItem *chosen = last->child(3);
        apply({fair("k149", "o49:1", {"q49:0", "q49:1", "q49:2", "q49:3"})});
        QTRY_COMPARE(m_tree->topLevelItem(49)->childCount(), 4);
        QCOMPARE(m_tree->currentItem(), chosen);
        QVERIFY(m_tree->topLevelItem(0) == first);
    }

    void choosingChoosesTheLock()
    {
        apply({fair("x", a, {b}), fair("y", d, {b, "z:1"})});
        m_panel->show();
        m_panel->focusContents();
        QSignalSpy spy(m_panel.get(), &LockWaitsPanel::chosen);
        m_tree->setCurrentItem(m_tree->topLevelItem(1)->child(0));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy.last().first().value<LockKey>(), LockKey("x"));
        // What was chosen and what was closed stays so when the tree is built anew, and is not told again.
        m_tree->topLevelItem(0)->setExpanded(false);
        apply({fair("x", a, {b, "q:1", "q:2"})});
        QTRY_COMPARE(m_tree->topLevelItem(0)->text(0), QStringLiteral("x"));
        QCOMPARE(m_tree->currentItem(), m_tree->topLevelItem(0)->child(0));
        QVERIFY(m_tree->topLevelItem(0)->isExpanded() && !m_tree->topLevelItem(1)->isExpanded());
        QCOMPARE(spy.size(), 1);
    }

    void onlyTheChosenLockIsMarked()
    {
        apply({fair("x", a, {b}), fair("y", d, {b, "z:1"})});
        m_panel->show();
        m_tree->setCurrentItem(m_tree->topLevelItem(0));
        QSignalSpy spy(m_panel.get(), &LockWaitsPanel::chosen);
        m_panel->showChosen(LockKey("y"));
        QCOMPARE(m_tree->selectedItems().size(), 1);
        m_panel->showChosen(LockKey("x"));
        QCOMPARE(m_tree->selectedItems().size(), 0);
        m_tree->topLevelItem(0)->setSelected(true);
        m_panel->showChosen({});
        QCOMPARE(m_tree->selectedItems().size(), 0);
        QCOMPARE(spy.size(), 1);
    }

    void namesAndSilenceAreFollowed()
    {
        apply({fair("x", a, {b})});
        m_panel->show();
        m_names.setName(client, QStringLiteral("orders"));
        QTRY_COMPARE(m_tree->topLevelItem(0)->text(1), QStringLiteral("orders · thread 1"));
        const QColor muted = textColor(StatusColor::Muted, m_panel->palette());
        QVERIFY(m_tree->topLevelItem(0)->foreground(0).color() != muted);
        m_panel->setStale(true);
        QTRY_COMPARE(m_tree->topLevelItem(0)->foreground(0).color(), muted);
    }

private:
    static WatchedLock fair(const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &queue)
    {
        return queued(redisson(key, owner, "redisson-fair"_family), queue);
    }
    void apply(const QList<WatchedLock> &changed, const QList<QByteArray> &removed = {},
               TimePoint at = Clock::now())
    {
        if (m_index.apply(changes(changed, removed), at))
            m_panel->invalidate();
    }
    static QString row(const QTreeWidgetItem *item)
    {
        return item->text(0) + u'|' + item->text(1) + u'|' + item->text(2);
    }

    WaitIndex m_index;
    DisplayClock m_clock;
    QAction m_forceExpire{QStringLiteral("Force-expire…")};
    OwnerNames m_names;
    std::unique_ptr<LockWaitsPanel> m_panel;
    QTreeWidget *m_tree = nullptr;
};

QTEST_MAIN(WaitsPanelTest)
#include "tst_lockwaitspanel.moc"
