// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownergroup.h"

#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

/// JSON, its quotes written as apostrophes.
QByteArray quoted(QByteArray text)
{
    return text.replace('\'', '"');
}

} // namespace

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
        const Family redisson = "redisson"_family, resque = "node-resque-leader"_family,
                     plain = "redis-py"_family;
        const auto of = [&](OwnerGrouping by, Family family, const OwnerId &id) {
            return ownerGroup(by, family, key, id);
        };
        QCOMPARE(of(OwnerGrouping::Owner, redisson, thread), (OwnerGroup{Names::Owner, thread.bytes}));
        QCOMPARE(of(OwnerGrouping::Process, redisson, thread), (OwnerGroup{Names::Process, client}));
        // No host is told: the process stands for itself.
        QCOMPARE(of(OwnerGrouping::Host, redisson, thread), (OwnerGroup{Names::Process, client}));
        const OwnerId worker("shop-7:4711");
        QCOMPARE(of(OwnerGrouping::Process, resque, worker),
                 (OwnerGroup{Names::Process, "shop-7 4711", resque}));
        QCOMPARE(of(OwnerGrouping::Host, resque, worker), (OwnerGroup{Names::Host, "shop-7"}));
        const OwnerId random("4b1f6f7f3f10aa00112233445566778a");
        QCOMPARE(of(OwnerGrouping::Process, plain, random).names, Names::Owner);
        QCOMPARE(of(OwnerGrouping::Host, plain, random).names, Names::Owner);
        // A host alone is no process.
        const OwnerId job("ADDED:2026-01-31T14:05:00.000Z@shop-7");
        const Family shedlock = "shedlock"_family;
        QCOMPARE(of(OwnerGrouping::Process, shedlock, job), (OwnerGroup{Names::Owner, job.bytes, shedlock}));
        QCOMPARE(of(OwnerGrouping::Host, shedlock, job), (OwnerGroup{Names::Host, "shop-7"}));
        // Nor is number 1, which every container has.
        const OwnerId first("shop-7:1");
        QCOMPARE(of(OwnerGrouping::Process, resque, first), (OwnerGroup{Names::Owner, first.bytes, resque}));
        QCOMPARE(of(OwnerGrouping::Host, resque, first), (OwnerGroup{Names::Host, "shop-7"}));
    }

    /// What an application calls a worker, a service or a scheduler is no process, whatever it looks like.
    void namesThatApplicationsGiveJoinNobody()
    {
        using Names = OwnerGroup::Names;
        const Family token = "token"_family, quartz = "quartz"_family;
        const auto of = [](Family family, const QByteArray &id, const QByteArray &key = "trigger_lock:g:n") {
            return ownerGroup(OwnerGrouping::Process, family, LockKey(key), OwnerId(id));
        };
        QCOMPARE(of(token, quoted("{'worker':'1','host':'a','pid':7}")),
                 (OwnerGroup{Names::Process, "a 7", token}));
        QCOMPARE(of(token, quoted("{'worker':'1','host':'b','pid':9}")),
                 (OwnerGroup{Names::Process, "b 9", token}));
        for (const QByteArray &id :
             {quoted("{'owner':'billing'}"), QByteArray(quoted("{'owner':'" + client + "'}")),
              quoted("{'worker':'1','host':'a','pid':1}"), quoted("{'host':'a','pid':'7 1'}")})
            QCOMPARE(of(token, id), (OwnerGroup{Names::Owner, id, token}));
        QCOMPARE(of(quartz, "NON_CLUSTERED"), (OwnerGroup{Names::Owner, "NON_CLUSTERED", quartz}));
        // The same words in another family are another's.
        QVERIFY(of(quartz, "worker-1") != of(token, "worker-1"));
        QVERIFY(of("redisson"_family, client + ":1") == of("redisson-fair"_family, client + ":2"));
        // An application's field may be named so, and mean something else.
        const auto host = [](Family family, const QByteArray &id) {
            return ownerGroup(OwnerGrouping::Host, family, LockKey("k"), OwnerId(id));
        };
        QVERIFY(host(token, quoted("{'server':'shop-7','pid':7}")) != host("node-resque"_family, "shop-7:7"));
    }

    /// Of which one lock is no sign for another.
    void severalProcesses()
    {
        using Names = OwnerGroup::Names;
        QVERIFY(mayBeSeveral({Names::Host, "shop-7"}, 1));
        QVERIFY(mayBeSeveral({}, 1));
        QVERIFY(!mayBeSeveral({Names::Process, client}, 9));
        const OwnerId service(quoted("{'owner':'billing'}")), thread(client + ":1");
        const auto of = [](Family family, const OwnerId &id) {
            return ownerGroup(OwnerGrouping::Owner, family, LockKey("k"), id);
        };
        QVERIFY(mayBeSeveral(of("token"_family, service), 2));
        QVERIFY(!mayBeSeveral(of("token"_family, service), 1));
        QVERIFY(!mayBeSeveral(of("redisson"_family, thread), 9));
    }

    void belongsAsItsHolderDoes()
    {
        const WatchedLock number = token("a", 20s, "4711");
        const OwnerId id("4711");
        QVERIFY(belongsTo(OwnerGroup(), OwnerGrouping::Owner, number.lock, id));
        QVERIFY(!belongsTo({OwnerGroup::Names::Owner, "4711", "token"_family}, OwnerGrouping::Owner,
                           number.lock, id));
        const WatchedLock thread = redisson("b");
        const OwnerGroup process{OwnerGroup::Names::Process, client};
        QVERIFY(belongsTo(process, OwnerGrouping::Process, thread.lock, OwnerId(client + ":12")));
        QVERIFY(belongsTo(process, OwnerGrouping::Process, thread.lock, OwnerId(client + ":13")));
        QVERIFY(!belongsTo(process, OwnerGrouping::Process, thread.lock, OwnerId(otherClient + ":12")));
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
