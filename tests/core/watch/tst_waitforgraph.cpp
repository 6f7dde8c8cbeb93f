// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/deadlockdetector.h"
#include "core/watch/waitforgraph.h"
#include "tests/support/familyliteral.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// "a waits for b, by lock ab": so an edge is written.
WaitEdge edge(const char *text)
{
    const QByteArray pair(text);
    return {LockKey(pair), pair.left(1), pair.mid(1)};
}

QList<WaitEdge> edges(const QByteArray &pairs)
{
    QList<WaitEdge> list;
    for (const QByteArray &pair : pairs.split(' ')) {
        if (!pair.isEmpty())
            list.append(edge(pair.constData()));
    }
    return list;
}

/// "ab-bc-ca, xy-yx"
QByteArray text(const QList<Deadlock> &deadlocks)
{
    QByteArrayList cycles;
    for (const Deadlock &deadlock : deadlocks) {
        QByteArrayList cycle;
        for (const WaitEdge &wait : deadlock.cycle)
            cycle.append(wait.waiter + wait.owner);
        cycles.append(cycle.join('-'));
    }
    return cycles.join(", ");
}

WaitEdge numbered(int lock, int waiter, int owner)
{
    return {LockKey(QByteArray::number(lock)), QByteArray::number(waiter), QByteArray::number(owner)};
}

Lock queued(Family family, const QByteArrayList &owners, const QByteArrayList &waiters)
{
    Lock lock;
    lock.address.key = LockKey("lock");
    lock.family = family;
    for (const QByteArray &owner : owners)
        lock.owners.append({OwnerId(owner), "1", 1});
    CompanionState companions;
    for (const QByteArray &waiter : waiters)
        companions.waiters.queue.append(Waiter{OwnerId(waiter), {}, SubscriptionState::Unknown, false});
    lock.companions = CompanionStatePtr(companions);
    return lock;
}

} // namespace

