// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/acquirerefusal.h"
#include "core/words/actionpreview.h"
#include "core/words/phrases.h"

#include "core/family/family.h"

#include <QtTest>

Q_DECLARE_METATYPE(lockscope::Family)

using namespace lockscope;

namespace {

Lock lockOf(Family family, const QByteArray &key = "l")
{
    Lock lock;
    lock.family = family;
    lock.address.key = LockKey(key);
    lock.owners = {{OwnerId("u:1"), "1", 1}};
    return lock;
}

Lock waitedFor(Family family, const QList<QByteArray> &queue)
{
    Lock lock = lockOf(family);
    CompanionState beside;
    beside.waiters.certainty = WaiterCertainty::Exact;
    beside.waiters.count = queue.size();
    for (const QByteArray &id : queue)
        beside.waiters.queue.append({OwnerId(id), {}});
    lock.beside = CompanionStatePtr(beside);
    return lock;
}

} // namespace

class TestEffects : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Where only the user knows whose it is: who might sleep on.
    void candidatesThatSleep()
    {
        Lock lock;
        lock.address.key = LockKey("orders:7");
        lock.family = Family::Token;
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("5f0c8b1e-9d3a-4c55-9b57-0d2f6c1f7a11"), {}, 1}};
        const QString said = previewForceExpire(lock).join(u'\n');
        QVERIFY2(said.contains(QStringLiteral("spring-integration")) &&
                     said.contains(QStringLiteral("sleep on")),
                 qPrintable(said));
    }

    /// A counted hash may be of Redisson or home-made: who listens to Redisson's channel is not known.
    void whatAnAmbiguousHashIsWokenBy()
    {
        Lock lock = lockOf(Family::Reentrant, "lock:orders");
        lock.type = KeyType::Hash;
        const QString said = previewForceExpire(lock).join(u'\n');
        QVERIFY2(said.contains(QStringLiteral("redisson_lock__channel:{lock:orders}")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("is not known")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Without a grace period")),
                 qPrintable(said)); // else none is sent
        QVERIFY2(!said.contains(QStringLiteral("wakes one")), qPrintable(said));
        const QString certain = previewForceExpire(lockOf(Family::Redisson)).join(u'\n');
        QVERIFY2(certain.contains(QStringLiteral("wakes one")), qPrintable(certain));
    }

    /// What is said of the comparison is what the script does.
    void whatComparingAWordProves()
    {
        Lock lock = lockOf(Family::Token);
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("processing"), {}, 1}};
        QVERIFY(previewForceExpire(lock).join(u'\n').contains(QStringLiteral("time left is compared")));
        lock.type = KeyType::Hash;
        lock.family = Family::Reentrant;
        QVERIFY(previewForceExpire(lock).join(u'\n').contains(QStringLiteral("time left is compared")));
        lock.leaseOf = LeaseOf::Fields;
        QVERIFY(previewForceExpire(lock).join(u'\n').contains(QStringLiteral("time left is compared")));
    }

    /// What must be said of a family, and what must not.
    void forceExpire_data()
    {
        QTest::addColumn<Family>("family");
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<QString>("notSaid");
        const auto row = [](Family family, const QStringList &said, const char *notSaid = "\n") {
            QTest::newRow(familyName(family)) << family << said << QString::fromLatin1(notSaid);
        };
        const auto text = [](const char *words) { return QString::fromLatin1(words); };
        row(Family::Redisson, {text("redisson_lock__channel:{l} wakes one"), text("unlock() throws"),
                               text("A grace does not last")});
        row(Family::RedissonFair,
            {text("wait queue is kept"), text("stands first"), text("else says nothing")});
        row(Family::RedissonFenced, {text("fencing tokens stays")});
        row(Family::RedissonReadWrite, {text("redisson_rwlock:{l} wakes all"), text("reader's hold go")});
        row(Family::RedissonMulti, {text("redisson_lock__channel:{l}")});
        row(Family::RedisPy, {text("try again by themselves"), text("its release will fail")}, "grace");
        row(Family::Redbeat, {text("standby scheduler")});
        row(Family::CeleryOnce, {text("deletes whatever stands there")}, "release will fail");
        row(Family::ShedLock, {text("deletes whatever stands there"), text("Nobody waits")});
        row(Family::Quartz, {text("deletes whatever stands there")});
        row(Family::RedLockNet, {text("It may not last"), text("several servers")}, "A grace does not last");
        row(Family::Redsync, {text("several servers")});
        row(Family::BullMq, {text("another worker within about a minute"), text("may still run")},
            "try again by themselves");
        row(Family::PythonRedisLock, {text("signal list wakes one"), text("Nothing is pushed when a grace")});
        row(Family::SpringIntegration, {text("named like the key")});
        row(Family::SidekiqUniqueJobs,
            {text("index of digests go"), text("A waiting job is woken"), text("never learns")});
        row(Family::Symfony, {text("next renewal fails")});
        row(Family::Handoff, {text("handed to the first"), text("fencing tokens are kept")});
    }
    void forceExpire()
    {
        QFETCH(const Family, family);
        QFETCH(const QStringList, said);
        QFETCH(const QString, notSaid);
        const QString all = previewForceExpire(lockOf(family)).join(QLatin1Char(' '));
        for (const QString &words : said)
            QVERIFY2(all.contains(words), qPrintable(all));
        QVERIFY2(!all.contains(notSaid), qPrintable(all));
    }

    void everyFamilyHasItsSentences()
    {
        for (int i = 0; i < lockscope::families; ++i) {
            const auto family = static_cast<Family>(i);
            const QStringList effects = previewForceExpire(lockOf(family));
            QVERIFY(!effects.isEmpty());
            for (const QString &sentence : effects)
                QVERIFY2(sentence.endsWith(QLatin1Char('.')) && !sentence.contains(QLatin1Char('%')),
                         qPrintable(sentence));
            const QString refusal = inWords(acquireRefusal(family));
            const AcquireSupport taking = factsOf(family).taking;
            QCOMPARE(refusal.isEmpty(),
                     taking == AcquireSupport::Supported || taking == AcquireSupport::BypassesQueue);
            QVERIFY2(!refusal.contains(QLatin1Char('%')), qPrintable(refusal));
        }
    }

    void whoWaitsIsNamed()
    {
        const QString fair =
            previewForceExpire(waitedFor(Family::RedissonFair, {"u:\x1b", "u:3"})).join(QLatin1Char(' '));
        QVERIFY2(fair.contains(QStringLiteral("u:\\x1b")), qPrintable(fair));
        QVERIFY2(fair.contains(QStringLiteral("2 wait")), qPrintable(fair));
        const QString handoff =
            previewForceExpire(waitedFor(Family::Handoff, {"u:2"})).join(QLatin1Char(' '));
        QVERIFY2(handoff.contains(QStringLiteral("u:2 is next")), qPrintable(handoff));
    }

    /// Where waiters may be subscribed to other servers, nobody is promised to be dropped.
    void whereSilenceProvesNothing()
    {
        for (const Silence silence :
             {Silence::Unknown, Silence::OtherNodes, Silence::IsReplica, Silence::Replicas}) {
            for (const Family family : {Family::RedissonFair, Family::Handoff}) {
                Lock lock = waitedFor(family, {"u:2"});
                CompanionState beside = *lock.beside;
                beside.waiters.silence = silence;
                lock.beside = CompanionStatePtr(beside);
                const QString said = previewForceExpire(lock).join(u' ');
                QVERIFY2(said.contains(QStringLiteral("not heard here")), qPrintable(said));
                QVERIFY2(said.contains(silenceInWords(silence)), qPrintable(said));
                QVERIFY2(!said.contains(QStringLiteral("unsubscribed")), qPrintable(said));
                const QString removed = removeWaiterEffect(lock, OwnerId("u:2"));
                QVERIFY2(removed.startsWith(QStringLiteral("No effect: u:2 is not heard here")),
                         qPrintable(removed));
            }
        }
    }

    /// Where people gave names, by these.
    void byTheNamesThatPeopleGave()
    {
        const OwnerLabeler call = [](const OwnerId &id) {
            return QStringLiteral("stock-") + QString::fromUtf8(id.bytes);
        };
        for (const Family family : {Family::RedissonFair, Family::Handoff}) {
            const Lock lock = waitedFor(family, {"u:2"});
            const QString all = previewForceExpire(lock, call).join(QLatin1Char(' '));
            QVERIFY2(all.contains(QStringLiteral("stock-u:2")), qPrintable(all));
            QVERIFY(removeWaiterEffect(lock, OwnerId("u:3"), call).startsWith(QStringLiteral("stock-u:3 ")));
        }
    }

    void permits()
    {
        Lock lock = lockOf(Family::RedissonSemaphore);
        QVERIFY(previewForceExpire(lock).join(u' ').contains(QStringLiteral("can't be ended")));
        CompanionState beside;
        beside.permits = {{OwnerId("0123456789abcdef"), {}}};
        lock.beside = CompanionStatePtr(beside);
        const QString all = previewForceExpire(lock).join(u' ');
        QVERIFY2(all.contains(QStringLiteral("count of free ones")) &&
                     all.contains(QStringLiteral("redisson_sc:{l}")) &&
                     all.contains(QStringLiteral("release()")),
                 qPrintable(all));
    }

    void removingAWaiter()
    {
        Lock lock = waitedFor(Family::RedissonFair, {"u:2", "u:3"});
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("u:2 leaves the queue")));
        QVERIFY(!removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("woken")));
        lock.owners.clear();
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("woken")));
        QVERIFY(!removeWaiterEffect(lock, OwnerId("u:3")).contains(QStringLiteral("woken")));
        lock.family = Family::Handoff;
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("its own next try")));
    }
};

QTEST_GUILESS_MAIN(TestEffects)
#include "tst_actionpreview.moc"
