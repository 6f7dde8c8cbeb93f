// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of locks that are not known at the moment: lost servers, gaps, polled and unreadable locks.
#include "tests/core/alerts/watchedlocks.h"

#include <QtTest>

using namespace lockscope;

namespace {

FeedStatus fed(FeedMode feed, const std::optional<FeedStatus::Incident> &incident = {})
{
    FeedStatus status;
    status.routes.append({"*", feed});
    status.incident = incident;
    return status;
}

} // namespace

class TstAlertWatchGaps : public QObject
{
    Q_OBJECT

private slots:
    void ofLocksThatAreNotCurrentNothingIsSaid();
    void aLostNodeIsNamed();
    void theLossOfAllServersIsOneAlert();
    void rulesJudgeALostConnectionToo();
    void rulesEndOnlyWhatIsKnown_data();
    void rulesEndOnlyWhatIsKnown();
    void afterAGapNothingIsSaidUntilAllIsReadAgain();
    void whatIsPolledIsHeldUntilItWasRead();
    void afterALongSilenceNothingIsSaidUntilItIsConfirmed();
    void whatCannotBeReadStays();
    void ofADeadlockThatIsNotReadNoEndIsTold();
    void whatWaitsForRoomIsStillCounted();
};

void TstAlertWatchGaps::ofLocksThatAreNotCurrentNothingIsSaid()
{
    FedAlerts watch(only([](AlertRules &rules) {
                        rules[AlertKind::HeldTooLong] = 10'000;
                        rules[AlertKind::ConnectionLost].emplace();
                    }),
                    false);
    watch.takeConnection(false, start); // there was none yet
    watch.takeConnection(true, start);
    watch.take(changed({lockOf("a", start - 20s), lockOf("b")}), start);
    watch.advance(start + 1s);
    QCOMPARE(reported(watch), QStringList()); // others are still to be read
    watch.take(wholeScan(), start + 2s);
    QCOMPARE(reported(watch), lines({"+max-held a"}));
    watch.takeConnection(false, start + 3s);
    watch.advance(start + 4s);
    QCOMPARE(reported(watch), QStringList()); // it may come back at once
    watch.advance(start + 100s);
    const QList<AlertWatch::Change> loss = watch.takeChanges();
    QCOMPARE(loss.size(), 1);
    QCOMPARE(loss.first().alert.kind, AlertKind::ConnectionLost);
    QCOMPARE(loss.first().alert.raisedAt, start + 3s);
    QCOMPARE(watch.open().size(), 2); // what was is still said of the first lock
    watch.takeConnection(true, start + 101s);
    watch.advance(start + 101s);
    QCOMPARE(reported(watch), lines({"-connection-lost"}));
    watch.take(wholeScan(), start + 102s);
    QCOMPARE(reported(watch), lines({"+max-held b"}));
}

void TstAlertWatchGaps::aLostNodeIsNamed()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::ConnectionLost].emplace(); }));
    ClusterStatus cluster;
    cluster.isGroup = true;
    NodeStatus node;
    node.name = QStringLiteral("10.0.0.7:6379");
    node.state = Link::State::Backoff;
    node.isDecided = true;
    cluster.nodes = {node};
    QCOMPARE(cluster.missing().size(), 1);
    watch.take(cluster, start);
    QCOMPARE(reported(watch), QStringList()); // it was never there
    cluster.nodes.first().state = Link::State::Ready;
    watch.take(cluster, start);
    cluster.nodes.first().state = Link::State::Backoff;
    watch.take(cluster, start);
    watch.advance(start + AlertWatch::settleTime - 1ms);
    QCOMPARE(reported(watch), QStringList()); // the others may follow
    watch.advance(start + AlertWatch::settleTime);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.server, node.name);
    QCOMPARE(changes.first().alert.raisedAt, start);
    cluster.nodes.first().state = Link::State::Ready;
    watch.take(cluster, start + 1s);
    QCOMPARE(reported(watch), lines({"-connection-lost"}));
}

