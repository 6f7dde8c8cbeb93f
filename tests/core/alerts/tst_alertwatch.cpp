// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertwatch.h"
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

using What = AlertWatch::Change::What;

const TimePoint start = TimePoint() + 1000h;

WatchedLock lockOf(const QByteArray &key, TimePoint heldSince = start, const QByteArray &owner = "me")
{
    WatchedLock watched;
    watched.lock.address.key = LockKey(key);
    watched.lock.family = "reentrant"_family;
    watched.lock.type = KeyType::Hash;
    watched.lock.owners.append({OwnerId(owner), "1", 1});
    watched.lock.deadline = Deadline{start + 1000h, start + 1000h};
    watched.heldSince = heldSince;
    return watched;
}

WatchedLock awaited(WatchedLock watched, qint64 count, WaiterCertainty certainty = WaiterCertainty::Exact)
{
    CompanionState beside;
    beside.waiters.certainty = certainty;
    beside.waiters.count = count;
    watched.lock.beside = CompanionStatePtr(beside);
    return watched;
}

LockDiff changed(const QList<WatchedLock> &locks)
{
    return {locks, {}, {}};
}

LockDiff removed(const QByteArray &key)
{
    return {{}, {LockKey(key)}, {}};
}

/// Ready and scanned.
AlertWatch watching(const AlertRules &rules)
{
    AlertWatch watch(rules);
    watch.takeConnection(true, start);
    watch.takeScan(start);
    return watch;
}

AlertRules only(void (*set)(AlertRules &))
{
    AlertRules rules{.noExpiry = false,
                     .maxHeld = {},
                     .timesUsual = {},
                     .maxWaiters = {},
                     .deadlock = false,
                     .stalledHolder = false,
                     .connectionLost = false,
                     .reset = false};
    set(rules);
    return rules;
}

/// "+no-expiry a", "-max-held a", "*…" where it came again.
QStringList told(AlertWatch &watch)
{
    QStringList lines;
    for (const auto &[what, alert] : watch.takeChanges())
        lines << QString::fromLatin1(what == What::Raised        ? "+"
                                     : what == What::RaisedAgain ? "*"
                                                                 : "-") +
                     QString::fromLatin1(alertName(alert.kind) + ' ' + alert.key.bytes).trimmed();
    return lines;
}

QStringList lines(std::initializer_list<const char *> texts)
{
    QStringList all;
    for (const char *text : texts)
        all << QString::fromLatin1(text);
    return all;
}

LockEvent hold(const QByteArray &key, milliseconds held)
{
    LockEvent event;
    event.kind = EventKind::Released;
    event.address.key = LockKey(key);
    event.held = held;
    return event;
}

FeedStatus fed(FeedMode feed, const std::optional<FeedStatus::Incident> &incident = {})
{
    FeedStatus status;
    status.routes.append({"*", feed});
    status.incident = incident;
    return status;
}

Deadlock deadlockOf(const QByteArray &a, const QByteArray &b)
{
    return {{{LockKey(a), "1", "2"}, {LockKey(b), "2", "1"}}};
}

} // namespace

class TstAlertWatch : public QObject
{
    Q_OBJECT

private slots:
    void aProblemIsRaisedAndEnds();
    void timeAloneRaises();
    void anotherOwnersHoldIsAnotherAlert();
    void unusualIsWhatWasNeverSeen();
    void waitersCountAsFarAsTheyAreKnown();
    void aStalledHolderIsToldOnlyWhereOthersWait();
    void deadlocksAreToldOnceEach();
    void ofLocksThatAreNotCurrentNothingIsSaid();
    void aLostNodeIsNamed();
    void theLossOfAllServersIsOneAlert();
    void rulesJudgeALostConnectionToo();
    void aResetIsOverAtOnce();
    void whatComesAgainSoonIsTheSameAlert();
    void thereIsALimit();
    void rulesChangeWhileItRuns();
    void rulesEndOnlyWhatIsKnown_data();
    void rulesEndOnlyWhatIsKnown();
    void afterAGapNothingIsSaidUntilAllIsReadAgain();
    void whatIsPolledIsHeldUntilItWasRead();
    void whatCannotBeReadStays();
    void aHoldIsNotToldBeyondItsLease();
    void whoMayHaveChangedIsNotSaidToHoldOn();
    void ofADeadlockThatIsNotReadNoEndIsTold();
    void aBusyLockIsOneAlert();

private:
    const HoldTimes m_none;
};

