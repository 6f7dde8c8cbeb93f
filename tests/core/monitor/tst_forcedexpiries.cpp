// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/forcedexpiries.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start(1h);
const LockKey key("lock:a");

Lock heldBy(const QByteArrayList &owners)
{
    Lock lock;
    lock.address.key = key;
    lock.family = "reentrant"_family;
    lock.type = KeyType::Hash;
    for (const QByteArray &owner : owners)
        lock.owners.append({OwnerId(owner), "1", 1});
    return lock;
}

} // namespace

class TestForcedExpiries : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// The difference between two readings is the action's, and was reported with its answer.
    void explains_data()
    {
        QTest::addColumn<QByteArrayList>("ended");
        QTest::addColumn<QByteArrayList>("after");
        QTest::addColumn<bool>("explained");
        QTest::newRow("all gone") << QByteArrayList{"u:1", "u:2"} << QByteArrayList{} << true;
        QTest::newRow("one gone") << QByteArrayList{"u:1"} << QByteArrayList{"u:2"} << true;
        QTest::newRow("both gone, one of them by itself")
            << QByteArrayList{"u:1"} << QByteArrayList{} << false;
        QTest::newRow("another has acquired it")
            << QByteArrayList{"u:1", "u:2"} << QByteArrayList{"u:3"} << false;
        QTest::newRow("not an owner") << QByteArrayList{"u:9"} << QByteArrayList{"u:1", "u:2"} << false;
    }
    void explains()
    {
        QFETCH(QByteArrayList, ended);
        QFETCH(QByteArrayList, after);
        QFETCH(bool, explained);
        ForcedExpiries forced;
        const Lock before = heldBy({"u:1", "u:2"});
        const std::optional<Lock> now = after.isEmpty() ? std::nullopt : std::optional(heldBy(after));
        QVERIFY(!forced.takeExplanation(before, now));
        forced.record(key, heldBy(ended).owners, start);
        QCOMPARE(forced.takeExplanation(before, now), explained);
        QVERIFY(!forced.takeExplanation(before, now)); // the first reading only
    }

    void anOwnerWritesItsLockAgain()
    {
        ForcedExpiries forced;
        const Lock lock = heldBy({"u:1"});
        QVERIFY(!forced.takeReturn(lock, start));
        forced.record(key, lock.owners, start);
        QVERIFY(!forced.takeReturn(heldBy({"u:2"}), start + 1s));
        QVERIFY(forced.takeReturn(lock, start + 60s));
        QVERIFY(!forced.takeReturn(lock, start + 60s)); // once
        forced.record(key, lock.owners, start);
        QVERIFY(!forced.takeReturn(lock, start + 61s)); // it has waited for its turn like everybody
    }
};

QTEST_GUILESS_MAIN(TestForcedExpiries)
#include "tst_forcedexpiries.moc"
