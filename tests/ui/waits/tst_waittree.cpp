// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/waittree.h"

#include "core/table/waitertext.h"
#include "core/table/waittext.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"
#include "ui/widgets/plaintext.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

WatchedLock fair(const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &queue)
{
    return queued(redisson(key, owner, "redisson-fair"_family), queue);
}

/// A tree in a line: "a=3(b c=1(d))"; a lock by its key, a waiter by its place.
QString drawn(const QList<WaitNode> &nodes)
{
    QStringList texts;
    for (const WaitNode &node : nodes) {
        QString text = node.place ? QString::number(*node.place) : QString::fromUtf8(node.lock.bytes);
        if (node.behind.count > 0)
            text += (node.behind.isExact ? QStringLiteral("=") : QStringLiteral("≥")) +
                    QString::number(node.behind.count);
        if (!node.below.isEmpty())
            text += u'(' + drawn(node.below) + u')';
        texts << text;
    }
    return texts.join(u' ');
}

QString forestOf(const QList<WatchedLock> &locks)
{
    WaitIndex index;
    index.apply(changes(locks), now);
    return drawn(waitForest(index).roots);
}

const QByteArray a = client + ":1", b = client + ":2", c = client + ":3", d = otherClient + ":1";

} // namespace

class WaitForestTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void forest_data()
    {
        QTest::addColumn<QList<WatchedLock>>("locks");
        QTest::addColumn<QString>("expected");
        using Locks = QList<WatchedLock>;
        QTest::newRow("nobody waits") << Locks{redisson("x", a), fair("y", b, {})} << QString();
        QTest::newRow("a queue") << Locks{fair("x", a, {b, c})} << QStringLiteral("x=2(1 2)");
        QTest::newRow("processes that listen")
            << Locks{listenedTo(redisson("x", a), 3)} << QStringLiteral("x≥3");
        QTest::newRow("one behind another")
            << Locks{fair("y", b, {c}), fair("x", a, {b})} << QStringLiteral("x=2(1=1(y=1(1)))");
        QTest::newRow("not exact from one on")
            << Locks{fair("x", a, {b}), listenedTo(redisson("y", b), 2)} << QStringLiteral("x≥3(1≥2(y≥2))");
        QTest::newRow("the most waited for first")
            << Locks{fair("few", a, {b}), fair("many", d, {b, c})} << QStringLiteral("many=2(1 2) few=1(1)");
        // Behind it, more wait than in front of another.
        QTest::newRow("by all that wait below")
            << Locks{fair("x", a, {b}), fair("y", b, {c, client + ":8", client + ":9"}),
                     fair("z", d, {"q", "r"})}
            << QStringLiteral("x=4(1=3(y=3(1 2 3))) z=2(1 2)");
        QTest::newRow("a circle") << Locks{fair("x", a, {b}), fair("y", b, {a})}
                                  << QStringLiteral("x=2(1=2(y=2(1)))");
        QTest::newRow("whoever waits for itself") << Locks{fair("x", a, {a})} << QStringLiteral("x=1(1)");
        WatchedLock token = queued(sample::token("t"), {"s"});
        QTest::newRow("without identities nothing is joined")
            << Locks{token, queued(sample::token("u", 20s, "s"), {"t"})} << QStringLiteral("t≥1(1) u≥1(1)");
    }
    void forest()
    {
        QFETCH(QList<WatchedLock>, locks);
        QFETCH(QString, expected);
        QCOMPARE(forestOf(locks), expected);
        std::reverse(locks.begin(), locks.end());
        QCOMPARE(forestOf(locks), expected);
    }

    void theIndexFollowsWhatChanges()
    {
        WaitIndex index;
        QVERIFY(!index.apply(changes({redisson("x", a)}), Clock::now()));
        QVERIFY(index.apply(changes({fair("x", a, {b})}), Clock::now()));
        QCOMPARE(index.waitsOf(b), QList<LockKey>{LockKey("x")});
        // A renewal is nothing to those that wait.
        QVERIFY(!index.apply(changes({renewed(fair("x", a, {b}))}), Clock::now()));
        QVERIFY(index.apply(changes({fair("x", b, {c}), fair("y", a, {c})}), Clock::now()));
        QCOMPARE(index.waitsOf(b), QList<LockKey>());
        QCOMPARE(index.waitsOf(c), QList<LockKey>({LockKey("x"), LockKey("y")}));
        QVERIFY(index.apply(changes({redisson("y", a)}, {"x"}), Clock::now()));
        QVERIFY(index.waitedOn().isEmpty() && index.waitsOf(c).isEmpty() && index.waitsOf({}).isEmpty());
    }

    void agreesWithOneMadeAnew()
    {
        const auto seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        WaitIndex index;
        QHash<QByteArray, WatchedLock> truth;
        const auto someone = [&random] { return client + ':' + QByteArray::number(random.bounded(6)); };
        for (int step = 0; step < 500; ++step) {
            const QByteArray key = "k" + QByteArray::number(random.bounded(8));
            if (random.bounded(5) == 0) {
                index.apply(changes({}, {key}), now);
                truth.remove(key);
                continue;
            }
            QList<QByteArray> queue;
            for (int i = random.bounded(4); i > 0; --i)
                queue.append(someone());
            const WatchedLock lock = fair(key, someone(), queue);
            index.apply(changes({lock}), now);
            truth.insert(key, lock);
            QCOMPARE(drawn(waitForest(index).roots), forestOf(truth.values()));
        }
    }

    void blockedWaitersAreCountedOnce()
    {
        WaitIndex index;
        const WatchedLock x = fair("x", a, {b, c}), y = fair("y", b, {d, client + ":8"}),
                          z = fair("z", d, {b});
        index.apply(changes({x, y, z}), now - 10s);
        // b and c; behind b: d and another; behind d: b again, which is in the cycle.
        const BlockedWaiters behind = index.blockedBy(x.lock);
        QVERIFY(behind.isExact);
        QCOMPARE(behind.count, 4);
        QCOMPARE(behind.waitedUntil(now, 0)->all, milliseconds(40s));
        QCOMPARE(behind.waitedUntil(now, 0)->longest, milliseconds(10s));
        QCOMPARE(blocksText(x.lock, index), QStringLiteral("4"));
        QVERIFY(blocksSentence(x.lock, index).contains(QStringLiteral("2 for this lock, 2 for locks")));
        QCOMPARE(waitedText(40s), QStringLiteral("≥ 40 s"));
        WaitIndex restarted = index;
        restarted.restart(now - 1s); // before that nobody had looked
        QCOMPARE(restarted.blockedBy(x.lock).waitedUntil(now, 0)->all, milliseconds(4s));
        // From anywhere in the cycle.
        QCOMPARE(index.blockedBy(y.lock).count, 3);
        QCOMPARE(waitsForText(y.lock, index), QStringLiteral("2")); // b stands in two queues
        QCOMPARE(waitsForText(x.lock, index), QString());
        index.apply(changes({fair("y", b, {})}), now);
        QCOMPARE(index.blockedBy(x.lock).count, 2);
    }

    void certaintyIsKept()
    {
        WaitIndex index;
        const WatchedLock empty = fair("empty", a, {}), nobodyHeard = listenedTo(redisson("n", a), 0),
                          unknown = token("t"), heard = listenedTo(redisson("y", b), 2),
                          behind = fair("x", c, {b});
        WatchedLock longer = fair("long", a, {d});
        CompanionState companions = *longer.lock.companions;
        companions.waiters.count = 100; // of which the first alone was read
        longer.lock.companions = CompanionStatePtr(companions);
        index.apply(changes({empty, nobodyHeard, unknown, heard, behind, longer}), now);
        QCOMPARE(blocksText(empty.lock, index), QStringLiteral("0"));
        QCOMPARE(blocksText(nobodyHeard.lock, index), QString());
        QCOMPARE(blocksText(unknown.lock, index), QString());
        QCOMPARE(blocksText(heard.lock, index), QStringLiteral("≥ 2"));
        QCOMPARE(blocksText(behind.lock, index), QStringLiteral("≥ 3"));
        QCOMPARE(blocksText(longer.lock, index), QStringLiteral("≥ 100"));
        QVERIFY(blocksSentence(longer.lock, index).startsWith(QStringLiteral("At least 100")));
        QVERIFY(!index.blockedBy(heard.lock).waitedUntil(now, 0));
    }

    void aLongChainEnds()
    {
        WaitIndex index;
        QList<WatchedLock> chain;
        const auto thread = [](int i) { return client + ':' + QByteArray::number(i); };
        for (int i = 0; i < 2'000; ++i)
            chain.append(fair("k" + QByteArray::number(i), thread(i), {thread(i + 1)}));
        index.apply(changes(chain), now);
        const BlockedWaiters behind = index.blockedBy(chain.first().lock);
        QVERIFY(behind.count >= 100 && !behind.isExact);
        QVERIFY(index.blockedBy(chain.last().lock).isExact);
    }

    void manyAreCut()
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < 3 * WaitTree::most; ++i)
            locks.append(fair("k" + QByteArray::number(i), {}, {b, c}));
        WaitIndex index;
        index.apply(changes(locks), Clock::now());
        const WaitTree forest = waitForest(index);
        QVERIFY(!forest.isWhole && !forest.roots.isEmpty());
        QVERIFY(forest.roots.size() <= WaitTree::most);
    }

    void circlesAreTold()
    {
        WaitIndex index;
        index.apply(changes({fair("order:1", a, {d}), fair("order:2", d, {a})}), Clock::now());
        OwnerNames names;
        names.setName(client, QStringLiteral("web"));
        const Deadlock deadlock{{{LockKey("order:2"), a, d}, {LockKey("order:1"), d, a}}};
        const QString other = shortened(QString::fromLatin1(d), 26);
        QCOMPARE(cycleText(deadlock, index, names),
                 QStringList({QStringLiteral("web · thread 1 holds order:1 and waits for order:2"),
                              QStringLiteral("%1 holds order:2 and waits for order:1").arg(other)}));
        QCOMPARE(waitsOfOwner(index.find(LockKey("order:2"))->lock, index, names),
                 QStringLiteral("The owner waits for order:1 (owner: web · thread 1)."));
        QVERIFY(waitsOfOwner(fair("free", c, {}).lock, index, names).isEmpty());
    }

    void waitersSayHowTheyAre()
    {
        const qint64 nowMs = 1'000'000;
        Waiter waiter{OwnerId(a), nowMs + 60'000, SubscriptionState::Yes, false};
        QVERIFY(waiterState(waiter, nowMs).text.startsWith(QStringLiteral("subscribed · until ")));
        QVERIFY(waiterState(waiter, nowMs + 60'001).text.contains(QStringLiteral("timed out")));
        waiter.timeoutAtMs = 100'000'000'000'000; // more than a clock of nanoseconds can tell
        QVERIFY(waiterState(waiter, nowMs).text.contains(QStringLiteral("beyond the calendar")));
        waiter = {OwnerId(a), {}, SubscriptionState::Unknown, false};
        QCOMPARE(waiterState(waiter, nowMs).text, QStringLiteral("waiting"));
        waiter.listening = SubscriptionState::No;
        QCOMPARE(waiterState(waiter, nowMs).statusColor, StatusColor::Warning);
        waiter.isDead = true;
        QCOMPARE(waiterState(waiter, nowMs).statusColor, StatusColor::Danger);
    }
};

QTEST_MAIN(WaitForestTest)
#include "tst_waittree.moc"