void TstAlertWatch::aProblemIsRaisedAndEnds()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.noExpiry = true; }));
    WatchedLock lock = lockOf("a");
    watch.take(changed({lock, lockOf("b")}), m_none, start);
    QCOMPARE(told(watch), QStringList());
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), m_none, start);
    watch.take(changed({lock}), m_none, start + 1s); // it is told once
    QCOMPARE(told(watch), lines({"+no-expiry a"}));
    QCOMPARE(watch.open().size(), 1);
    watch.take(removed("a"), m_none, start + 2s);
    watch.advance(start + 2s);
    QCOMPARE(told(watch), QStringList()); // it may come back at once
    watch.advance(start + 2s + AlertWatch::settleTime);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().what, What::Ended);
    QCOMPARE(*changes.first().alert.endedAt, start + 2s);
    QVERIFY(watch.open().isEmpty());
}

void TstAlertWatch::timeAloneRaises()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    watch.take(changed({lockOf("a"), lockOf("b", start - 4s)}), m_none, start);
    watch.advance(start + 5999ms);
    QCOMPARE(told(watch), QStringList());
    watch.advance(start + 6s);
    QCOMPARE(told(watch), lines({"+max-held b"}));
    watch.advance(start + 20s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.held, milliseconds(20s));
    QCOMPARE(changes.first().alert.limit, milliseconds(10s));
    QCOMPARE(changes.first().alert.owners.first().owner, OwnerId("me"));
    // A lock that nobody holds, as a queue that was left, is not held long.
    WatchedLock free = lockOf("c", start - 1h);
    free.lock.owners.clear();
    watch.take(changed({free}), m_none, start + 20s);
    QCOMPARE(told(watch), QStringList());
    // Nor does a limit beyond all time turn around.
    AlertWatch patient = watching(only([](AlertRules &rules) { rules.maxHeld = milliseconds::max(); }));
    patient.take(changed({lockOf("a", start - 1h)}), m_none, start);
    patient.advance(start + 100h);
    QCOMPARE(told(patient), QStringList());
}

void TstAlertWatch::anotherOwnersHoldIsAnotherAlert()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    watch.take(changed({lockOf("a", start - 11s)}), m_none, start);
    watch.take(changed({lockOf("a", start, "you")}), m_none, start + 1s);
    QCOMPARE(told(watch), lines({"+max-held a", "-max-held a"}));
    watch.advance(start + 10s);
    QCOMPARE(told(watch), lines({"*max-held a"}));
}

void TstAlertWatch::unusualIsWhatWasNeverSeen()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.timesUsual = 10; }));
    HoldTimes usual;
    usual.add({hold("a", 100ms), hold("a", 200ms), hold("a", 200ms), hold("a", 300ms)});
    watch.take(changed({lockOf("a")}), usual, start);
    watch.advance(start + 1h); // four holds teach nothing
    QCOMPARE(told(watch), QStringList());
    usual.add({hold("a", 5s)});
    watch.take(changed({lockOf("a"), lockOf("unknown")}), usual, start);
    QCOMPARE(told(watch), QStringList());
    watch.advance(start + 5s); // one was as long
    QCOMPARE(told(watch), QStringList());
    watch.advance(start + 5001ms);
    QCOMPARE(told(watch), lines({"+unusual-hold a"}));
}

void TstAlertWatch::waitersCountAsFarAsTheyAreKnown()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxWaiters = 2; }));
    watch.take(changed({awaited(lockOf("few"), 2), awaited(lockOf("exact"), 3),
                        awaited(lockOf("least"), 4, WaiterCertainty::AtLeast),
                        awaited(lockOf("unknown"), 100, WaiterCertainty::Unknown)}),
               m_none, start);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0].alert.waiters, 3);
    QVERIFY(!changes[0].alert.isAtLeast);
    QCOMPARE(changes[1].alert.waiters, 4);
    QVERIFY(changes[1].alert.isAtLeast);
    // Of a number that is no longer known nothing is said; a lower one ends it.
    watch.take(changed({awaited(lockOf("exact"), 0, WaiterCertainty::Unknown)}), m_none, start);
    watch.advance(start + 1h);
    QCOMPARE(told(watch), QStringList());
    watch.take(changed({awaited(lockOf("exact"), 2)}), m_none, start + 1h);
    watch.advance(start + 2h);
    QCOMPARE(told(watch), lines({"-max-waiters exact"}));
}