/// Not of each server besides, in whichever order that is told.
void TstAlertWatchGaps::theLossOfAllServersIsOneAlert()
{
    for (const bool wholeFirst : {true, false}) {
        FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::ConnectionLost].emplace(); }));
        ClusterStatus cluster;
        cluster.isGroup = true;
        for (const char *name : {"a:1", "b:1", "c:1"}) {
            NodeStatus node;
            node.name = QString::fromLatin1(name);
            node.state = Link::State::Ready;
            node.isDecided = true;
            cluster.nodes.append(node);
        }
        watch.take(cluster, start);
        const auto lose = [&](qsizetype server, TimePoint at) {
            cluster.nodes[server].state = Link::State::Backoff;
            watch.take(cluster, at);
        };
        lose(0, start);
        lose(1, start + 500ms);
        if (wholeFirst)
            watch.takeConnection(false, start + 600ms);
        lose(2, start + 600ms);
        watch.takeConnection(false, start + 600ms);
        watch.advance(start + 1h);
        const QList<AlertWatch::Change> changes = watch.takeChanges();
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes.first().alert.server, QString());
        // Those that do not come back with the rest are lost by themselves.
        cluster.nodes[0].state = cluster.nodes[1].state = Link::State::Ready;
        watch.takeConnection(true, start + 1h);
        watch.take(cluster, start + 1h);
        watch.advance(start + 1h + 1s);
        QCOMPARE(reported(watch), lines({"-connection-lost"}));
        watch.advance(start + 1h + AlertWatch::settleTime);
        const QList<AlertWatch::Change> rest = watch.takeChanges();
        QCOMPARE(rest.size(), 1);
        QCOMPARE(rest.first().alert.server, QStringLiteral("c:1"));
    }
}

void TstAlertWatchGaps::rulesJudgeALostConnectionToo()
{
    FedAlerts watch(only([](AlertRules &) {}));
    watch.takeConnection(false, start);
    watch.advance(start + 1min);
    QCOMPARE(reported(watch), QStringList());
    watch.setRules(only([](AlertRules &rules) { rules[AlertKind::ConnectionLost].emplace(); }), {},
                   start + 1min);
    QCOMPARE(reported(watch), lines({"+connection-lost"}));
    watch.setRules(only([](AlertRules &) {}), {}, start + 1min);
    QCOMPARE(reported(watch), lines({"-connection-lost"}));
}

void TstAlertWatchGaps::rulesEndOnlyWhatIsKnown_data()
{
    QTest::addColumn<QString>("state");
    for (const char *state : {"current", "lost", "before the scan", "after a gap", "lost node", "unreadable"})
        QTest::newRow(state) << QString::fromLatin1(state);
}

/// Where nothing is known of the lock, its alert stays through a change of the rules, unless its rule is off.
void TstAlertWatchGaps::rulesEndOnlyWhatIsKnown()
{
    QFETCH(const QString, state);
    AlertRules rules = only([](AlertRules &on) { on[AlertKind::NoExpiry].emplace(); });
    rules[AlertKind::HeldTooLong] = 10'000;
    rules[AlertKind::ManyWaiters] = 3;
    FedAlerts watch(rules);
    WatchedLock lock = awaited(lockOf("a", start - 20s), 4);
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), start);
    QCOMPARE(reported(watch), lines({"+no-expiry a", "+max-held a", "+max-waiters a"}));
    const bool isLostNode = state == QStringLiteral("lost node");
    ClusterStatus cluster;
    cluster.nodes.append(NodeStatus());
    if (state == QStringLiteral("lost") || state == QStringLiteral("before the scan"))
        watch.takeConnection(false, start);
    if (state == QStringLiteral("before the scan"))
        watch.takeConnection(true, start);
    if (state == QStringLiteral("after a gap"))
        watch.take(fed(FeedMode::Tracking, FeedStatus::Incident{FeedGap::Flushed, start}), start);
    if (state == QStringLiteral("unreadable")) {
        lock.setProblem(Problem::Unreadable, true);
        watch.take(changed({lock}), start);
    }
    if (isLostNode)
        watch.take(cluster, start);
    rules[AlertKind::HeldTooLong] = 3'600'000; // not broken any more
    rules[AlertKind::ManyWaiters].reset();     // off
    watch.setRules(rules, {lock}, start);
    watch.advance(start + 1min);
    const bool isKnown = state == QStringLiteral("current");
    QCOMPARE(reported(watch), isKnown ? lines({"-max-waiters a", "-max-held a"}) : lines({"-max-waiters a"}));
    watch.setRules(rules, {lock}, start + 1min); // nor by another one that changes nothing
    QCOMPARE(reported(watch), QStringList());
    // What is known again decides.
    if (isLostNode) {
        cluster.nodes.first().state = Link::State::Ready;
        cluster.nodes.first().isCurrent = true;
        watch.take(cluster, start + 2min);
    }
    lock.setProblem(Problem::Unreadable, false);
    if (state == QStringLiteral("unreadable"))
        watch.take(changed({lock}), start + 2min);
    watch.takeConnection(true, start + 2min);
    watch.take(wholeScan(), start + 2min);
    watch.advance(start + 3min);
    watch.advance(start + 4min);
    QCOMPARE(reported(watch), isKnown ? QStringList() : lines({"-max-held a"}));
}

