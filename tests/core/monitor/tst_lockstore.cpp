// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"

#include "core/model/names.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);

/// A reading with bytes of its own, as each comes from the server.
Inspection reading(const char *key, const char *owner, qint64 holds = 1, milliseconds ttl = 30s,
                   TimePoint at = start)
{
    Lock lock;
    lock.address.key = LockKey(QByteArray(key));
    lock.family = "reentrant"_family;
    lock.owners = {{OwnerId(QByteArray(owner)), QByteArray::number(holds), holds}};
    lock.ttl = ttl;
    lock.deadline = Deadline::fromPttl(ttl, at, at);
    lock.readAt = at;
    return {lock.address.key, lock};
}

/// "released:anna acquired:otto": what was told since it was last asked, and whose.
QByteArray reported(LockStore &store)
{
    QByteArrayList words;
    for (const LockEvent &event : store.takeChanges().events) {
        QByteArrayList owners;
        for (const LockOwner &holder : event.owners)
            owners << holder.owner.bytes;
        words << eventName(event.kind) + QByteArray(":") + owners.join(',');
    }
    return words.join(' ');
}

/// A value under a lock's name that looks like no lock.
Inspection noLock(const char *key, const char *value, TimePoint at)
{
    Inspection none = reading(key, value, 1, 30s, at);
    none.lock->family = "unknown"_family;
    none.lock->type = KeyType::String;
    return none;
}

/// Several hold it, each once.
Inspection shared(const char *key, const QByteArrayList &owners, TimePoint at)
{
    Inspection several = reading(key, "", 1, 30s, at);
    several.lock->owners.clear();
    for (const QByteArray &owner : owners)
        several.lock->owners.append({OwnerId(owner), "1", 1, HoldMode::Read});
    return several;
}

const char *bytesOfOwner(const WatchedLock &lock)
{
    return lock.lock.owners.first().owner.bytes.constData();
}

} // namespace

class LockStoreTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// A pass that keeps none tells each once, and takes back what was there before it began anew.
    void aPassThatKeepsNone()
    {
        constexpr bool keepsLocks = false;
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, false);
        store.apply(noLock("lock:b", "text", start), start, false);
        const LockDiff first = store.takeChanges(keepsLocks);
        QCOMPARE(first.changed.size(), 2);
        QVERIFY(!first.withdrawn);
        QCOMPARE(store.size(), 0);
        QCOMPARE(store.met(), 1);
        QCOMPARE(store.metHidden(), 1);
        QVERIFY(!store.nextExpiry() && !store.oldestRead(true));
        store.apply(reading("lock:c", "web-1:7"), start, false); // of the server that was flushed then
        store.beginGap();
        store.apply(reading("lock:d", "web-1:7"), start, false);
        const LockDiff second = store.takeChanges(keepsLocks);
        QVERIFY(second.withdrawn && second.withdrawn(LockKey("lock:a")));
        QCOMPARE(second.changed.size(), 1);
        QCOMPARE(second.changed.first().key().bytes, "lock:d");
        QCOMPARE(store.met(), 1);
        QCOMPARE(store.metHidden(), 0);
        store.endAll(EventKind::Flushed, start);
        QVERIFY(store.takeChanges(keepsLocks).withdrawn);
        store.beginGap();
        QVERIFY(!store.takeChanges().withdrawn);
    }

    void anOwnerIsKeptOnce()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        store.apply(reading("lock:b", "web-1:7"), start, true);
        store.apply(reading("lock:c", "web-1:7", 3), start, true);
        store.apply(reading("lock:d", "web-2:7"), start, true);
        const char *owner = bytesOfOwner(*store.find(LockKey("lock:a")));
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:b")))), owner);
        QVERIFY(store.find(LockKey("lock:b"))
                    ->lock.owners.isSharedWith(store.find(LockKey("lock:a"))->lock.owners));
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:c")))), owner);
        QVERIFY(bytesOfOwner(*store.find(LockKey("lock:d"))) != owner);
        QCOMPARE(store.find(LockKey("lock:c"))->lock.owners.first().holdCount, 3);
        const LockDiff diff = store.takeChanges();
        for (const WatchedLock &lock : diff.changed) {
            if (lock.key().bytes != "lock:d")
                QCOMPARE(static_cast<const void *>(bytesOfOwner(lock)), owner);
        }
    }

    void readAgainItsBytesAreThoseThatWereThere()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        const char *key = store.find(LockKey("lock:a"))->key().bytes.constData();
        const char *owner = bytesOfOwner(*store.find(LockKey("lock:a")));
        store.apply(reading("lock:a", "web-1:7", 1, 60s, start + 1s), start + 1s, true);
        QCOMPARE(static_cast<const void *>(store.find(LockKey("lock:a"))->key().bytes.constData()), key);
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:a")))), owner);
        QCOMPARE(store.find(LockKey("lock:a"))->renewals, 1);
    }

    void aLockThatWasHeldBeforeIsAsOldAsItsOwnerSays()
    {
        const auto stored = [](const char *key, const char *owner, TimePoint at) {
            Inspection read = reading(key, owner, 1, 30s, at);
            OwnerFacts facts;
            facts.sinceMs = QDateTime::currentMSecsSinceEpoch() - 3'600'000;
            read.lock->owners.first().recorded = SharedValue(facts);
            return read;
        };
        const auto heldFor = [](const LockStore &store, TimePoint at) {
            return std::chrono::round<std::chrono::minutes>(at - store.find(LockKey("lock:a"))->heldSince);
        };
        LockStore store;
        const Inspection first = stored("lock:a", "anna", start);
        store.apply(first, start, true);
        QCOMPARE(heldFor(store, start), 60min);
        const TimePoint since = store.find(LockKey("lock:a"))->heldSince;
        Inspection again = first;
        again.lock->readAt = start + 1s;
        store.apply(again, start + 1s, true);
        QCOMPARE(store.find(LockKey("lock:a"))->heldSince, since);
        store.endGap();
        store.apply(stored("lock:a", "berta", start + 2s), start + 2s, true); // which was seen
        QCOMPARE(heldFor(store, start + 2s), 0min);
    }

    void aJobTellsLaterSinceWhenItRuns()
    {
        LockStore store;
        store.apply(reading("lock:a", "anna"), start, true);
        CompanionState companions;
        companions.startedMs = QDateTime::currentMSecsSinceEpoch() - 3'600'000;
        store.applyCompanions(LockKey("lock:a"), companions, start);
        QCOMPARE(std::chrono::round<std::chrono::minutes>(start - store.find(LockKey("lock:a"))->heldSince),
                 60min);
    }

    /// What was not pushed happened at some time since the lock was read before.
    void whatWasNotPushedHappenedEarlier()
    {
        const auto unseen = [](LockStore &store) {
            const LockDiff diff = store.takeChanges();
            return diff.events.isEmpty() ? milliseconds(-1) : diff.events.first().unseenFor;
        };
        LockStore store;
        store.endGap();
        store.apply(reading("lock:a", "anna"), start, false);
        QCOMPARE(unseen(store), milliseconds::max()); // nobody had looked at its key
        store.apply(reading("lock:a", "anna", 1, 29s, start + 1s), start + 1s, false);
        store.apply(reading("lock:a", "berta", 1, 30s, start + 3s), start + 3s, false);
        QCOMPARE(unseen(store), milliseconds(2s));
        store.apply(reading("lock:b", "anna"), start, true);
        QCOMPARE(unseen(store), milliseconds(0));
        store.apply({LockKey("lock:b"), {}}, start + 3s, true);
        QCOMPARE(unseen(store), milliseconds(0));
    }

    /// Whoever was told of a lock is told of its end, also where something else stands under its name then.
    void aLockThatBecomesNone()
    {
        LockStore store;
        store.endGap();
        store.apply(reading("lock:a", "anna"), start, true);
        QCOMPARE(reported(store), "acquired:anna");
        store.apply(noLock("lock:a", "unlocked", start + 1s), start + 1s, true);
        QCOMPARE(reported(store), "released:anna");
        store.apply(noLock("lock:a", "unlocked", start + 1s), start + 2s, true);
        store.apply({LockKey("lock:a"), {}}, start + 3s, true);
        QCOMPARE(reported(store), "");
        store.apply(reading("lock:b", "anna", 1, 1s, start), start, true);
        store.apply(noLock("lock:b", "unlocked", start + 2s), start + 2s, true);
        QCOMPARE(reported(store), "acquired:anna expired:anna");
        store.apply(reading("lock:c", "anna"), start, true);
        QCOMPARE(reported(store), "acquired:anna");
        store.beginGap();
        store.apply(noLock("lock:c", "unlocked", start + 4s), start + 4s, true);
        QCOMPARE(reported(store), "vanished:anna");
        QCOMPARE(store.vanished(), 1);
    }

    /// And nobody is told of a change of what he has never heard of.
    void whatWasNoLockIsTaken()
    {
        LockStore store;
        store.endGap();
        store.apply(noLock("lock:a", "unlocked", start), start, true);
        QCOMPARE(reported(store), "");
        store.apply(reading("lock:a", "anna", 1, 60s, start + 1s), start + 1s, true);
        QCOMPARE(reported(store), "acquired:anna");
        // The same value with a new lease: that there is somebody shows only now.
        store.apply(noLock("lock:b", "{}", start), start, true);
        store.apply(noLock("lock:b", "{}", start + 5s), start + 5s, true);
        QCOMPARE(reported(store), "found:{} renewed:{}");
        store.apply(noLock("lock:c", "unlocked", start), start, true);
        store.beginGap();
        store.apply(reading("lock:c", "anna", 1, 60s, start + 1s), start + 1s, true);
        QCOMPARE(reported(store), "found:anna");
    }

    void whoComesAndGoesIsNamed()
    {
        LockStore store;
        store.endGap();
        store.apply(shared("lock:a", {"u1"}, start), start, true);
        store.apply(shared("lock:a", {"u1", "u2"}, start), start + 1s, true);
        store.apply(shared("lock:a", {"u1"}, start), start + 2s, true);
        QCOMPARE(reported(store), "acquired:u1 acquired:u2 released:u2");
        store.apply(shared("lock:a", {"u1", "u3", "u4"}, start), start + 3s, true);
        store.apply(shared("lock:a", {"u2", "u4"}, start), start + 4s, true);
        QCOMPARE(reported(store), "acquired:u3 acquired:u4 released:u1 released:u3 acquired:u2");
        store.apply(shared("lock:a", {"u4", "u2"}, start), start + 5s, true); // in another order
        QCOMPARE(reported(store), "");
        Inspection again = shared("lock:a", {"u4", "u2"}, start);
        again.lock->owners[1].holdCount = 2;
        again.lock->owners[1].rawHoldCount = "2";
        store.apply(again, start + 6s, true);
        QCOMPARE(reported(store), "reentered:u2");
        store.apply(shared("lock:a", {"u8", "u9"}, start), start + 7s, true);
        QCOMPARE(reported(store), "owner-changed:u8,u9");
        store.apply({LockKey("lock:a"), {}}, start + 8s, true);
        QCOMPARE(reported(store), "released:u8,u9");
    }

    /// That somebody stands in its queue is no sign that anybody has renewed the lock.
    void aQueueIsNoRenewal()
    {
        LockStore store;
        store.recordQueue({LockKey("lock:a"), 0}, "redisson-fair"_family, start);
        Inspection fair = reading("lock:a", "web-1:7");
        fair.lock->family = "redisson-fair"_family;
        fair.lock->type = KeyType::Hash;
        fair.lock->evidence.set(Evidence::Content);
        store.apply(fair, start, true);
        const EvidenceSet evidence = store.find(LockKey("lock:a"))->lock.evidence;
        QVERIFY(evidence.has(Evidence::Content));
        QVERIFY(!evidence.has(Evidence::Renewals));
    }

    /// A hundred thousand locks for which nobody waits share one.
    void whatStandsBesideMostLocksIsKeptOnce()
    {
        LockStore store;
        CompanionState nobody;
        nobody.waiters.certainty = WaiterCertainty::AtLeast;
        for (const char *key : {"lock:a", "lock:b", "lock:c"}) {
            store.apply(reading(key, "web-1:7"), start, true);
            QVERIFY(store.applyCompanions(LockKey(key), nobody, Clock::now()));
        }
        const auto companionOf = [&](const char *key) { return &*store.find(LockKey(key))->lock.companions; };
        QCOMPARE(companionOf("lock:b"), companionOf("lock:a"));
        CompanionState one = nobody;
        one.waiters.count = 1;
        QVERIFY(store.applyCompanions(LockKey("lock:b"), one, Clock::now()));
        QVERIFY(store.applyCompanions(LockKey("lock:c"), nobody, Clock::now()));
        QCOMPARE(companionOf("lock:c"), companionOf("lock:a"));
        QVERIFY(store.applyCompanions(LockKey("lock:a"), CompanionState(), Clock::now()));
        QVERIFY(!store.find(LockKey("lock:a"))->lock.companions);
        QVERIFY(!store.applyCompanions(LockKey("lock:d"), one, Clock::now()));
    }

    void theNextHolderHasAHeartbeatOfItsOwn()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        CompanionState dead;
        dead.heartbeat.state = Heartbeat::State::Dead;
        QVERIFY(store.applyCompanions(LockKey("lock:a"), dead, Clock::now()));
        store.apply(reading("lock:a", "web-1:7"), start, true);
        QVERIFY(store.find(LockKey("lock:a"))->problems().testFlag(Problem::HolderDead));
        store.apply(reading("lock:a", "web-2:7"), start, true);
        QVERIFY(!store.find(LockKey("lock:a"))->problems().testFlag(Problem::HolderDead));
        QCOMPARE(store.find(LockKey("lock:a"))->lock.companions->heartbeat, Heartbeat());
    }

    void onlyWhatDiffersIsToldOfWhatStandsBeside()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        CompanionState companions;
        companions.implied.insert("redisson-fair"_family);
        companions.waiters = {
            WaiterCertainty::Exact, 2, {{OwnerId("web-2:7"), {}, {}, {}}, {OwnerId("web-3:7"), {}, {}, {}}}};
        store.applyCompanions(LockKey("lock:a"), companions, Clock::now());
        store.takeChanges();
        store.applyCompanions(LockKey("lock:a"), companions, Clock::now());
        store.apply(reading("lock:a", "web-1:7", 1, 29s, start + 1s), start + 1s, true);
        QVERIFY(!store.hasChanges());
        QCOMPARE(store.find(LockKey("lock:a"))->lock.companions->waiters.count, 2);
        // The first one's turn has come: it holds the lock, and waits no more.
        store.apply(reading("lock:a", "web-2:7", 1, 30s, start + 2s), start + 2s, true);
        QCOMPARE(store.takeChanges().events.value(0).kind, EventKind::OwnerChanged);
        QCOMPARE(store.find(LockKey("lock:a"))->lock.companions->waiters.count, 1);
        QCOMPARE(store.find(LockKey("lock:a"))->lock.companions->waiters.queue.value(0).id,
                 OwnerId("web-3:7"));
        // That there was a queue is known as long as the lock is.
        store.applyCompanions(LockKey("lock:a"), CompanionState(), Clock::now());
        QVERIFY(store.find(LockKey("lock:a"))->lock.companions->implied.contains("redisson-fair"_family));
    }

    /// Who takes a permit, or gives it back, is told of; that a number is a semaphore is no event.
    void permitsOfASemaphore()
    {
        LockStore store;
        Inspection number = reading("s", "3");
        number.lock->family = "token"_family;
        number.lock->type = KeyType::String;
        store.apply(number, start, true);
        store.takeChanges();
        CompanionState companions;
        companions.implied.insert("redisson-semaphore"_family);
        const QByteArray first = "0123456789abcdef";
        const QByteArray second = "fedcba9876543210";
        companions.permits = {{OwnerId(first), {}}};
        companions.freePermits = "3";
        const auto owners = [&] {
            QByteArrayList ids;
            for (const LockOwner &holder : store.find(LockKey("s"))->lock.owners)
                ids << holder.owner.bytes;
            return ids;
        };
        QVERIFY(store.applyCompanions(LockKey("s"), companions, start + 1s));
        QCOMPARE(owners(), QByteArrayList{first});
        QCOMPARE(store.takeChanges().events.size(), 0);
        QCOMPARE(store.find(LockKey("s"))->heldSince, start);

        store.apply(number, start + 2s, true); // its number alone says nothing of them
        QCOMPARE(owners(), QByteArrayList{first});
        QCOMPARE(store.takeChanges().events.size(), 0);

        companions.permits.append({OwnerId(second), {}});
        QVERIFY(store.applyCompanions(LockKey("s"), companions, start + 3s));
        QCOMPARE(owners(), (QByteArrayList{first, second}));
        QCOMPARE(reported(store), "acquired:" + second);
        QCOMPARE(store.find(LockKey("s"))->heldSince, start + 3s);

        companions.permits.clear();
        companions.freePermits = "5";
        QVERIFY(store.applyCompanions(LockKey("s"), companions, start + 4s));
        QCOMPARE(reported(store), "released:" + first + " released:" + second);
        QCOMPARE(owners(), QByteArrayList{"5"});
        // Without permits a reading has the newest number.
        number.lock->owners[0].owner = OwnerId("4");
        store.apply(number, start + 5s, true);
        QCOMPARE(owners(), QByteArrayList{"4"});
        number.lock->owners[0].owner = OwnerId("-4");
        store.apply(number, start + 6s, true);
        QCOMPARE(owners(), QByteArrayList{"-4"});
        QCOMPARE(store.find(LockKey("s"))->lock.family, "redisson-semaphore"_family);

        // Gone with its permits: who comes then has not those.
        companions.permits = {{OwnerId(first), {}}};
        QVERIFY(store.applyCompanions(LockKey("s"), companions, start + 7s));
        store.apply({LockKey("s"), {}}, start + 8s, true);
        store.apply(number, start + 9s, true);
        QCOMPARE(owners(), QByteArrayList{"-4"});
    }

    /// The reading that is to confirm it may be lost with its connection, or refused: it is asked for again, not for ever.
    void anOrphanIsDoubtedAgain()
    {
        LockStore store;
        const LockKey key("lock:a");
        store.recordQueue({key, 0}, "redisson-fair"_family, start);
        CompanionState queue;
        queue.implied.insert("redisson-fair"_family);
        queue.waiters = {WaiterCertainty::Exact, 1, {{OwnerId("web-2:7"), {}, {}, {}}}};
        int asked = 0;
        int looks = 0;
        for (; !store.orphanCandidates(10).isEmpty() && looks < 1000; ++looks) {
            store.applyRemnant(key, queue, start + looks * 1s);
            asked += static_cast<int>(store.takeSuspectedOrphans().size());
        }
        QVERIFY2(asked >= 3 && asked < 10, QByteArray::number(asked).constData());
        QVERIFY2(looks < 100, QByteArray::number(looks).constData());

        store.recordQueue({key, 0}, "redisson-fair"_family, start);
        for (int i = 0; i < 4; ++i)
            store.applyRemnant(key, queue, start + i * 1s);
        QCOMPARE(store.takeSuspectedOrphans(), QList<LockKey>{key});
        store.apply({key, {}}, start + 5s, true);
        QVERIFY(store.find(key) && store.find(key)->lock.problems == Problem::Orphaned);
        // Its queue may bear the other name as well: one row for one queue.
        store.recordQueue({LockKey("{lock:a}"), 0}, "redisson-fair"_family, start + 6s);
        QVERIFY(store.orphanCandidates(10).isEmpty());
    }

    /// Until it is read again, more may wait than are known; while holders change, that is so after each reading.
    void aQueueIsOldWhenTheHolderChanges()
    {
        LockStore store;
        const auto waiters = [&] { return store.find(LockKey("lock:a"))->lock.companions->waiters; };
        CompanionState companions;
        companions.implied.insert("redisson-fair"_family);
        companions.waiters = {
            WaiterCertainty::Exact, 2, {{OwnerId("web-2:7"), {}, {}, {}}, {OwnerId("web-3:7"), {}, {}, {}}}};
        store.apply(reading("lock:a", "web-1:7"), start, true);
        store.applyCompanions(LockKey("lock:a"), companions, start);
        QCOMPARE(waiters().certainty, WaiterCertainty::Exact);
        store.apply(reading("lock:a", "web-1:7", 2), start + 1s, true);
        QCOMPARE(waiters().certainty, WaiterCertainty::Exact);
        store.apply(reading("lock:a", "web-2:7"), start + 2s, true);
        QCOMPARE(waiters().certainty, WaiterCertainty::AtLeast);
        QCOMPARE(waiters().count, 1);
        companions.waiters.queue.removeFirst();
        --companions.waiters.count;
        store.applyCompanions(LockKey("lock:a"), companions, start + 2s);
        QCOMPARE(waiters().certainty, WaiterCertainty::AtLeast);
        store.applyCompanions(LockKey("lock:a"), companions, start + 3s);
        QCOMPARE(waiters().certainty, WaiterCertainty::Exact);
        // Also where it was nobody's for a moment.
        store.apply({LockKey("lock:a"), {}}, start + 4s, true);
        store.apply(reading("lock:a", "web-4:7"), start + 4s, true);
        QCOMPARE(waiters().certainty, WaiterCertainty::AtLeast);
        store.applyCompanions(LockKey("lock:a"), companions, start + 4s);
        QCOMPARE(waiters().certainty, WaiterCertainty::AtLeast);
    }

    /// What stood beside a lock says nothing of a token that another program wrote under its name.
    void writtenAnewAsSomethingElse()
    {
        LockStore store;
        CompanionState companions;
        companions.implied.insert("redisson-fair"_family);
        companions.waiters = {WaiterCertainty::Exact, 1, {{OwnerId("web-2:7"), {}, {}, {}}}};
        store.recordQueue({LockKey("lock:a"), 0}, "redisson-fair"_family, start);
        Inspection token = reading("lock:a", "a token");
        token.lock->family = "redis-py"_family;
        token.lock->type = KeyType::String;
        store.apply(token, start, true);
        QVERIFY(!store.find(LockKey("lock:a"))->lock.companions);
        store.apply(reading("lock:a", "web-1:7"), start + 1s, true);
        QVERIFY(store.applyCompanions(LockKey("lock:a"), companions, start + 1s));
        store.apply(token, start + 2s, true);
        QVERIFY(!store.find(LockKey("lock:a"))->lock.companions);
    }

    /// The length of a hold is told with its end, where nothing of it was missed.
    void wholeHoldsAreMeasured()
    {
        LockStore store;
        TimePoint at = start;
        const auto heldAfter = [&](const Inspection &next, bool isPushed = true) {
            store.apply(next, at, isPushed);
            const QList<LockEvent> events = store.takeChanges().events;
            return events.isEmpty() ? std::nullopt : std::optional<milliseconds>(events.last().held);
        };
        const auto later = [&](milliseconds by) { at += by; };
        const auto gone = [] { return Inspection{LockKey("lock:a"), {}}; };
        QVERIFY(!heldAfter(reading("lock:a", "anna", 1, 30s, at)));
        later(1s);
        QVERIFY(!heldAfter(gone())); // it was only found
        store.endGap();
        QVERIFY(!heldAfter(reading("lock:a", "anna", 1, 30s, at)));
        later(1s);
        QVERIFY(!heldAfter(reading("lock:a", "anna", 2, 29s, at))); // re-entered: it goes on
        later(2s);
        QCOMPARE(heldAfter(gone()), 3s);
        QVERIFY(!heldAfter(reading("lock:a", "anna", 1, 30s, at)));
        later(4s);
        QCOMPARE(heldAfter(reading("lock:a", "otto", 1, 30s, at)), 4s); // another has it
        later(5s);
        store.beginGap();
        QVERIFY(!heldAfter(gone())); // when it went is not known
        store.endGap();
        QVERIFY(!heldAfter(reading("lock:a", "anna", 1, 30s, at), false));
        later(1s);
        QVERIFY(!heldAfter(gone(), false)); // polled: it ended some time ago
    }

    /// Both ends have to be heard, and nothing missed between them.
    void holdsThatWereNotHeardWholeAreNotMeasured()
    {
        LockStore store;
        const auto heldAfter = [&](const Inspection &next, TimePoint at, bool isPushed = true) {
            store.apply(next, at, isPushed);
            const QList<LockEvent> events = store.takeChanges().events;
            return events.isEmpty() ? std::nullopt : std::optional<milliseconds>(events.last().held);
        };
        const Inspection gone{LockKey("lock:a"), {}};
        store.endGap();
        heldAfter(reading("lock:a", "anna", 1, 30s, start), start, false); // polled
        store.beginFeedGap(true);
        store.classify([](const LockKey &) { return true; });
        QVERIFY(!heldAfter(gone, start + 1s));
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 2s), start + 2s); // it may be there for long
        QVERIFY(!heldAfter(gone, start + 3s));
        store.endGap(); // of the scan that had begun before
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 4s), start + 4s);
        QVERIFY(!heldAfter(gone, start + 5s));
        store.endGap();
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 6s), start + 6s);
        QCOMPARE(heldAfter(gone, start + 7s), 1s);
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 8s), start + 8s);
        store.beginFeedGap(false);
        store.endGap();
        QVERIFY(!heldAfter(gone, start + 9s)); // an end and a beginning may have been missed
        // It was renewed.
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 10s), start + 10s);
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 20s), start + 20s);
        QCOMPARE(heldAfter(gone, start + 21s), 11s);
        // So soon, it may have been given back and taken again.
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 30s), start + 30s);
        heldAfter(reading("lock:a", "anna", 1, 30s, start + 30'300ms), start + 30'300ms);
        QVERIFY(!heldAfter(gone, start + 41s));
    }

    /// Tokens that are the same for each holder hide where a hold ends; several holders are no one hold.
    void holdsThatCannotBeToldApartAreNotMeasured()
    {
        LockStore store;
        store.endGap();
        Inspection constant = reading("lock:a", "locked");
        constant.lock->family = "token"_family;
        constant.lock->type = KeyType::String;
        store.apply(constant, start, true);
        store.apply(shared("lock:b", {"anna", "otto"}, start), start, true);
        store.takeChanges();
        store.apply({LockKey("lock:a"), {}}, start + 1s, true);
        store.apply({LockKey("lock:b"), {}}, start + 1s, true);
        const QList<LockEvent> events = store.takeChanges().events;
        QCOMPARE(events.size(), 2);
        for (const LockEvent &event : events)
            QVERIFY(!event.held);
    }

    void passesAllInPieces()
    {
        LockStore store;
        for (int i = 0; i < 1000; ++i)
            store.apply(reading(("lock:" + QByteArray::number(i)).constData(), "web-1:7"), start, true);
        QSet<LockKey> seen;
        size_t place = 0;
        int pieces = 0;
        do {
            for (const Lock &lock : store.someToAsk(
                     place, 100, [](const WatchedLock &l) { return !l.key().bytes.endsWith('7'); }))
                seen.insert(lock.key());
            ++pieces;
        } while (place != 0);
        QCOMPARE(seen.size(), 900);
        QVERIFY(pieces >= 8);
    }
};

QTEST_APPLESS_MAIN(LockStoreTest)
#include "tst_lockstore.moc"
