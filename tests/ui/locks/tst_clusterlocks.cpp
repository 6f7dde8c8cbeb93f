// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a cluster's locks: their nodes, and what becomes of the locks of one that is lost.
#include "tests/ui/samplelocks.h"
#include "ui/locks/lockspage.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

/// The even slots on the first node, the odd ones on the second.
ClusterStatus clusterOf(const QStringList &names, bool isSecondCurrent = true)
{
    ClusterStatus cluster;
    auto keepers = std::make_shared<ClusterStatus::Keepers>();
    for (size_t slot = 0; slot < slotCount; ++slot)
        (*keepers)[slot] = static_cast<qint16>(slot % 2);
    cluster.keepers = std::move(keepers);
    for (const QString &name : names) {
        NodeStatus node;
        node.name = name;
        node.state = Link::State::Ready;
        node.isCurrent = node.isDecided = true;
        node.confirmedAt = now;
        cluster.nodes.append(node);
    }
    if (!isSecondCurrent) {
        cluster.nodes[1].state = Link::State::Backoff;
        cluster.nodes[1].isCurrent = false;
        cluster.nodes[1].confirmedAt = now - 5s;
    }
    cluster.labelNodes();
    return cluster;
}

QByteArray keyOn(int node, int from = 0)
{
    for (int i = from;; ++i) {
        const QByteArray key = "lock:" + QByteArray::number(i);
        if (slotOf(key) % 2 == node)
            return key;
    }
}

const QStringList twoPorts{QStringLiteral("10.0.0.1:7001"), QStringLiteral("10.0.0.1:7002")};

} // namespace

class ClusterLocksTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_page = std::make_unique<LocksPage>();
        m_page->resize(1000, 400);
        m_page->show();
        m_table = m_page->findChild<QTableView *>();
        m_filter = m_page->findChild<QLineEdit *>();
    }
    void cleanup() { m_page.reset(); }

    void onlyAClusterHasNodes()
    {
        const auto column = static_cast<int>(LockColumn::Node);
        QVERIFY(m_table->isColumnHidden(column));
        m_page->setCluster(clusterOf(twoPorts));
        QVERIFY(!m_table->isColumnHidden(column));
        m_page->resize(560, 400); // no room for it: the inspector tells
        QTRY_VERIFY(m_table->isColumnHidden(column));
        m_page->resize(1000, 400);
        QTRY_VERIFY(!m_table->isColumnHidden(column));
        m_page->setCluster({});
        QVERIFY(m_table->isColumnHidden(column));
    }

    void labelsTellNodesApart()
    {
        const auto labels = [](const QStringList &names) {
            QStringList all;
            for (const NodeStatus &node : clusterOf(names).nodes)
                all << node.label;
            return all.join(u' ');
        };
        QCOMPARE(labels(twoPorts), QStringLiteral("7001 7002"));
        QCOMPARE(labels({QStringLiteral("a:1"), QStringLiteral("b:1")}), QStringLiteral("a b"));
        QCOMPARE(labels({QStringLiteral("a:1"), QStringLiteral("b:2")}), QStringLiteral("a:1 b:2"));
        QCOMPARE(labels({QStringLiteral("[::1]:1"), QStringLiteral("[::1]:2")}), QStringLiteral("1 2"));
    }

    void theFilterNamesNodes()
    {
        m_page->setCluster(clusterOf(twoPorts));
        m_page->apply(changes({reentrant(keyOn(0)), reentrant(keyOn(1)), reentrant(keyOn(1, 100))}));
        m_filter->setText(QStringLiteral("node:7002"));
        QCOMPARE(m_page->model().rowCount(), 2);
        const QModelIndex row = m_page->model().indexOf(LockKey(keyOn(1)), LockColumn::Node);
        QVERIFY(row.isValid());
        QCOMPARE(row.data().toString(), QStringLiteral("7002"));
        QVERIFY(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("10.0.0.1:7002")));
        m_filter->setText(QStringLiteral("-node:7002"));
        QCOMPARE(m_page->model().rowCount(), 1);
        // The slots move: the same words are about other locks.
        ClusterStatus moved = clusterOf(twoPorts);
        auto keepers = std::make_shared<ClusterStatus::Keepers>();
        keepers->fill(0);
        moved.keepers = keepers;
        m_page->setCluster(moved);
        QCOMPARE(m_page->model().rowCount(), 3);
        m_filter->setText(QStringLiteral("node:"));
        QVERIFY(m_page->findChild<QLabel *>() != nullptr);
        QCOMPARE(m_page->model().rowCount(), 3); // makes no sense: the last one that did stays
    }

    void theyAreSortedByNode()
    {
        m_page->setCluster(clusterOf(twoPorts));
        m_page->apply(changes({reentrant(keyOn(1)), reentrant(keyOn(0)), reentrant(keyOn(1, 100))}));
        m_table->sortByColumn(static_cast<int>(LockColumn::Node), Qt::AscendingOrder);
        QCOMPARE(m_page->model().at(0).key().bytes, keyOn(0));
        m_table->sortByColumn(static_cast<int>(LockColumn::Node), Qt::DescendingOrder);
        QCOMPARE(m_page->model().at(2).key().bytes, keyOn(0));
    }

    void aLostNodeStopsItsOwnLocksTime()
    {
        m_page->setCluster(clusterOf(twoPorts, false));
        m_page->apply(changes({reentrant(keyOn(0)), reentrant(keyOn(1))}));
        const DisplayClock &clock = m_page->clock();
        QVERIFY(!clock.isStopped());
        QVERIFY(!clock.of(LockKey(keyOn(0))).isStopped());
        QVERIFY(clock.of(LockKey(keyOn(1))).isStopped());
        QVERIFY(clock.of(LockKey(keyOn(1))).now() == now - 5s);
        m_page->setCluster(clusterOf(twoPorts));
        QVERIFY(!clock.of(LockKey(keyOn(1))).isStopped());
        m_page->setStale(now); // all of them
        QVERIFY(clock.of(LockKey(keyOn(0))).isStopped());
    }

    /// Whether they have ended since is not known.
    void aFilterLeavesALostNodesLocksAsTheyWere()
    {
        DisplayClock clock;
        clock.setCluster(clusterOf(twoPorts, false));
        clock.holdAt(now + 30s); // their leases end in 20 s
        LockTableModel model(clock);
        model.apply(changes({reentrant(keyOn(0)), reentrant(keyOn(1))}));
        const auto shownBy = [&model](const QString &filter) {
            model.setFilter(*LockFilter::parse(filter));
            return model.rowCount() == 1 ? model.at(0).key().bytes : QByteArray();
        };
        QCOMPARE(shownBy(QStringLiteral("state:ended")), keyOn(0));
        QCOMPARE(shownBy(QStringLiteral("state:held")), keyOn(1));
        model.refilter();
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!model.matchesAny(*LockFilter::parse(QStringLiteral("state:stalled"))));
    }

private:
    std::unique_ptr<LocksPage> m_page;
    QTableView *m_table = nullptr;
    QLineEdit *m_filter = nullptr;
};

QTEST_MAIN(ClusterLocksTest)
#include "tst_clusterlocks.moc"
