// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/demo/demoworkload.h"

#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray written(const Iteration &visit)
{
    return visit.owner + ' ' + QByteArray::number(qint64(visit.lease.count())) + ' ' +
           QByteArray::number(visit.levels) + ' ' + QByteArray::number(qint64(visit.step.count())) + ' ' +
           QByteArray::number(qint64(visit.hold.count())) + ' ' +
           QByteArray::number(qint64(visit.renew.count())) + ' ' + QByteArray::number(int(visit.fault)) +
           ' ' + QByteArray::number(qint64(visit.rest.count()));
}

QByteArrayList visits(const DemoLock &post, quint32 seed, quint32 number)
{
    DemoWorkload routine(post, 0, seed, number);
    QByteArrayList list;
    for (int i = 0; i < 20; ++i)
        list.append(written(*routine.next()));
    return list;
}

} // namespace

class TestDemoRoutine : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theSeedDecides();
    void aShopIsComplete();
    void habits_data();
    void habits();
};

void TestDemoRoutine::theSeedDecides()
{
    for (const DemoLock &post : demoPosts()) {
        QCOMPARE(visits(post, 7, 3), visits(post, 7, 3));
        QVERIFY(visits(post, 7, 3) != visits(post, 8, 3));
        QVERIFY(visits(post, 7, 3) != visits(post, 7, 4));
    }
}

void TestDemoRoutine::aShopIsComplete()
{
    const QRegularExpression found(
        QStringLiteral("^(lock:.+|lock_.+|.+:lock)$")); // the monitor's own patterns
    QSet<QByteArray> keys;
    QSet<std::pair<int, int>> kinds;
    quint32 workers = 0;
    for (const DemoLock &post : demoPosts()) {
        QVERIFY2(found.match(QString::fromLatin1(post.key)).hasMatch(), post.key);
        keys.insert(post.key);
        kinds.insert({int(post.strategy), int(post.habit)});
        workers += post.workers;
    }
    QCOMPARE(keys.size(), qsizetype(demoPosts().size()));
    QVERIFY(workers >= 30 && workers <= 48);
    for (const DemoHabit habit :
         {DemoHabit::HoldBriefly, DemoHabit::KeepRenewing, DemoHabit::OverrunLease, DemoHabit::DieHolding}) {
        QVERIFY(kinds.contains({int(StrategyKind::Reentrant), int(habit)}));
        QVERIFY(kinds.contains({int(StrategyKind::TokenSet), int(habit)}));
    }
    QVERIFY(kinds.contains({int(StrategyKind::Reentrant), int(DemoHabit::Reenter)}));
    QVERIFY(kinds.contains({int(StrategyKind::Handoff), int(DemoHabit::TakeTurns)}));
    QVERIFY(kinds.contains({int(StrategyKind::Redisson), int(DemoHabit::TakeTurns)}));
    QVERIFY2(!kinds.contains({int(StrategyKind::TokenSet), int(DemoHabit::Reenter)}),
             "a token lock can't be re-entered");
}

void TestDemoRoutine::habits_data()
{
    QTest::addColumn<DemoHabit>("habit");
    QTest::newRow("hold briefly") << DemoHabit::HoldBriefly;
    QTest::newRow("re-enter") << DemoHabit::Reenter;
    QTest::newRow("keep renewing") << DemoHabit::KeepRenewing;
    QTest::newRow("overrun the lease") << DemoHabit::OverrunLease;
    QTest::newRow("die holding") << DemoHabit::DieHolding;
    QTest::newRow("take turns") << DemoHabit::TakeTurns;
}

void TestDemoRoutine::habits()
{
    QFETCH(DemoHabit, habit);
    DemoWorkload routine({"lock:x", StrategyKind::Reentrant, habit, 1}, 0, 1, 0);
    QSet<QByteArray> owners;
    for (int i = 0; i < 200; ++i) {
        const Iteration visit = *routine.next();
        owners.insert(visit.owner);
        QVERIFY(visit.lease > 0ms && visit.hold > 0ms && visit.rest > 0ms);
        QCOMPARE(visit.levels > 1, habit == DemoHabit::Reenter);
        QVERIFY(visit.levels <= 3);
        QCOMPARE(visit.renew > 0ms, habit == DemoHabit::KeepRenewing || habit == DemoHabit::DieHolding);
        QVERIFY(visit.renew < visit.lease / 2);
        QCOMPARE(visit.fault, habit == DemoHabit::DieHolding ? Fault::CrashHolding : Fault::None);
        const bool endsUnderHolder =
            visit.renew == 0ms && visit.hold + visit.levels * 2 * visit.step > visit.lease;
        QCOMPARE(endsUnderHolder, habit == DemoHabit::OverrunLease);
    }
    QCOMPARE(owners.size(), habit == DemoHabit::DieHolding ? 200 : 1);
    const QRegularExpression uuidAndThread(
        QStringLiteral("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:\\d+$"));
    for (const QByteArray &owner : owners)
        QVERIFY2(uuidAndThread.match(QString::fromLatin1(owner)).hasMatch(), owner.constData());
}

QTEST_APPLESS_MAIN(TestDemoRoutine)
#include "tst_demoworkload.moc"
