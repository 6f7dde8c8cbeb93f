// SPDX-License-Identifier: GPL-3.0-or-later
// What two readings of heartbeats prove of a lock's holders, and what they leave open.
#include "core/state/orphans.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

using Verdict = OrphanFinding::Verdict;
constexpr qint64 endedAt = 1'795'737'600'000;

LockOwner reader(const QByteArray &id, const QByteArray &value = "R")
{
    return {OwnerId(id), value, 1, HoldMode::Read, {}};
}

GoneHolder gone(const QByteArray &id, CompactOptional<qint64> until = endedAt, qint64 holds = 1)
{
    return {OwnerId(id), until, holds, true};
}

Lock lockOf(Family family, const QByteArray &key, const QList<LockOwner> &owners,
            const QList<GoneHolder> &holders, bool areAllGone)
{
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = family;
    lock.owners = owners;
    CompanionState companions;
    companions.heartbeat = {
        holders.isEmpty() ? Heartbeat::State::Alive : Heartbeat::State::Dead, {}, holders, areAllGone};
    lock.companions = CompanionStatePtr(companions);
    return lock;
}

Lock fileLock(const QList<GoneHolder> &holders, bool areAllGone)
{
    return lockOf("juicefs"_family, "lockf1", {reader("7_0A"), reader("8_0B")}, holders, areAllGone);
}

Lock counter(qint64 count, const QList<GoneHolder> &holders, bool areAllGone)
{
    const QByteArray text = QByteArray::number(count);
    return lockOf("harbor"_family, "{harbor_job_service_namespace}:jobs:GC:lock",
                  {{OwnerId(text), text, count}}, holders, areAllGone);
}

} // namespace

class TestOrphans : public QObject
{
    Q_OBJECT

private slots:
    void rulesAreFamiliesWithHeartbeats()
    {
        const QList<Family> rules = orphanRules();
        for (const Family family :
             {"juicefs"_family, "redis-queued-locks"_family, "harbor"_family, "gocraft-work"_family})
            QVERIFY(rules.contains(family));
        QVERIFY(!rules.contains("redisson"_family) && !rules.contains("seata"_family));
        QCOMPARE(orphanPatience("redis-queued-locks"_family), 4s);
        QCOMPARE(orphanPatience("juicefs"_family), 120s);
    }