void TstAlertWatch::aStalledHolderIsToldOnlyWhereOthersWait()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.stalledHolder = true; }));
    WatchedLock renewed = lockOf("a");
    renewed.maxObservedTtl = 30s;
    renewed.renewals = 5;
    renewed.minRenewalShare = 170;
    renewed.lastRenewal = start;
    renewed.lock.deadline = Deadline{start + 30s, start + 30s};
    const TimePoint overdue = overdueAfter(renewed);
    QVERIFY(overdue > start && overdue < start + 30s);
    watch.take(changed({renewed}), m_none, start);
    watch.advance(start + 30s);
    QCOMPARE(told(watch), QStringList());
    watch.take(changed({awaited(renewed, 1)}), m_none, start);
    watch.advance(overdue - 1ms);
    QCOMPARE(told(watch), QStringList());
    watch.advance(overdue);
    QCOMPARE(told(watch), lines({"+stalled-holder a"}));
}

void TstAlertWatch::deadlocksAreToldOnceEach()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.deadlock = true; }));
    watch.takeDeadlocks({deadlockOf("a", "b")}, start);
    watch.takeDeadlocks({deadlockOf("a", "b"), deadlockOf("c", "d")}, start + 1s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[1].alert.cycle, QList<LockKey>({LockKey("c"), LockKey("d")}));
    watch.takeDeadlocks({deadlockOf("c", "d")}, start + 2s);
    QCOMPARE(told(watch), lines({"-deadlock a"}));
}

void TstAlertWatch::ofLocksThatAreNotCurrentNothingIsSaid()
{
    AlertWatch watch(only([](AlertRules &rules) {
        rules.maxHeld = 10s;
        rules.connectionLost = true;
    }));
    watch.takeConnection(false, start); // there was none yet
    watch.takeConnection(true, start);
    watch.take(changed({lockOf("a", start - 20s), lockOf("b")}), m_none, start);
    watch.advance(start + 1s);
    QCOMPARE(told(watch), QStringList()); // others are still to be read
    watch.takeScan(start + 2s);
    QCOMPARE(told(watch), lines({"+max-held a"}));
    watch.takeConnection(false, start + 3s);
    watch.advance(start + 4s);
    QCOMPARE(told(watch), QStringList()); // it may come back at once
    watch.advance(start + 100s);
    const QList<AlertWatch::Change> loss = watch.takeChanges();
    QCOMPARE(loss.size(), 1);
    QCOMPARE(loss.first().alert.kind, AlertKind::ConnectionLost);
    QCOMPARE(loss.first().alert.raisedAt, start + 3s);
    QCOMPARE(watch.open().size(), 2); // what was is still said of the first lock
    watch.takeConnection(true, start + 101s);
    watch.advance(start + 101s);
    QCOMPARE(told(watch), lines({"-connection-lost"}));
    watch.takeScan(start + 102s);
    QCOMPARE(told(watch), lines({"+max-held b"}));
}

void TstAlertWatch::aLostNodeIsNamed()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.connectionLost = true; }));
    ClusterStatus cluster;
    cluster.isGroup = true;
    NodeStatus node;
    node.name = QStringLiteral("10.0.0.7:6379");
    node.state = Link::State::Backoff;
    node.isDecided = true;
    cluster.nodes = {node};
    QCOMPARE(cluster.missing().size(), 1);
    watch.takeCluster(cluster, start);
    QCOMPARE(told(watch), QStringList()); // it was never there
    cluster.nodes.first().state = Link::State::Ready;
    watch.takeCluster(cluster, start);
    cluster.nodes.first().state = Link::State::Backoff;
    watch.takeCluster(cluster, start);
    watch.advance(start + AlertWatch::settleTime - 1ms);
    QCOMPARE(told(watch), QStringList()); // the others may follow
    watch.advance(start + AlertWatch::settleTime);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.server, node.name);
    QCOMPARE(changes.first().alert.raisedAt, start);
    cluster.nodes.first().state = Link::State::Ready;
    watch.takeCluster(cluster, start + 1s);
    QCOMPARE(told(watch), lines({"-connection-lost"}));
}

