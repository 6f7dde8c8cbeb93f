// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/acquirerefusal.h"
#include "core/words/actionpreview.h"
#include "core/words/phrases.h"

#include "core/family/registry.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

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
    CompanionState companions;
    companions.waiters.certainty = WaiterCertainty::Exact;
    companions.waiters.count = queue.size();
    for (const QByteArray &id : queue)
        companions.waiters.queue.append({OwnerId(id), {}});
    lock.companions = CompanionStatePtr(companions);
    return lock;
}

} // namespace

class TestEffects : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aDeadlockSaysWhatEndsIt()
    {
        Lock lock = lockOf("redisson-fair"_family);
        QVERIFY(!previewForceExpire(lock).contains(deadlockRemedy()));
        lock.problems |= Problem::Deadlock;
        QCOMPARE(previewForceExpire(lock).first(), deadlockRemedy());
    }

    /// Where only the user knows whose it is: who might sleep on.
    void candidatesThatSleep()
    {
        Lock lock;
        lock.address.key = LockKey("orders:7");
        lock.family = "token"_family;
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("5f0c8b1e-9d3a-4c55-9b57-0d2f6c1f7a11"), {}, 1}};
        const QString said = previewForceExpire(lock).join(u'\n');
        QVERIFY2(said.contains(QStringLiteral("spring-integration")) &&
                     said.contains(QStringLiteral("Waiters are not woken")),
                 qPrintable(said));
    }

    /// A counted hash may be of Redisson or home-made: who listens to Redisson's channel is not known.
    void whatAnAmbiguousHashIsWokenBy()
    {
        Lock lock = lockOf("reentrant"_family, "lock:orders");
        lock.type = KeyType::Hash;
        const QString said = previewForceExpire(lock).join(u'\n');
        QVERIFY2(said.contains(QStringLiteral("redisson_lock__channel:{lock:orders}")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("is unknown")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Without a grace period")),
                 qPrintable(said)); // else none is sent
        QVERIFY2(!said.contains(QStringLiteral("wakes one")), qPrintable(said));
        const QString certain = previewForceExpire(lockOf("redisson"_family)).join(u'\n');
        QVERIFY2(certain.contains(QStringLiteral("wakes one")), qPrintable(certain));
    }

    /// What is said of the comparison is what the script does.
    void whatComparingAWordProves()
    {
        Lock lock = lockOf("token"_family);
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("processing"), {}, 1}};
        QVERIFY(previewForceExpire(lock).join(u'\n').contains(QStringLiteral("time left is compared")));
        lock.type = KeyType::Hash;
        lock.family = "reentrant"_family;
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
        row("redisson"_family, {text("redisson_lock__channel:{l} wakes one"), text("unlock() throws"),
                                text("grace period has no effect")});
        row("redisson-fair"_family, {text("wait queue is kept"), text("wakes the first subscribed waiter"),
                                     text("its unlock() throws")});
        row("redisson-fenced"_family, {text("fencing counter is kept")});
        row("redisson-read-write"_family,
            {text("redisson_rwlock:{l} wakes all"), text("readers' timeout keys are removed")});
        row("redisson-multi"_family, {text("redisson_lock__channel:{l}")});
        row("redis-py"_family, {text("polling clients find the lock free"), text("Its release will fail"),
                                text("a grace period has no effect")});
        row("redbeat"_family, {text("standby scheduler"), text("exits with an error at its next renewal")});
        row("celery-once"_family, {text("deletes the key unchecked")}, "Its release will fail");
        row("shedlock"_family, {text("deletes the key unchecked"), text("No waiters.")});
        row("quartz"_family, {text("deletes the key unchecked")});
        row("redlock-net"_family, {text("next renewal may write"), text("several servers")},
            "grace period has no effect");
        row("redsync"_family, {text("several servers")});
        row("bullmq"_family, {text("Within about a minute another worker"), text("may still be running")},
            "polling clients find");
        row("python-redis-lock"_family, {text("signal list wakes one"), text("with a grace period, none")});
        row("spring-integration"_family, {text("wakes subscribed registries")});
        row("sidekiq-unique-jobs"_family,
            {text("digest entry are removed"), text("waiting job is woken"), text("does not notice")});
        row("symfony"_family, {text("Its refresh will fail, but not its release")});
        row("redis-semaphore"_family,
            {text("exits at its next renewal"), text("a grace period has no effect")});
        row("rueidislock"_family, {text("notified at once")}, "is not notified");
        row("kombu"_family, {text("does not notice")}, "release will fail");
        row("sidekiq-leader"_family, {text("The holder is not notified and may")}, "does not notice");
        row("node-resque-leader"_family, {text("re-acquires the lock")}, "does not notice");
        row("handoff"_family, {text("handed to the first"), text("fencing counter are kept")});
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

    /// Laravel's scheduled tasks and unique jobs delete the key whoever holds it; its other locks compare.
    void whatANameSaysOfTheRelease()
    {
        const Family laravel = "laravel"_family;
        for (const char *key : {"app:framework/schedule-0123", "framework/command-report",
                                "laravel_cache:laravel_unique_job:App\\Jobs\\Pay:7"}) {
            const QString said = previewForceExpire(lockOf(laravel, key)).join(QLatin1Char(' '));
            QVERIFY2(said.contains(QStringLiteral("deletes the key unchecked")), qPrintable(said));
        }
        for (const char *key : {"laravel_cache:orders", "laravel_cache:laravel-queue-overlap:7"}) {
            const QString said = previewForceExpire(lockOf(laravel, key)).join(QLatin1Char(' '));
            QVERIFY2(said.contains(QStringLiteral("Its release will fail")), qPrintable(said));
        }
    }

    void everyFamilyHasItsSentences()
    {
        for (const Family family : allFamilies()) {
            const QStringList effects = previewForceExpire(lockOf(family));
            QVERIFY(!effects.isEmpty());
            for (const QString &sentence : effects)
                QVERIFY2(sentence.endsWith(QLatin1Char('.')) && !sentence.contains(QLatin1Char('%')),
                         qPrintable(sentence));
            const QString refusal = inWords(acquireRefusal(family));
            const AcquireSupport taking = specOf(family).acquire;
            QCOMPARE(refusal.isEmpty(),
                     taking == AcquireSupport::Supported || taking == AcquireSupport::BypassesQueue);
            QVERIFY2(!refusal.contains(QLatin1Char('%')), qPrintable(refusal));
        }
    }

    void whoWaitsIsNamed()
    {
        const QString fair =
            previewForceExpire(waitedFor("redisson-fair"_family, {"u:\x1b", "u:3"})).join(QLatin1Char(' '));
        QVERIFY2(fair.contains(QStringLiteral("u:\\x1b")), qPrintable(fair));
        QVERIFY2(fair.contains(QStringLiteral("2 waiter")), qPrintable(fair));
        const QString handoff =
            previewForceExpire(waitedFor("handoff"_family, {"u:2"})).join(QLatin1Char(' '));
        QVERIFY2(handoff.contains(QStringLiteral("Queue head: u:2.")), qPrintable(handoff));
    }

    /// Where waiters may be subscribed to other servers, nobody is promised to be dropped.
    void whereSilenceProvesNothing()
    {
        for (const NoSubscribersMeaning silence :
             {NoSubscribersMeaning::Unknown, NoSubscribersMeaning::OtherNodes,
              NoSubscribersMeaning::IsReplica, NoSubscribersMeaning::Replicas}) {
            for (const Family family : {"redisson-fair"_family, "handoff"_family}) {
                Lock lock = waitedFor(family, {"u:2"});
                CompanionState companions = *lock.companions;
                companions.waiters.silence = silence;
                lock.companions = CompanionStatePtr(companions);
                const QString said = previewForceExpire(lock).join(u' ');
                QVERIFY2(said.contains(QStringLiteral("ot subscribed here")), qPrintable(said));
                QVERIFY2(said.contains(silenceInWords(silence)), qPrintable(said));
                QVERIFY2(!said.contains(QStringLiteral("unsubscribed")), qPrintable(said));
                const QString removed = removeWaiterEffect(lock, OwnerId("u:2"));
                QVERIFY2(removed.startsWith(QStringLiteral("No effect: u:2 is not subscribed here")),
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
        for (const Family family : {"redisson-fair"_family, "handoff"_family}) {
            const Lock lock = waitedFor(family, {"u:2"});
            const QString all = previewForceExpire(lock, call).join(QLatin1Char(' '));
            QVERIFY2(all.contains(QStringLiteral("stock-u:2")), qPrintable(all));
            QVERIFY(removeWaiterEffect(lock, OwnerId("u:3"), call).contains(QStringLiteral("stock-u:3 ")));
        }
    }

    void permits()
    {
        Lock lock = lockOf("redisson-semaphore"_family);
        QVERIFY(previewForceExpire(lock).join(u' ').contains(QStringLiteral("cannot be force-expired")));
        CompanionState companions;
        companions.permits = {{OwnerId("0123456789abcdef"), {}}};
        lock.companions = CompanionStatePtr(companions);
        const QString all = previewForceExpire(lock).join(u' ');
        QVERIFY2(all.contains(QStringLiteral("Each permit is returned")) &&
                     all.contains(QStringLiteral("redisson_sc:{l}")) &&
                     all.contains(QStringLiteral("release()")),
                 qPrintable(all));
    }

    void removingAWaiter()
    {
        Lock lock = waitedFor("redisson-fair"_family, {"u:2", "u:3"});
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2"))
                    .contains(QStringLiteral("u:2 is not subscribed, it is removed")));
        QVERIFY(!removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("woken")));
        lock.owners.clear();
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("woken")));
        QVERIFY(!removeWaiterEffect(lock, OwnerId("u:3")).contains(QStringLiteral("woken")));
        lock.family = "handoff"_family;
        QVERIFY(removeWaiterEffect(lock, OwnerId("u:2")).contains(QStringLiteral("at its next attempt")));
    }

    void wakingAQueue()
    {
        Lock lock = waitedFor("redisson-fair"_family, {"u:2", "u:3"});
        lock.owners.clear();
        QVERIFY(wakeEffect(lock).contains(QStringLiteral("wakes the first waiter, u:2.")));
    }
};

QTEST_GUILESS_MAIN(TestEffects)
#include "tst_actionpreview.moc"
