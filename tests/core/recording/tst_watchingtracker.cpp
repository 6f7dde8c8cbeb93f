// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/watchingtracker.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

namespace {

class Told : public WatchSource
{
public:
    using WatchSource::WatchSource;
};

} // namespace

class WatchingTrackerTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Also where the same nodes are missing as before: their slots may be others then.
    void slotsOfMissingNodes()
    {
        Told source;
        WatchingTracker tracker(source);
        QSignalSpy changed(&tracker, &WatchingTracker::changed);
        ClusterStatus cluster;
        cluster.keepers = std::make_shared<const ClusterStatus::Keepers>();
        NodeStatus node;
        node.name = QStringLiteral("10.0.0.1:6379");
        cluster.nodes = {node};
        cluster.unknownSlots = std::make_shared<const SlotSet>(7);
        emit source.clusterChanged(cluster);
        QCOMPARE(changed.size(), 1);
        QVERIFY(*tracker.watching().unknownSlots == SlotSet(7));
        cluster.unknownSlots = std::make_shared<const SlotSet>(7);
        emit source.clusterChanged(cluster);
        QCOMPARE(changed.size(), 1);
        cluster.unknownSlots = std::make_shared<const SlotSet>(3);
        emit source.clusterChanged(cluster);
        QCOMPARE(changed.size(), 2);
        QVERIFY(*tracker.watching().unknownSlots == SlotSet(3));
        QVERIFY(!tracker.watching().isCurrent());
    }
};

QTEST_GUILESS_MAIN(WatchingTrackerTest)
#include "tst_watchingtracker.moc"