void TstAlertWatchGaps::afterAGapNothingIsSaidUntilAllIsReadAgain()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    const FeedStatus gap = fed(FeedMode::Tracking, FeedStatus::Incident{FeedGap::Lost, start + 1s});
    watch.take(fed(FeedMode::Tracking), start);
    watch.take(changed({lockOf("a")}), start);
    watch.take(gap, start);
    watch.advance(start + 20s);
    QCOMPARE(reported(watch), QStringList());
    watch.take(wholeScan(), start + 20s);
    QCOMPARE(reported(watch), lines({"+max-held a"}));
    watch.take(gap, start); // the same
    watch.take(removed("a"), start + 21s);
    watch.advance(start + 30s);
    QCOMPARE(reported(watch), lines({"-max-held a"}));
}

void TstAlertWatchGaps::whatIsPolledIsHeldUntilItWasRead()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    watch.take(fed(FeedMode::Polling), start);
    WatchedLock lock = lockOf("a");
    lock.lock.readAt = start + 1s;
    watch.take(changed({lock}), start + 1s);
    watch.advance(start + 12s);
    QCOMPARE(reported(watch), QStringList()); // somebody else may hold it since
    watch.take(DataConfirmed{start + 11s}, start + 11s);
    watch.advance(start + 13s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.held, milliseconds(11s));
    QCOMPARE(changes.first().alert.raisedAt, start + 13s);
}

/// As of a program that was suspended: what has changed meanwhile waits to be taken.
void TstAlertWatchGaps::afterALongSilenceNothingIsSaidUntilItIsConfirmed()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    watch.take(fed(FeedMode::Tracking), start);
    watch.take(changed({lockOf("gone"), lockOf("kept")}), start);
    watch.take(DataConfirmed{start + 1s}, start + 1s);
    watch.advance(start + 31s);
    QCOMPARE(reported(watch), QStringList());
    watch.take(removed("gone"), start + 31s);
    watch.take(DataConfirmed{start + 32s}, start + 32s);
    watch.advance(start + 33s);
    QCOMPARE(reported(watch), lines({"+max-held kept"}));
}

void TstAlertWatchGaps::whatCannotBeReadStays()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::NoExpiry].emplace(); }));
    WatchedLock lock = lockOf("a");
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), start);
    QCOMPARE(reported(watch), lines({"+no-expiry a"}));
    lock.setProblem(Problem::Unreadable, true);
    watch.take(changed({lock}), start + 1s);
    watch.advance(start + 1h);
    QCOMPARE(reported(watch), QStringList());
    lock.setProblem(Problem::Unreadable, false);
    lock.lock.problems = {};
    watch.take(changed({lock}), start + 1h);
    watch.advance(start + 2h);
    QCOMPARE(reported(watch), lines({"-no-expiry a"}));
}

void TstAlertWatchGaps::ofADeadlockThatIsNotReadNoEndIsTold()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::Deadlock].emplace(); }));
    watch.take(QList<Deadlock>{deadlockOf("a", "b")}, start);
    QCOMPARE(reported(watch), lines({"+deadlock a"}));
    watch.takeConnection(false, start + 1s);
    watch.take(QList<Deadlock>{}, start + 1s);
    QCOMPARE(reported(watch), QStringList());
    watch.takeConnection(true, start + 2s);
    watch.take(wholeScan(), start + 3s);
    QCOMPARE(reported(watch), lines({"-deadlock a"}));
}

void TstAlertWatchGaps::whatWaitsForRoomIsStillCounted()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::NoExpiry].emplace(); }));
    QList<WatchedLock> locks;
    for (qsizetype i = 0; i < AlertWatch::maxOpen + 5; ++i) {
        locks.append(lockOf("k" + QByteArray::number(i)));
        locks.last().lock.problems = Problem::NoExpiry;
    }
    watch.take(changed(locks), start);
    watch.take(removed("k0"), start);
    watch.takeConnection(false, start + 1s); // before there is room
    watch.advance(start + AlertWatch::settleTime);
    QCOMPARE(watch.open().size(), AlertWatch::maxOpen - 1);
    QCOMPARE(watch.notRaised(), 5);
    watch.takeConnection(true, start + 10s);
    watch.take(wholeScan(), start + 10s);
    watch.advance(start + 10s);
    QCOMPARE(watch.open().size(), AlertWatch::maxOpen);
    QCOMPARE(watch.notRaised(), 4);
}

QTEST_GUILESS_MAIN(TstAlertWatchGaps)
#include "tst_alertwatchgaps.moc"
