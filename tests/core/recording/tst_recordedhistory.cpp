// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recordedhistory.h"

#include "core/history/blame.h"
#include "core/history/lockorder.h"
#include "core/recording/recording.h"
#include "tests/support/recordedfile.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// The same lock, with these in its queue.
void queue(RecordedFile &file, const QByteArray &key, const QByteArray &owner, const QByteArrayList &waiters)
{
    WatchedLock watched = file.held(key, owner);
    CompanionState companions;
    for (const QByteArray &waiter : waiters)
        companions.waiters.queue.append({OwnerId(waiter), {}, SubscriptionState::Unknown, false});
    companions.waiters.count = waiters.size();
    companions.waiters.certainty = WaiterCertainty::Exact;
    watched.lock.companions = CompanionStatePtr(companions);
    LockDiff diff;
    diff.changed = {watched};
    file.tell(diff);
}

Blame blameOf(const RecordedFile &file, milliseconds from = 0ms, milliseconds to = 1h)
{
    const Result<Recording> recording = Recording::open(file.path());
    if (!recording)
        return {};
    const LockHistory history = historyOf(*recording, from, std::min(to, recording->length()));
    return blameIn(history, history.firstMs(), recording->wallAt(std::min(to, recording->length())));
}

} // namespace

class RecordedHistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void waitsAreThoseThatWereSeen()
    {
        RecordedFile file;
        file.setWatched(true);
        file.pass(1s);
        file.acquire("lock:a", "one");
        file.pass(2s);
        queue(file, "lock:a", "one", {"two"});
        file.pass(5s);
        file.release("lock:a");
        file.pass(10s);
        file.finish();
        const Blame blame = blameOf(file);
        QCOMPARE(blame.waited.count(), 5000);
        QCOMPARE(blame.episodes.front().root().owner.bytes, QByteArray("one"));
        QVERIFY(!blame.episodes.front().isAtLeast);
        // Of a part of it, what was known at its begin counts from there.
        QCOMPARE(blameOf(file, 4s, 6s).waited.count(), 2000);
        QVERIFY(blameOf(file, 4s, 6s).episodes.front().isCut);
    }

    void ordersOfLocks()
    {
        RecordedFile file;
        file.setWatched(true);
        const auto nested = [&file](const QByteArray &owner, const QByteArrayList &locks) {
            for (const QByteArray &lock : locks) {
                file.pass(1s);
                file.acquire(lock, owner);
            }
            file.pass(1s);
            for (const QByteArray &lock : locks)
                file.release(lock);
        };
        nested("one", {"lock:a", "lock:b"});
        nested("two", {"lock:b", "lock:a"});
        file.finish();
        const Result<Recording> recording = Recording::open(file.path());
        QVERIFY(recording);
        const LockHistory history = historyOf(*recording, 0ms, recording->length());
        const LockOrders found =
            lockOrdersIn(history, history.firstMs(), recording->wallAt(recording->length()));
        QCOMPARE(found.orders, 2);
        QCOMPARE(found.cycles.size(), size_t(1));
        QCOMPARE(found.cycles.front().risk, OrderCycle::Risk::Deadlock);
    }

    void whatWasNotRecordedDoesNotCount()
    {
        RecordedFile file;
        file.setWatched(true);
        file.acquire("lock:a", "one");
        queue(file, "lock:a", "one", {"two"});
        file.pass(3s);
        file.tell(QList<Deadlock>()); // a chunk ends in what was confirmed
        file.setWatched(false);
        file.pass(4s);
        file.setWatched(true);
        file.pass(2s);
        file.release("lock:a");
        file.finish();
        const Blame blame = blameOf(file);
        QCOMPARE(blame.waited.count(), 5000);
        QVERIFY(blame.episodes.front().isAtLeast);
    }

    /// Slots that were unknown at the begin of a period are so until that ends.
    void aLostNodeAtTheBegin()
    {
        RecordedFile file;
        file.tell(RecordedFile::clusterReady());
        file.acquire("lock:a", "one");
        queue(file, "lock:a", "one", {"two"});
        file.pass(1s);
        WatchState watching = RecordedFile::clusterReady();
        watching.missingNodes = {"10.0.0.2:6379"};
        SlotSet slotSet;
        slotSet.set(size_t(slotOf("lock:a")));
        watching.unknownSlots = std::make_shared<const SlotSet>(slotSet);
        file.tell(watching);
        file.pass(4s);
        file.tell(RecordedFile::clusterReady());
        file.pass(2s);
        file.release("lock:a");
        file.finish();
        QCOMPARE(blameOf(file).waited.count(), 2000); // all was last known at the first moment
        QCOMPARE(blameOf(file, 3s, 6s).waited.count(), 1000);
    }
};

QTEST_GUILESS_MAIN(RecordedHistoryTest)
#include "tst_recordedhistory.moc"
