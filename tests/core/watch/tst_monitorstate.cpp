// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recorded.h"
#include "tests/support/told.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint() + 1h;

/// A watch that is told of by hand, with what it says to have happened.
struct Fed
{
    void take(const MonitorReport &event, TimePoint at = start)
    {
        for (const SourceEvent &moment : watched.take(event, at, 7))
            moments.append(moment);
    }
    QList<MonitorEventKind> takeKinds()
    {
        QList<MonitorEventKind> kinds;
        for (const SourceEvent &moment : std::exchange(moments, {}))
            kinds.append(moment.kind);
        return kinds;
    }

    MonitorState watched;
    QList<SourceEvent> moments;
};

FeedStatus sufferedAt(TimePoint at)
{
    FeedStatus status;
    status.incident = FeedStatus::Incident{FeedGap::Lost, at};
    return status;
}

FeedStatus routed(FeedMode feed)
{
    FeedStatus status;
    status.routes = {{"lock:*", feed}};
    return status;
}

ClusterStatus clusterOf(Link::State second)
{
    ClusterStatus cluster;
    cluster.keepers = std::make_shared<const ClusterStatus::Keepers>();
    NodeStatus a, b;
    a.name = QStringLiteral("a:1");
    a.state = Link::State::Ready;
    b.name = QStringLiteral("b:1");
    b.state = second;
    a.isDecided = b.isDecided = true;
    cluster.nodes = {a, b};
    return cluster;
}

} // namespace

class WatchedTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatIsStaleIsOfTheLastConfirmation()
    {
        Fed fed;
        fed.take(statusOf(Link::State::Ready));
        QVERIFY(!fed.watched.staleSince());
        fed.take(DataConfirmed{start + 1s});
        fed.take(statusOf(Link::State::Backoff), start + 3s);
        QCOMPARE(fed.watched.staleSince(), std::optional(start + 1s));
        fed.take(statusOf(Link::State::Ready), start + 4s);
        QCOMPARE(fed.watched.staleSince(), std::optional(start + 1s)); // until all is read again
        fed.take(DataConfirmed{start + 5s});
        QVERIFY(!fed.watched.staleSince());
        QCOMPARE(fed.takeKinds(), (QList{MonitorEventKind::Disconnected, MonitorEventKind::Reconnected}));
    }

    void allIsReadOnceAScanHasEnded()
    {
        Fed fed;
        fed.take(wholeScan());
        QVERIFY(!fed.watched.isRead()); // of what, without a connection?
        fed.take(statusOf(Link::State::Ready));
        fed.take(ScanStats());
        QVERIFY(!fed.watched.isRead());
        fed.take(wholeScan());
        QVERIFY(fed.watched.isRead() && fed.watched.hasEverReadAll());
        fed.take(sufferedAt(start));
        QVERIFY(!fed.watched.isRead() && fed.watched.hasEverReadAll());
        fed.take(wholeScan());
        QVERIFY(fed.watched.isRead());
        fed.take(sufferedAt(start)); // the same
        QVERIFY(fed.watched.isRead());
        fed.take(statusOf(Link::State::Backoff));
        QVERIFY(!fed.watched.isRead());
    }

    void troubleEndsWithAScanOrTheConnection()
    {
        Fed fed;
        fed.take(statusOf(Link::State::Ready));
        fed.take(Error(ErrorKind::Loading));
        fed.take(ScanStats());
        QVERIFY(fed.watched.trouble().has_value());
        fed.take(wholeScan());
        QVERIFY(!fed.watched.trouble());
        fed.take(Error(ErrorKind::TooManyLocks));
        fed.take(statusOf(Link::State::Backoff));
        QVERIFY(!fed.watched.trouble());
    }

    /// A node that comes back brings the last gap of its feed with it.
    void aGapIsToldOnce()
    {
        Fed fed;
        fed.take(sufferedAt(start));
        fed.take(FeedStatus());
        fed.take(sufferedAt(start));
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::FeedGap});
        fed.take(sufferedAt(start + 1ms));
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::FeedGap});
        fed.watched.forget(); // of another time
        fed.take(sufferedAt(start));
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::FeedGap});
    }

    void anotherFeedIsTold()
    {
        Fed fed;
        fed.take(routed(FeedMode::Polling)); // the first
        fed.take(routed(FeedMode::Polling));
        QCOMPARE(fed.takeKinds(), QList<MonitorEventKind>());
        fed.take(routed(FeedMode::Tracking));
        QCOMPARE(fed.moments.size(), 1);
        QCOMPARE(std::get<FeedMode>(fed.moments.first().what), FeedMode::Tracking);
        QCOMPARE(fed.moments.first().wallMs, 7);
    }

    void deadlocksAreToldAsTheyComeAndGo()
    {
        Fed fed;
        const Deadlock one{{{LockKey("a"), "1", "2"}, {LockKey("b"), "2", "1"}}};
        const Deadlock other{{{LockKey("c"), "3", "4"}, {LockKey("d"), "4", "3"}}};
        fed.take(QList<Deadlock>{one});
        fed.take(QList<Deadlock>{one, other});
        QCOMPARE(fed.takeKinds(), (QList{MonitorEventKind::Deadlock, MonitorEventKind::Deadlock}));
        fed.take(QList<Deadlock>{other});
        QCOMPARE(std::get<Deadlock>(fed.moments.first().what), one);
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::DeadlockEnded});
    }

    void nodesAreToldAsTheyComeAndGo()
    {
        Fed fed;
        fed.take(clusterOf(Link::State::Ready));
        fed.take(clusterOf(Link::State::Connecting)); // it may be there at once
        QCOMPARE(fed.takeKinds(), QList<MonitorEventKind>());
        fed.take(clusterOf(Link::State::Backoff));
        fed.take(clusterOf(Link::State::Backoff));
        QCOMPARE(std::get<NodeStatus>(fed.moments.first().what).name, QStringLiteral("b:1"));
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::NodeLost});
        fed.take(ClusterStatus()); // nothing is known of them
        fed.take(clusterOf(Link::State::Ready));
        QCOMPARE(fed.takeKinds(), QList{MonitorEventKind::NodeReady});
        fed.take(clusterOf(Link::State::Backoff));
        ClusterStatus alone = clusterOf(Link::State::Ready);
        alone.nodes.removeLast();
        fed.take(alone);
        QCOMPARE(fed.takeKinds(), (QList{MonitorEventKind::NodeLost, MonitorEventKind::NodeLeft}));
    }

    /// Also where the same nodes are missing as before: their slots may be others then.
    void whatIsRecordedHasTheSlotsOfMissingNodes()
    {
        Fed fed;
        ClusterStatus cluster = clusterOf(Link::State::Backoff);
        cluster.unknownSlots = std::make_shared<const SlotSet>(7);
        fed.take(cluster);
        const WatchState before = watchingOf(fed.watched);
        QCOMPARE(before.missingNodes, QByteArrayList{"b:1"}); // the other was not read yet, and is not lost
        cluster.unknownSlots = std::make_shared<const SlotSet>(7);
        fed.take(cluster);
        QVERIFY(watchingOf(fed.watched) == before);
        cluster.unknownSlots = std::make_shared<const SlotSet>(3);
        fed.take(cluster);
        QVERIFY(!(watchingOf(fed.watched) == before));
        QVERIFY(!watchingOf(fed.watched).isCurrent());
    }
};

QTEST_GUILESS_MAIN(WatchedTest)
#include "tst_monitorstate.moc"
