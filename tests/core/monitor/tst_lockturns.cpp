// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"
#include "tests/support/familyliteral.h"

#include <QRandomGenerator>
#include <QtTest>

#include <malloc.h>

#include <map>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

TimePoint at(std::chrono::seconds when)
{
    return TimePoint(1h) + when;
}

Inspection reading(const LockKey &key, TimePoint when, std::optional<milliseconds> ttl = {})
{
    Lock lock;
    lock.address.key = key;
    lock.family = "token"_family;
    lock.type = KeyType::String;
    lock.owners = {{OwnerId("owner"), {}, 1}};
    lock.readAt = when;
    if (ttl) {
        lock.ttl = *ttl;
        lock.deadline = Deadline::fromPttl(*ttl, when, when);
    }
    return {key, lock};
}

} // namespace

class TestLockTurns : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void inTurn()
    {
        const LockKey a("a"), b("b"), c("c");
        LockStore locks;
        QVERIFY(!locks.oldestRead() && !locks.oldestPolled());
        locks.apply(reading(a, at(1s)), at(1s), true);
        locks.apply(reading(b, at(2s)), at(2s), false);
        locks.apply(reading(c, at(3s)), at(3s), false);
        QCOMPARE(locks.oldestRead(), at(1s));
        QCOMPARE(locks.oldestPolled(), at(2s));
        locks.apply(reading(a, at(4s)), at(4s), false); // its changes are told no more
        QCOMPARE(locks.takeDuePolled(at(3s), at(5s), 9), (QList<LockKey>{b, c}));
        QCOMPARE(locks.oldestRead(), at(4s));
        QCOMPARE(locks.takeDue(at(5s), at(6s), 2), (QList<LockKey>{a, b}));
        QCOMPARE(locks.takeDue(at(5s), at(6s), 9), QList<LockKey>{c});
        QVERIFY(locks.takeDue(at(5s), at(6s), 9).isEmpty()); // its turn is over until it is read again
        locks.classify([&](const LockKey &key) { return key == c; });
        QCOMPARE(locks.takeDuePolled(at(6s), at(7s), 9).size(), 2);
        locks.apply({b, std::nullopt}, at(8s), false);
        locks.forget(a);
        QVERIFY(!locks.oldestPolled());
        QCOMPARE(locks.oldestRead(), at(6s));
    }

    /// A lease that moves is expected where it ends last; each end is told once.
    void ends()
    {
        const LockKey a("a");
        LockStore locks; // a PTTL is rounded to a millisecond, and one later it is looked at
        QVERIFY(!locks.nextExpiry());
        locks.apply(reading(a, at(0s), 10s), at(0s), true);
        QCOMPARE(locks.nextExpiry(), at(10s) + 2ms);
        locks.apply(reading(a, at(5s), 10s), at(5s), true); // renewed
        QCOMPARE(locks.nextExpiry(), at(15s) + 2ms);
        locks.apply(reading(a, at(6s), 3s), at(6s), true); // shortened
        QCOMPARE(locks.nextExpiry(), at(9s) + 2ms);
        QVERIFY(locks.takeExpired(at(9s), 9).isEmpty());
        QCOMPARE(locks.takeExpired(at(10s), 9), QList<LockKey>{a});
        QVERIFY(!locks.nextExpiry());
        locks.apply(reading(a, at(10s), 0ms), at(10s), true); // zero is a time, too
        QCOMPARE(locks.nextExpiry(), at(10s) + 2ms);
        locks.apply(reading(a, at(10s)), at(10s), true); // no end any more
        QVERIFY(!locks.nextExpiry());
        locks.apply(reading(a, at(11s), milliseconds::max()), at(11s), true);
        QVERIFY(*locks.nextExpiry() > at(11s) + 24h * 365);
        locks.apply({a, std::nullopt}, at(12s), true);
        QVERIFY(!locks.nextExpiry());
    }

    /// Leases that come and go, and that are renewed long before they end, leave nothing behind.
    void endsDoNotPileUp()
    {
        LockStore locks;
        const auto now = at(0s);
        for (int i = 0; i < 100; ++i)
            locks.apply(reading(LockKey(QByteArray::number(i)), now, 24h), now, true);
        const auto before = mallinfo2().uordblks;
        for (int i = 0; i < 300'000; ++i) {
            const LockKey key(QByteArray::number(i % 100));
            if (i % 3 == 0)
                locks.apply({key, std::nullopt}, now, true);
            locks.apply(reading(key, now, 24h - milliseconds(i)), now, true);
            locks.takeChanges();
        }
        QVERIFY(mallinfo2().uordblks < before + 1'000'000);
        QCOMPARE(locks.takeExpired(now + 48h, 1000).size(), 100);
        QVERIFY(!locks.nextExpiry());
    }

    /// Against plain maps, with random changes.
    void keepsTurnsAndEnds()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        LockStore locks;
        struct Expected
        {
            TimePoint turn;
            std::optional<TimePoint> end;
            bool told;
        };
        std::map<QByteArray, Expected> expected;
        for (int i = 0; i < 20'000; ++i) {
            const QByteArray key = QByteArray::number(random.bounded(50));
            const TimePoint now = at(std::chrono::seconds(i));
            const bool told = random.bounded(2) == 0;
            switch (random.bounded(5)) {
            case 0:
            case 1: {
                const bool ends = random.bounded(3) > 0;
                const milliseconds ttl(random.bounded(100'000));
                locks.apply(reading(LockKey(key), now, ends ? std::optional(ttl) : std::nullopt), now, told);
                expected[key] = {now, ends ? std::optional(now + ttl + 1ms) : std::nullopt, told};
                break;
            }
            case 2:
                locks.apply({LockKey(key), std::nullopt}, now, told);
                expected.erase(key);
                break;
            case 3:
                for (const LockKey &due : locks.takeExpired(now, 3)) {
                    QVERIFY(expected.contains(due.bytes));
                    QVERIFY(expected[due.bytes].end && *expected[due.bytes].end <= now + 2ms);
                    expected[due.bytes].end.reset();
                }
                break;
            case 4:
                for (const LockKey &due : locks.takeDuePolled(now - 30s, now, 3)) {
                    QVERIFY(!expected[due.bytes].told && expected[due.bytes].turn <= now - 30s);
                    expected[due.bytes].turn = now;
                }
            }
            std::optional<TimePoint> oldest, end;
            for (const auto &[k, lock] : expected) {
                oldest = std::min(lock.turn, oldest.value_or(TimePoint::max()));
                if (lock.end)
                    end = std::min(*lock.end, end.value_or(TimePoint::max()));
            }
            QCOMPARE(locks.oldestRead(), oldest);
            QCOMPARE(locks.nextExpiry().has_value(), end.has_value());
            if (end) // looked at a millisecond later; up to two more where it was expected then before
                QVERIFY(*locks.nextExpiry() - *end <= 3ms && *end - *locks.nextExpiry() <= 0ms);
        }
    }
};

QTEST_GUILESS_MAIN(TestLockTurns)
#include "tst_lockturns.moc"
