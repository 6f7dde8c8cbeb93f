// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownergroup.h"

#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class OwnerGroupTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void anIdLeadsAsFarAsItTells()
    {
        using Names = OwnerGroup::Names;
        const LockKey key("order:1");
        const OwnerId thread(client + ":12");
        const Family redisson = "redisson"_family, resque = "node-resque"_family, plain = "redis-py"_family;
        const auto of = [&](OwnerGrouping by, Family family, const OwnerId &id) {
            return ownerGroup(by, family, key, id);
        };
        QCOMPARE(of(OwnerGrouping::Owner, redisson, thread), (OwnerGroup{Names::Owner, thread.bytes}));
        QCOMPARE(of(OwnerGrouping::Process, redisson, thread), (OwnerGroup{Names::Process, client}));
        // No host is told: the process stands for itself.
        QCOMPARE(of(OwnerGrouping::Host, redisson, thread), (OwnerGroup{Names::Process, client}));
        const OwnerId worker("shop-7:4711");
        QCOMPARE(of(OwnerGrouping::Process, resque, worker), (OwnerGroup{Names::Process, "shop-7 4711"}));
        QCOMPARE(of(OwnerGrouping::Host, resque, worker), (OwnerGroup{Names::Host, "shop-7"}));
        const OwnerId random("4b1f6f7f3f10aa00112233445566778a");
        QCOMPARE(of(OwnerGrouping::Process, plain, random).names, Names::Owner);
        QCOMPARE(of(OwnerGrouping::Host, plain, random).names, Names::Owner);
        // A host alone is no process.
        QCOMPARE(
            of(OwnerGrouping::Process, "shedlock"_family, OwnerId("ADDED:2026-01-31T14:05:00.000Z@shop-7")),
            (OwnerGroup{Names::Host, "shop-7"}));
    }

    /// "locked" and "1" are what many write: nobody holds all of these locks.
    void aWeakTokenNamesNobody()
    {
        const WatchedLock constant = token("a", 20s, "locked");
        QCOMPARE(holderGroup(OwnerGrouping::Owner, constant.lock, OwnerId("locked")), OwnerGroup());
        const WatchedLock number = token("a", 20s, "4711");
        QCOMPARE(holderGroup(OwnerGrouping::Process, number.lock, OwnerId("4711")), OwnerGroup());
        const WatchedLock id = token("a");
        QCOMPARE(holderGroup(OwnerGrouping::Owner, id.lock, id.lock.owners.first().owner).names,
                 OwnerGroup::Names::Owner);
    }
};

QTEST_APPLESS_MAIN(OwnerGroupTest)
#include "tst_ownergroup.moc"
