// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/dataage.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const LockKey a("a");
const LockKey b("b");
const LockKey c("c");

TimePoint at(std::chrono::seconds second)
{
    return TimePoint(1000s + second);
}

} // namespace

/// What is waiting to be read, when each was read, and what age follows from it.
class TestFreshness : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void hintsInOrder()
    {
        PendingReads hints;
        QVERIFY(hints.isEmpty());
        QVERIFY(!hints.oldest());
        hints.add(b, at(1s));
        hints.add(a, at(2s));
        hints.add(b, at(3s)); // has waited since 1
        hints.add(c, at(4s));
        QCOMPARE(hints.size(), 3);
        QCOMPARE(hints.oldest(), at(1s));
        QCOMPARE(hints.take(2), (QList<LockKey>{b, a}));
        QCOMPARE(hints.oldest(), at(4s));
        QCOMPARE(hints.take(5), QList<LockKey>{c});
        QVERIFY(hints.isEmpty() && !hints.oldest());
        QVERIFY(hints.take(5).isEmpty());
    }

    void whatIsLookedAtFirst()
    {
        PendingReads hints;
        hints.setVisible({c, a});
        QVERIFY(hints.isChosen(c) && !hints.isChosen(a));
        QVERIFY(!hints.hasVisible());
        hints.add(b, at(1s));
        QVERIFY(!hints.hasVisible());
        hints.add(a, at(2s));
        hints.add(c, at(3s));
        QVERIFY(hints.hasVisible());
        QCOMPARE(hints.takeVisible(1), QList<LockKey>{c});
        QCOMPARE(hints.takeVisible(9), QList<LockKey>{a});
        QVERIFY(!hints.hasVisible());
        QCOMPARE(hints.oldest(), at(1s));
        QCOMPARE(hints.take(9), QList<LockKey>{b});
        hints.setVisible({});
        QVERIFY(!hints.isChosen(c));
    }

    /// A key that was taken and is hinted again waits from then on, once.
    void takenAndHintedAgain()
    {
        PendingReads hints;
        hints.setVisible({a});
        hints.add(a, at(1s));
        hints.add(b, at(2s));
        QCOMPARE(hints.takeVisible(9), QList<LockKey>{a});
        QCOMPARE(hints.oldest(), at(2s));
        hints.add(a, at(3s));
        QCOMPARE(hints.take(9), (QList<LockKey>{b, a}));
        QVERIFY(hints.isEmpty());
        hints.add(a, at(4s));
        QCOMPARE(hints.oldest(), at(4s));
        hints.clear();
        QVERIFY(hints.isEmpty() && !hints.oldest());
        hints.add(a, at(4s)); // at the very moment of the one that was cleared
        QCOMPARE(hints.take(9), QList<LockKey>{a});
        QVERIFY(hints.take(9).isEmpty());
    }

    /// A reading that only showed what is to be read leaves the key as old as it was.
    void hintedAgainFromEarlier()
    {
        PendingReads hints;
        hints.add(b, at(2s));
        hints.add(c, at(4s));
        hints.add(a, at(3s));
        QCOMPARE(hints.oldest(), at(2s));
        hints.add(c, at(1s));
        QCOMPARE(hints.oldest(), at(1s));
        QCOMPARE(hints.size(), 3);
        QCOMPARE(hints.take(9), (QList<LockKey>{c, b, a}));
        QVERIFY(hints.isEmpty() && !hints.oldest());
    }

    /// What was missed first is not known either, until a scan has begun after it.
    void missedAgain()
    {
        DataAge freshness;
        LockStore locks;
        PendingReads hints;
        freshness.markGap(at(1s), true);
        freshness.markGap(at(3s), true);
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(1s));
        freshness.scanFinished(at(2s));
        QVERIFY(!freshness.isWhole());
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(2s));
        freshness.scanFinished(at(3s));
        QVERIFY(freshness.isWhole());
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(9s));
        freshness.markGap(at(7s), true, at(5s)); // told since then, and dropped
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(5s));
        freshness.scanFinished(at(6s)); // may have passed what was told after it began
        QVERIFY(!freshness.isWhole());
        freshness.scanFinished(at(7s));
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(9s));
    }

    /// What is told may have happened at any time since it was known last that all had been told.
    void toldLate()
    {
        DataAge freshness;
        LockStore locks;
        PendingReads hints;
        QCOMPARE(freshness.heardSince(at(2s)), at(2s)); // nothing was told before
        freshness.markGap(at(0s), false);
        freshness.scanFinished(at(0s));
        freshness.setToldUntil(at(3s));
        QCOMPARE(freshness.heardSince(at(5s)), at(3s));
        hints.add(a, freshness.heardSince(at(5s)));
        freshness.setToldUntil(at(4s)); // asked before `a` was told, answered after it
        QCOMPARE(freshness.asOf(at(6s), locks, hints), at(3s));
        hints.clear();
        QCOMPARE(freshness.asOf(at(6s), locks, hints), at(4s));
        freshness.markGap(at(6s), false);
        freshness.setToldUntil(at(7s));
        QCOMPARE(freshness.asOf(at(8s), locks, hints), at(4s)); // since when changes may not have been told
        freshness.scanFinished(at(6s));
        QCOMPARE(freshness.asOf(at(8s), locks, hints), at(7s));
    }

    void ageOfThePicture()
    {
        DataAge freshness;
        LockStore locks;
        PendingReads hints;
        const auto read = [&locks](const LockKey &key, TimePoint when, bool told) {
            Lock lock;
            lock.address.key = key;
            lock.evidence = {Evidence::Content}; // what is hidden is not shown
            lock.readAt = when;
            locks.apply({key, lock}, when, told);
        };
        freshness.markGap(at(0s), true);
        QVERIFY(!freshness.isWhole() && freshness.isBoosted());
        read(a, at(1s), true);
        read(b, at(5s), false);
        freshness.setToldUntil(at(8s));
        QCOMPARE(freshness.asOf(at(9s), locks, hints),
                 at(0s)); // until a scan is through nothing is promised
        freshness.scanFinished(at(0s));
        QVERIFY(freshness.isWhole() && !freshness.isBoosted());
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(5s)); // what is told need not be asked
        read(b, at(9s), true);
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(8s)); // as far as the server has told
        hints.add(a, at(7s));
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(7s)); // told, and not read
        hints.clear();
        freshness.setToldUntil(std::nullopt);
        QCOMPARE(freshness.asOf(at(9s), locks, hints), at(9s));
    }

    /// However long ago it was read.
    void whatIsToldIsHeardUntilTheLastMiss()
    {
        DataAge freshness;
        PendingReads hints;
        freshness.markGap(at(0s), true);
        freshness.setToldUntil(at(2s));
        QCOMPARE(freshness.heardUntil(at(3s), hints), at(0s));
        freshness.scanFinished(at(0s));
        QCOMPARE(freshness.heardUntil(at(3s), hints), at(2s));
        hints.add(a, at(1s));
        QCOMPARE(freshness.heardUntil(at(3s), hints), at(1s));
        hints.clear();
        freshness.setToldUntil(at(6s));
        freshness.markGap(at(7s), true);
        freshness.setToldUntil(at(8s));
        QCOMPARE(freshness.heardUntil(at(9s), hints), at(6s));
    }

    /// A scan that began before the miss proves nothing about it.
    void missedDuringASweep()
    {
        DataAge freshness;
        freshness.markGap(at(2s), true);
        freshness.scanFinished(at(1s));
        QVERIFY(!freshness.isWhole() && freshness.isBoosted());
        freshness.scanFinished(at(2s));
        QVERIFY(freshness.isWhole() && !freshness.isBoosted());
        freshness.markGap(at(3s), false);
        QVERIFY(!freshness.isWhole() && !freshness.isBoosted());
    }

    /// Another database that is flushed every second is somebody's cache, and no reason to work harder for ever.
    void hurryHasAnEnd()
    {
        DataAge freshness;
        int hurried = 0;
        for (auto now = 0s; now < 600s; now += 1s) {
            freshness.markGap(at(now), true);
            hurried += freshness.isBoosted() ? 1 : 0;
            QVERIFY(now > 0s || hurried == 1);
        }
        QCOMPARE(hurried, 200);
    }
};

QTEST_GUILESS_MAIN(TestFreshness)
#include "tst_dataage.moc"