    void readings_data()
    {
        QTest::addColumn<Lock>("first");
        QTest::addColumn<Lock>("second");
        QTest::addColumn<int>("seconds");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<OrphanDoubt>("doubt");
        const GoneHolder seven = gone("7_0A");
        const GoneHolder eight = gone("8_0B");
        const auto row = [](const char *name, const Lock &first, const Lock &second, int seconds,
                            Verdict verdict, OrphanDoubt doubt = OrphanDoubt::None) {
            QTest::newRow(name) << first << second << seconds << verdict << doubt;
        };
        const Lock both = fileLock({seven, eight}, true);
        const Lock one = fileLock({seven}, false);
        const Lock alive = fileLock({}, false);
        row("all gone", both, both, 120, Verdict::Orphan);
        row("one of two", one, one, 120, Verdict::Orphan);
        row("alive", alive, alive, 120, Verdict::Alive);
        row("back", both, alive, 120, Verdict::Alive);
        row("too early", both, both, 119, Verdict::Unknown, OrphanDoubt::TooEarly);
        row("stopped since", alive, both, 120, Verdict::Unknown, OrphanDoubt::Changed);
        row("another beat between", fileLock({gone("7_0A", endedAt + 12'000)}, false), one, 120,
            Verdict::Unknown, OrphanDoubt::Changed);
        Lock unknown = alive;
        unknown.companions = {};
        row("no heartbeat", unknown, unknown, 120, Verdict::Unknown, OrphanDoubt::NoHeartbeat);
        Lock changed = one;
        changed.owners[0].rawHoldCount = "W";
        row("another hold", one, changed, 120, Verdict::Unknown, OrphanDoubt::Changed);
        GoneHolder missing = gone("7_0A", {});
        missing.isProven = false;
        row("record missing", fileLock({missing}, false), fileLock({missing}, false), 120, Verdict::Likely,
            OrphanDoubt::RecordMissing);

        const GoneHolder pool = gone("97c84119d13cb54119a38743", {});
        row("pool", counter(1, {pool}, true), counter(1, {pool}, true), 10, Verdict::Orphan);
        row("another pool lives", counter(2, {pool}, false), counter(2, {pool}, false), 10, Verdict::Likely,
            OrphanDoubt::OthersHold);
        row("count leaked", counter(2, {pool}, true), counter(2, {pool}, true), 10, Verdict::Likely,
            OrphanDoubt::CountDiffers);
        row("count changed", counter(2, {pool}, true), counter(1, {pool}, true), 10, Verdict::Unknown,
            OrphanDoubt::Changed);

        const QByteArray id = "rql:acq:1/2/3/4/0123456789abcdef";
        const auto record = [&id](qint64 since) {
            LockOwner owner{OwnerId(id), {}, 1};
            OwnerFacts facts;
            facts.sinceMs = since;
            owner.recorded = SharedValue(facts);
            return lockOf("redis-queued-locks"_family, "rql:lock:a", {owner}, {gone(id)}, true);
        };
        row("held before", record(endedAt - 60'000), record(endedAt - 60'000), 4, Verdict::Orphan);
        // Its process lived on without heartbeats: they were switched off.
        row("acquired after them", record(endedAt - 10'000), record(endedAt - 10'000), 4, Verdict::Unknown,
            OrphanDoubt::NoHeartbeat);
        const Lock plain = lockOf("redisson"_family, "a", {reader("x:1")}, {gone("x:1")}, true);
        row("no rule", plain, plain, 60, Verdict::Unknown, OrphanDoubt::NoHeartbeat);
    }

    void readings()
    {
        QFETCH(const Lock, first);
        QFETCH(const Lock, second);
        QFETCH(const int, seconds);
        const OrphanFinding finding = orphanFinding(first, second, std::chrono::seconds(seconds));
        QTEST(finding.verdict, "verdict");
        QTEST(finding.doubt, "doubt");
        QCOMPARE(finding.gone.isEmpty(),
                 finding.verdict == Verdict::Alive || finding.verdict == Verdict::Unknown);
    }

    void onlyTheHoldsOfTheGoneEnd()
    {
        const Lock one = fileLock({gone("7_0A")}, false);
        OrphanFinding finding = orphanFinding(one, one, 120s);
        QVERIFY(finding.isPart);
        QCOMPARE(finding.expected, QList{reader("7_0A")});
        const Lock both = fileLock({gone("7_0A"), gone("8_0B")}, true);
        finding = orphanFinding(both, both, 120s);
        QVERIFY(!finding.isPart);
        QCOMPARE(finding.expected, both.owners);
        // Of whom two readings tell the same is gone; the other stopped between them.
        finding = orphanFinding(one, both, 120s);
        QVERIFY(finding.isPart);
        QCOMPARE(finding.expected, QList{reader("7_0A")});
    }

    void theServerMayExplainIt()
    {
        const Lock pool = counter(1, {gone("97c84119d13cb54119a38743", {})}, true);
        QCOMPARE(orphanFinding(pool, pool, 10s, {true, false}).doubt, OrphanDoubt::Evictions);
        QCOMPARE(orphanFinding(pool, pool, 10s, {true, false}).verdict, Verdict::Likely);
        QCOMPARE(orphanFinding(pool, pool, 10s, {false, true}).doubt, OrphanDoubt::Replica);
        const Lock both =
            fileLock({gone("7_0A"), gone("8_0B")}, true); // a member that is there is not evicted
        QCOMPARE(orphanFinding(both, both, 120s, {false, false, true}).verdict, Verdict::Unknown);
        QCOMPARE(orphanFinding(both, both, 120s, {false, false, true}).doubt, OrphanDoubt::WritesRefused);
        const Lock alive = fileLock({}, false);
        QCOMPARE(orphanFinding(both, alive, 120s, {false, false, true}).verdict, Verdict::Alive);
        QCOMPARE(orphanFinding(both, both, 120s, {true, false}).verdict, Verdict::Orphan);
    }
};

QTEST_GUILESS_MAIN(TestOrphans)
#include "tst_orphans.moc"