/// Not of each server besides, in whichever order that is told.
void TstAlertWatch::theLossOfAllServersIsOneAlert()
{
    for (const bool wholeFirst : {true, false}) {
        AlertWatch watch = watching(only([](AlertRules &rules) { rules.connectionLost = true; }));
        ClusterStatus cluster;
        cluster.isGroup = true;
        for (const char *name : {"a:1", "b:1", "c:1"}) {
            NodeStatus node;
            node.name = QString::fromLatin1(name);
            node.state = Link::State::Ready;
            node.isDecided = true;
            cluster.nodes.append(node);
        }
        watch.takeCluster(cluster, start);
        const auto lose = [&](qsizetype server, TimePoint at) {
            cluster.nodes[server].state = Link::State::Backoff;
            watch.takeCluster(cluster, at);
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
        watch.takeCluster(cluster, start + 1h);
        watch.advance(start + 1h + 1s);
        QCOMPARE(told(watch), lines({"-connection-lost"}));
        watch.advance(start + 1h + AlertWatch::settleTime);
        const QList<AlertWatch::Change> rest = watch.takeChanges();
        QCOMPARE(rest.size(), 1);
        QCOMPARE(rest.first().alert.server, QStringLiteral("c:1"));
    }
}

void TstAlertWatch::rulesJudgeALostConnectionToo()
{
    AlertWatch watch = watching(only([](AlertRules &) {}));
    watch.takeConnection(false, start);
    watch.advance(start + 1min);
    QCOMPARE(told(watch), QStringList());
    watch.setRules(only([](AlertRules &rules) { rules.connectionLost = true; }), {}, m_none, start + 1min);
    QCOMPARE(told(watch), lines({"+connection-lost"}));
    watch.setRules(only([](AlertRules &) {}), {}, m_none, start + 1min);
    QCOMPARE(told(watch), lines({"-connection-lost"}));
}

void TstAlertWatch::aResetIsOverAtOnce()
{
    AlertWatch watch = watching(AlertRules());
    ServerReset reset;
    reset.cause = ServerReset::Cause::Flush;
    reset.locks = 7;
    reset.at = start;
    watch.takeReset(reset);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.resetOf->locks, 7);
    QVERIFY(changes.first().alert.endedAt);
    QVERIFY(watch.open().isEmpty());
}

void TstAlertWatch::whatComesAgainSoonIsTheSameAlert()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxWaiters = 2; }));
    const auto raise = [&](TimePoint at) {
        watch.take(changed({awaited(lockOf("a"), 3)}), m_none, at);
        return watch.takeChanges().last();
    };
    const auto end = [&](TimePoint at) {
        watch.take(changed({awaited(lockOf("a"), 0)}), m_none, at);
        watch.advance(at + AlertWatch::settleTime);
        watch.takeChanges();
    };
    const AlertWatch::Change first = raise(start);
    end(start + 1s);
    const AlertWatch::Change again = raise(start + 4s);
    QCOMPARE(again.what, What::RaisedAgain);
    QCOMPARE(again.alert.number, first.alert.number);
    QCOMPARE(again.alert.times, 2);
    end(start + 5s);
    const AlertWatch::Change late = raise(start + 5s + AlertWatch::sameAlert);
    QCOMPARE(late.what, What::Raised);
    QVERIFY(late.alert.number != first.alert.number);
}

void TstAlertWatch::thereIsALimit()
{
    AlertWatch watch = watching(only([](AlertRules &rules) {
        rules.noExpiry = true;
        rules.connectionLost = true;
    }));
    QList<WatchedLock> locks;
    for (qsizetype i = 0; i < AlertWatch::mostOpen + 5; ++i) {
        locks.append(lockOf("k" + QByteArray::number(i)));
        locks.last().lock.problems = Problem::NoExpiry;
    }
    watch.take(changed(locks), m_none, start);
    QCOMPARE(watch.open().size(), AlertWatch::mostOpen);
    QCOMPARE(watch.notRaised(), 5);
    // Neither a deadlock nor a lost connection waits for room; a lock's alert does.
    watch.takeConnection(false, start - AlertWatch::settleTime);
    watch.advance(start);
    QCOMPARE(watch.open().size(), AlertWatch::mostOpen + 1);
    watch.takeConnection(true, start);
    watch.takeScan(start);
    watch.takeChanges();
    watch.take(removed("k0"), m_none, start);
    watch.advance(start + AlertWatch::settleTime);
    const QStringList changes = told(watch);
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0], QStringLiteral("-no-expiry k0"));
    QVERIFY(changes[1].startsWith(QStringLiteral("+no-expiry k100")));
    QCOMPARE(watch.notRaised(), 4);
}