class TestWaitGraph : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void cycles_data()
    {
        QTest::addColumn<QByteArray>("waits");
        QTest::addColumn<QByteArray>("cycles");
        QTest::newRow("nobody") << QByteArray() << QByteArray();
        QTest::newRow("a chain") << QByteArray("ab bc cd") << QByteArray();
        QTest::newRow("two") << QByteArray("ba ab") << QByteArray("ab-ba");
        QTest::newRow("three, and who waits for them") << QByteArray("xc ca ab bc") << QByteArray("ab-bc-ca");
        QTest::newRow("itself") << QByteArray("aa ab") << QByteArray();
        QTest::newRow("two circles") << QByteArray("yx xy ba ab bx") << QByteArray("ab-ba, xy-yx");
        QTest::newRow("the shorter one") << QByteArray("ab bc cd da ca") << QByteArray("ab-bc-ca");
        QTest::newRow("once only, by two locks") << QByteArray("ab ab ba") << QByteArray("ab-ba");
        QTest::newRow("a fork that comes together") << QByteArray("ab ac bd cd") << QByteArray();
    }
    void cycles()
    {
        QFETCH(QByteArray, waits);
        QFETCH(QByteArray, cycles);
        QList<WaitEdge> all = edges(waits);
        QCOMPARE(text(findCycles(all)), cycles);
        std::ranges::reverse(all);
        QCOMPARE(text(findCycles(all)), cycles);
    }

    /// Each cycle is one, and there is one wherever somebody can be reached from itself.
    void anyGraph()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        for (int round = 0; round < 300; ++round) {
            const int nodes = random.bounded(2, 12);
            QList<WaitEdge> all;
            std::vector<std::vector<bool>> reaches(size_t(nodes), std::vector<bool>(size_t(nodes), false));
            for (int i = random.bounded(2 * nodes); i > 0; --i) {
                const int from = random.bounded(nodes);
                const int to = random.bounded(nodes);
                if (from == to)
                    continue;
                all.append(numbered(i, from, to));
                reaches[size_t(from)][size_t(to)] = true;
            }
            for (size_t via = 0; via < size_t(nodes); ++via)
                for (size_t from = 0; from < size_t(nodes); ++from)
                    for (size_t to = 0; to < size_t(nodes); ++to)
                        reaches[from][to] = reaches[from][to] || (reaches[from][via] && reaches[via][to]);
            const QList<Deadlock> found = findCycles(all);
            std::vector<bool> isCovered(size_t(nodes), false);
            for (const Deadlock &deadlock : found) {
                const QList<WaitEdge> &cycle = deadlock.cycle;
                QVERIFY(cycle.size() >= 2);
                for (qsizetype i = 0; i < cycle.size(); ++i) {
                    QVERIFY(all.contains(cycle[i]));
                    QCOMPARE(cycle[i].owner, cycle[(i + 1) % cycle.size()].waiter);
                    QVERIFY(cycle[i].waiter >= cycle[0].waiter);
                    const auto member = cycle[i].waiter.toUInt();
                    QVERIFY(!isCovered[member]); // nobody is in two
                    isCovered[member] = true;
                }
            }
            for (size_t node = 0; node < size_t(nodes); ++node) {
                const bool isReached = std::ranges::any_of(found, [&](const Deadlock &deadlock) {
                    const auto first = deadlock.cycle[0].waiter.toUInt();
                    return reaches[node][first] && reaches[first][node];
                });
                QCOMPARE(isReached, bool(reaches[node][node]));
            }
        }
    }

    /// Neither the stack nor the time may grow with a cycle: by squares these would take many minutes.
    void manyWaits()
    {
        constexpr int many = 100'000;
        QList<WaitEdge> ring;
        QList<WaitEdge> chain;
        QList<WaitEdge> pairs;
        for (int i = 0; i < many; ++i) {
            ring.append(numbered(i, i, (i + 1) % many));
            chain.append(numbered(i, i, i + 1));
            pairs.append(numbered(i, i, i ^ 1));
        }
        QCOMPARE(findCycles(ring).value(0).cycle.size(), many);
        QCOMPARE(findCycles(chain).size(), 0);
        QCOMPARE(findCycles(pairs).size(), many / 2);
    }

    void edgesOfLocks()
    {
        const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
        const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
        QCOMPARE(waitForEdges({queued("redisson-fair"_family, {anna}, {bert, anna})}),
                 (QList<WaitEdge>{{LockKey("lock"), bert, anna}})); // nobody waits for itself
        QCOMPARE(waitForEdges(
                     {queued("redisson-fair"_family, {anna + ":0123456789abcdef0123456789abcdef"}, {bert})})
                     .value(0)
                     .owner,
                 anna); // a transaction of that thread
        QCOMPARE(waitForEdges({queued("handoff"_family, {"web-1"}, {"web-2", "web-3"})}).size(), 2);
        QCOMPARE(waitForEdges({queued("sidekiq-unique-jobs"_family, {"a1"}, {"b2"})}).size(), 1);
        // Either of them may let it in.
        QCOMPARE(waitForEdges({queued("sidekiq-unique-jobs"_family, {"a1", "a2"}, {"b2"})}).size(), 0);
        QCOMPARE(waitForEdges({queued("token"_family, {"a1"}, {"b2"})}).size(), 0);
        QCOMPARE(waitForEdges({queued("redisson-fair"_family, {}, {bert})}).size(), 0);
    }

    void twoPictures()
    {
        DeadlockDetector watch;
        watch.take(edges("ab ba cd"));
        QCOMPARE(text(watch.deadlocks()), QByteArray());
        QCOMPARE(text(watch.suspected()), QByteArray("ab-ba"));
        watch.take(edges("ab cd"));
        QCOMPARE(text(watch.deadlocks()), QByteArray());
        QCOMPARE(text(watch.suspected()), QByteArray());
        watch.take(edges("ab ba"));
        watch.take(edges("ba ab xa"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-ba"));
        QCOMPARE(text(watch.suspected()), QByteArray());
        watch.take(edges("ab ba cd dc"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-ba"));
        QCOMPARE(text(watch.suspected()), QByteArray("cd-dc"));
        watch.take(edges("ab cd dc"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("cd-dc"));
    }

    void atOneMoment()
    {
        DeadlockDetector watch;
        watch.take(edges("ab ba cd dc"));
        watch.confirm(edges("ab ba cd"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-ba"));
        QCOMPARE(text(watch.suspected()), QByteArray());
    }

    /// While a deadlock holds, a shorter way around through the same waiters does not take its place.
    void staysTheSame()
    {
        DeadlockDetector watch;
        watch.take(edges("ab bc ca"));
        watch.take(edges("ab bc ca"));
        watch.take(edges("ab bc ca ba"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-bc-ca"));
        watch.take(edges("ab bc ca ba"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-bc-ca"));
        watch.take(edges("ab bc ba"));
        watch.take(edges("ab bc ba"));
        QCOMPARE(text(watch.deadlocks()), QByteArray("ab-ba"));
    }
};

QTEST_APPLESS_MAIN(TestWaitGraph)
#include "tst_waitforgraph.moc"