void TstAlertWatch::rulesChangeWhileItRuns()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    const QList<WatchedLock> locks{lockOf("a", start - 20s), awaited(lockOf("b", start - 5s), 4)};
    watch.take(changed(locks), m_none, start);
    QCOMPARE(told(watch), lines({"+max-held a"}));
    watch.setRules(only([](AlertRules &rules) { rules.maxWaiters = 3; }), locks, m_none, start);
    QCOMPARE(told(watch), lines({"-max-held a", "+max-waiters b"}));
    watch.advance(start + 1h);
    QCOMPARE(told(watch), QStringList());
}

void TstAlertWatch::rulesEndOnlyWhatIsKnown_data()
{
    QTest::addColumn<QString>("state");
    for (const char *state : {"current", "lost", "before the scan", "after a gap", "lost node", "unreadable"})
        QTest::newRow(state) << QString::fromLatin1(state);
}

/// Where nothing is known of the lock, its alert stays through a change of the rules, unless its rule is off.
void TstAlertWatch::rulesEndOnlyWhatIsKnown()
{
    QFETCH(const QString, state);
    AlertRules rules = only([](AlertRules &on) { on.noExpiry = true; });
    rules.maxHeld = 10s;
    rules.maxWaiters = 3;
    AlertWatch watch = watching(rules);
    WatchedLock lock = awaited(lockOf("a", start - 20s), 4);
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), m_none, start);
    QCOMPARE(told(watch), lines({"+no-expiry a", "+max-held a", "+max-waiters a"}));
    const bool isLostNode = state == QStringLiteral("lost node");
    ClusterStatus cluster;
    cluster.nodes.append(NodeStatus());
    if (state == QStringLiteral("lost") || state == QStringLiteral("before the scan"))
        watch.takeConnection(false, start);
    if (state == QStringLiteral("before the scan"))
        watch.takeConnection(true, start);
    if (state == QStringLiteral("after a gap"))
        watch.takeFeed(fed(FeedMode::Tracking, FeedStatus::Incident{FeedGap::Flushed, start}));
    if (state == QStringLiteral("unreadable")) {
        lock.setProblem(Problem::Unreadable, true);
        watch.take(changed({lock}), m_none, start);
    }
    if (isLostNode)
        watch.takeCluster(cluster, start);
    rules.maxHeld = 1h;       // not broken any more
    rules.maxWaiters.reset(); // off
    watch.setRules(rules, {lock}, m_none, start);
    watch.advance(start + 1min);
    const bool isKnown = state == QStringLiteral("current");
    QCOMPARE(told(watch), isKnown ? lines({"-max-waiters a", "-max-held a"}) : lines({"-max-waiters a"}));
    watch.setRules(rules, {lock}, m_none, start + 1min); // nor by another one that changes nothing
    QCOMPARE(told(watch), QStringList());
    // What is known again decides.
    if (isLostNode) {
        cluster.nodes.first().state = Link::State::Ready;
        cluster.nodes.first().isCurrent = true;
        watch.takeCluster(cluster, start + 2min);
    }
    lock.setProblem(Problem::Unreadable, false);
    if (state == QStringLiteral("unreadable"))
        watch.take(changed({lock}), m_none, start + 2min);
    watch.takeConnection(true, start + 2min);
    watch.takeScan(start + 2min);
    watch.advance(start + 3min);
    watch.advance(start + 4min);
    QCOMPARE(told(watch), isKnown ? QStringList() : lines({"-max-held a"}));
}

void TstAlertWatch::afterAGapNothingIsSaidUntilAllIsReadAgain()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    const FeedStatus gap = fed(FeedMode::Tracking, FeedStatus::Incident{FeedGap::Lost, start + 1s});
    watch.takeFeed(fed(FeedMode::Tracking));
    watch.take(changed({lockOf("a")}), m_none, start);
    watch.takeFeed(gap);
    watch.advance(start + 20s);
    QCOMPARE(told(watch), QStringList());
    watch.takeScan(start + 20s);
    QCOMPARE(told(watch), lines({"+max-held a"}));
    watch.takeFeed(gap); // the same
    QVERIFY(watch.read().isRead());
}

void TstAlertWatch::whatIsPolledIsHeldUntilItWasRead()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    watch.takeFeed(fed(FeedMode::Polling));
    WatchedLock lock = lockOf("a");
    lock.lock.readAt = start + 1s;
    watch.take(changed({lock}), m_none, start + 1s);
    watch.advance(start + 12s);
    QCOMPARE(told(watch), QStringList()); // somebody else may hold it since
    watch.takeConfirmed(start + 11s);
    watch.advance(start + 13s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.held, milliseconds(11s));
    QCOMPARE(changes.first().alert.raisedAt, start + 13s);
}

void TstAlertWatch::whatCannotBeReadStays()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.noExpiry = true; }));
    WatchedLock lock = lockOf("a");
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), m_none, start);
    QCOMPARE(told(watch), lines({"+no-expiry a"}));
    lock.setProblem(Problem::Unreadable, true);
    watch.take(changed({lock}), m_none, start + 1s);
    watch.advance(start + 1h);
    QCOMPARE(told(watch), QStringList());
    lock.setProblem(Problem::Unreadable, false);
    lock.lock.problems = {};
    watch.take(changed({lock}), m_none, start + 1h);
    watch.advance(start + 2h);
    QCOMPARE(told(watch), lines({"-no-expiry a"}));
}

void TstAlertWatch::aHoldIsNotToldBeyondItsLease()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    WatchedLock lock = lockOf("a");
    lock.lock.deadline = Deadline{start + 10s, start + 10s};
    watch.take(changed({lock}), m_none, start);
    watch.advance(start + 10s); // its lease is over, and nobody has looked yet
    QCOMPARE(told(watch), QStringList());
    lock.lock.deadline = Deadline{start + 20s, start + 20s};
    watch.take(changed({lock}), m_none, start + 10s);
    QCOMPARE(told(watch), lines({"+max-held a"}));
}

void TstAlertWatch::whoMayHaveChangedIsNotSaidToHoldOn()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxHeld = 10s; }));
    WatchedLock weak = lockOf("weak", start, "1");
    weak.lock.family = "token"_family;
    weak.lock.type = KeyType::String;
    QVERIFY(mayRepeat(weak.lock));
    WatchedLock semaphore = lockOf("permits", start, "10");
    semaphore.lock.family = "redisson-semaphore"_family;
    semaphore.lock.type = KeyType::String;
    watch.take(changed({weak, semaphore}), m_none, start);
    watch.advance(start + 30s);
    QCOMPARE(told(watch), QStringList());
}

void TstAlertWatch::ofADeadlockThatIsNotReadNoEndIsTold()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.deadlock = true; }));
    watch.takeDeadlocks({deadlockOf("a", "b")}, start);
    QCOMPARE(told(watch), lines({"+deadlock a"}));
    watch.takeConnection(false, start + 1s);
    watch.takeDeadlocks({}, start + 1s);
    QCOMPARE(told(watch), QStringList());
    watch.takeConnection(true, start + 2s);
    watch.takeScan(start + 3s);
    QCOMPARE(told(watch), lines({"-deadlock a"}));
}

void TstAlertWatch::aBusyLockIsOneAlert()
{
    AlertWatch watch = watching(only([](AlertRules &rules) { rules.maxWaiters = 2; }));
    for (int i = 0; i < 20; ++i) {
        const TimePoint at = start + i * 500ms;
        watch.take(changed({awaited(lockOf("a", at, "owner" + QByteArray::number(i)), 5)}), m_none, at);
        watch.advance(at + 250ms);
        watch.take(removed("a"), m_none, at + 400ms);
    }
    QCOMPARE(told(watch), lines({"+max-waiters a"}));
}

QTEST_GUILESS_MAIN(TstAlertWatch)
#include "tst_alertwatch.moc"
