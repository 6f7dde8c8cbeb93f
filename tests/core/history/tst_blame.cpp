// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/blame.h"

#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using historysample::owner;
using historysample::start;
using namespace std::chrono_literals;

namespace {

const QByteArray process = "3b2c1a09-8f7e-4d6c-9b5a-49382716050";

/// A thread of one of ten processes.
QByteArray idOf(int number)
{
    return process + QByteArray::number(number / 10) + ':' + QByteArray::number(number % 10);
}

class Told
{
public:
    /// Who holds a lock, and who is in its queue, from a moment on. A negative number: a dead waiter.
    void at(qint64 ms, const QByteArray &name, std::optional<int> holder, const QList<int> &queue,
            qint64 count = -1, WaiterCertainty certainty = WaiterCertainty::Exact)
    {
        QList<QByteArray> ids;
        for (const int waiter : queue)
            ids << (waiter < 0 ? "!" : "") + idOf(std::abs(waiter));
        WatchedLock lock =
            historysample::waitedOn(ids, count, certainty, holder ? idOf(*holder) : QByteArray());
        lock.lock.family = "redisson-fair"_family;
        lock.lock.address.key = LockKey(name);
        if (!holder)
            lock.lock.owners.clear();
        LockDiff diff;
        auto &before = m_holders[name];
        if (before != holder) {
            const auto tell = [&](EventKind kind, int who) {
                LockEvent event = historysample::happened(kind, ms, {owner(idOf(who))});
                event.address.key = LockKey(name);
                event.family = "redisson-fair"_family;
                diff.events << event;
            };
            if (before)
                tell(EventKind::Released, *before);
            if (holder)
                tell(EventKind::Acquired, *holder);
        }
        before = holder;
        diff.changed = {lock};
        m_history.apply(diff, start + ms);
    }

    Blame blame(qint64 from = 0, qint64 to = 100'000) const
    {
        return blameIn(m_history, start + from, start + to);
    }
    LockHistory &history() { return m_history; }

private:
    LockHistory m_history;
    QHash<QByteArray, std::optional<int>> m_holders;
};

QByteArrayList shown(const std::vector<BlameRow> &rows)
{
    const auto name = [](const OwnerGroup &group) { // "12": thread 2 of process 1; "1": process 1
        const qsizetype at = group.bytes.lastIndexOf(':');
        return at < 0 ? group.bytes.right(1) : group.bytes.mid(at - 1, 1) + group.bytes.mid(at + 1);
    };
    static const QByteArrayList kinds{"", "several", "nobody", "dead ", "cycle "};
    QByteArrayList lines;
    for (const BlameRow &row : rows)
        lines << row.lock.bytes + kinds[int(row.kind)] + name(row.blocker) +
                     (row.waiter.bytes.isEmpty() ? QByteArray() : '>' + name(row.waiter)) + ' ' +
                     QByteArray::number(qint64(row.waited.count())) + " in " +
                     QByteArray::number(row.episodes) + (row.isAtLeast ? " at least" : "");
    return lines;
}

} // namespace

class BlameTest : public QObject
{
    Q_OBJECT

private slots:
    void nobodySeenIsNobodyOnlyIfAllCanBeSeen()
    {
        for (const WaiterCertainty certainty : {WaiterCertainty::Exact, WaiterCertainty::AtLeast}) {
            Told told;
            told.at(0, "lock:a", 1, {}, 0, certainty);
            told.at(1'000, "lock:a", 1, {12}, -1, certainty);
            told.at(2'000, "lock:a", 1, {}, 0, certainty);
            const Blame before = told.blame(5'000, 9'000);
            QCOMPARE(before.silent.size(), certainty == WaiterCertainty::Exact ? 0 : 1);
            QCOMPARE(before.isLowerBound(), certainty != WaiterCertainty::Exact);
        }
    }
    void oneLock()
    {
        Told told;
        told.at(0, "lock:a", 1, {});
        told.at(2'000, "lock:a", 1, {12});
        told.at(5'000, "lock:a", 1, {12, 13});
        told.at(8'000, "lock:a", 12, {13});
        told.at(9'000, "lock:a", 13, {});
        told.at(20'000, "lock:a", 13, {14});
        told.at(21'000, "lock:a", 14, {});
        const Blame blame = told.blame();
        QCOMPARE(blame.waited, 11s);
        QCOMPARE(blame.episodes.size(), size_t(2));
        const WaitEpisode &first = blame.episodes.front();
        QCOMPARE(first.fromMs - start, 2'000);
        QCOMPARE(first.toMs - start, 9'000);
        QCOMPARE(first.mostWaiters, 2);
        QCOMPARE(first.waited, 10s);
        QVERIFY(!first.isCut && !first.isAtLeast);
        QCOMPARE(first.root().owner.bytes, idOf(1));
        QCOMPARE(shown(blame.rankedBy(BlameBy::Lock)), QByteArrayList({"lock:a 11000 in 2"}));
        QCOMPARE(shown(blame.rankedBy(BlameBy::Owner)),
                 QByteArrayList({"01 9000 in 1", "12 1000 in 1", "13 1000 in 1"}));
        QCOMPARE(shown(blame.rankedBy(BlameBy::Process)), QByteArrayList({"0 9000 in 1", "1 2000 in 2"}));
        QCOMPARE(
            shown(blame.rankedBy(BlameBy::Pair)),
            QByteArrayList({"01>12 6000 in 1", "01>13 3000 in 1", "12>13 1000 in 1", "13>14 1000 in 1"}));
    }

    /// A thread that waits releases nothing: its lock was read after its next queue, and passed on before.
    void releasedBeforeItWaits()
    {
        for (const int apart : {60, 400}) {
            Told told;
            told.at(0, "lock:a", 1, {12});
            told.at(0, "lock:b", 2, {});
            told.at(1'000, "lock:b", 2, {1});
            told.at(1'000 + apart, "lock:a", 12, {13});
            told.at(2'000, "lock:a", 13, {});
            told.at(3'000, "lock:b", 1, {});
            const QByteArrayList owners = shown(told.blame().rankedBy(BlameBy::Owner));
            QCOMPARE(owners, apart == 60 ? QByteArrayList({"02 2000 in 1", "01 1060 in 1", "12 940 in 1"})
                                         : QByteArrayList({"02 2400 in 2", "01 1000 in 1", "12 600 in 1"}));
        }
    }

    /// Only the part in the period counts.
    void aPeriod()
    {
        Told told;
        told.at(0, "lock:a", 1, {12});
        told.at(10'000, "lock:a", 12, {});
        const Blame blame = told.blame(4'000, 7'000);
        QCOMPARE(blame.waited, 3s);
        QVERIFY(blame.episodes.front().isCut);
        QVERIFY(told.blame(20'000, 30'000).episodes.empty());
    }

    /// 13 waits for 12, which waits for 1.
    void theRootIsAtTheEndOfTheChain()
    {
        Told told;
        told.at(0, "lock:b", 1, {});
        told.at(0, "lock:a", 12, {});
        told.at(1'000, "lock:b", 1, {12});
        told.at(2'000, "lock:a", 12, {13});
        told.at(6'000, "lock:b", 12, {});
        told.at(7'000, "lock:a", 13, {});
        const Blame blame = told.blame();
        QCOMPARE(shown(blame.rankedBy(BlameBy::Owner)), QByteArrayList({"01 9000 in 2", "12 1000 in 1"}));
        QCOMPARE(shown(blame.rankedBy(BlameBy::Pair)),
                 QByteArrayList({"01>12 5000 in 1", "12>13 5000 in 1"}));
        const auto ofA = std::ranges::find(blame.episodes, LockKey("lock:a"), &WaitEpisode::lock);
        QVERIFY(ofA != blame.episodes.end());
        QCOMPARE(ofA->chain.size(), 2);
        QCOMPARE(ofA->root().lock, LockKey("lock:b"));
        QCOMPARE(ofA->root().owner.bytes, idOf(1));
    }

    void aDeadlockHasNoRoot()
    {
        Told told;
        told.at(0, "lock:a", 1, {});
        told.at(0, "lock:b", 12, {});
        told.at(1'000, "lock:a", 1, {12});
        told.at(1'000, "lock:b", 12, {1});
        told.at(5'000, "lock:a", {}, {});
        told.at(5'000, "lock:b", {}, {});
        const Blame blame = told.blame();
        QCOMPARE(blame.waited, 8s);
        for (const WaitEpisode &episode : blame.episodes)
            QCOMPARE(episode.root().kind, Blocker::Kind::Cycle);
    }

    void aFreeLock()
    {
        Told told;
        told.at(0, "lock:a", {}, {12});
        told.at(3'000, "lock:a", 12, {});
        told.at(4'000, "lock:a", {}, {-13, 14});
        told.at(9'000, "lock:a", {}, {});
        QCOMPARE(shown(told.blame().rankedBy(BlameBy::Owner)),
                 QByteArrayList({"dead 13 5000 in 1", "nobody 3000 in 1"}));
    }

    void countedWaiters()
    {
        Told told;
        told.at(0, "lock:a", 1, {}, 3, WaiterCertainty::AtLeast);
        told.at(2'000, "lock:a", 1, {}, 1, WaiterCertainty::AtLeast);
        told.at(4'000, "lock:a", {}, {}, 0, WaiterCertainty::AtLeast);
        const Blame blame = told.blame();
        QCOMPARE(shown(blame.rankedBy(BlameBy::Lock)), QByteArrayList({"lock:a 8000 in 1 at least"}));
        QCOMPARE(shown(blame.rankedBy(BlameBy::Pair)), QByteArrayList({"01 8000 in 1 at least"}));
    }

    void pollersAreSilent()
    {
        Told told;
        told.at(0, "lock:a", 1, {}, 0, WaiterCertainty::Unknown);
        told.at(2'000, "lock:a", {}, {}, 0, WaiterCertainty::Unknown);
        QCOMPARE(told.blame().silent, QList{LockKey("lock:a")});
        QVERIFY(told.blame().episodes.empty());
    }

    void unseenTimeDoesNotCount()
    {
        Told told;
        told.at(0, "lock:a", 1, {12});
        told.history().add({MonitorEventKind::Disconnected, {}, start + 2'000, {}});
        told.history().add({MonitorEventKind::Reconnected, {}, start + 5'000, {}});
        told.history().confirm(start + 5'000);
        told.at(5'000, "lock:a", 1, {12});
        told.at(6'000, "lock:a", 12, {});
        const Blame blame = told.blame();
        QCOMPARE(blame.waited, 3s);
        QVERIFY(blame.episodes.front().isAtLeast);
    }

    /// Who has acquired the lock waits for it no more, though the queue that was read before still names it.
    void theQueueMayBeOlderThanTheHolder()
    {
        Told told;
        told.at(0, "lock:b", 1, {});
        told.at(0, "lock:a", 1, {12, 13});
        told.at(2'000, "lock:a", 12, {12, 13});
        told.at(3'000, "lock:a", 12, {13});
        told.at(4'000, "lock:a", {}, {});
        QCOMPARE(shown(told.blame().rankedBy(BlameBy::Pair)),
                 QByteArrayList({"01>12 2000 in 1", "01>13 2000 in 1", "12>13 2000 in 1"}));
        QCOMPARE(shown(told.blame().rankedBy(BlameBy::Owner)),
                 QByteArrayList({"01 4000 in 1", "12 2000 in 1"}));
    }

    /// A thread waits for one lock at a time: the one that it began to wait for last.
    void aLaterWaitEndsAnotherOne()
    {
        Told told;
        told.at(0, "lock:a", 12, {13});
        told.at(0, "lock:b", 1, {12});
        told.at(0, "lock:c", 2, {});
        told.at(1'000, "lock:c", 2, {12});
        told.at(3'000, "lock:c", 2, {});
        told.at(4'000, "lock:b", 1, {});
        told.at(4'000, "lock:a", 12, {});
        const Blame blame = told.blame();
        const auto ofA = std::ranges::count(blame.shares, LockKey("lock:a"), &Blame::Share::lock);
        QCOMPARE(ofA, 3); // of the roots 1, 2, and then 12
        for (const Blame::Share &share : blame.shares) {
            if (share.lock == LockKey("lock:a"))
                QCOMPARE(share.waited, share.root.owner.bytes == idOf(2) ? 2s : 1s);
        }
    }

    void aLongChainIsNoDeadlock()
    {
        Told told;
        for (int i = 0; i < 40; ++i)
            told.at(0, "lock:" + QByteArray::number(i), i, i > 0 ? QList{i - 1} : QList{50});
        for (int i = 0; i < 40; ++i)
            told.at(1'000, "lock:" + QByteArray::number(i), {}, {});
        for (const WaitEpisode &episode : told.blame().episodes)
            QCOMPARE(episode.root().kind, Blocker::Kind::Owner);
    }

    /// The number of those in a queue includes the dead.
    void theDeadDoNotWait()
    {
        Told told;
        told.at(0, "lock:a", 1, {-12, 13}, 10);
        told.at(1'000, "lock:a", {}, {});
        QCOMPARE(told.blame().waited, 9s);
        QCOMPARE(told.blame().episodes.front().mostWaiters, 9);
    }

    /// Of more owners than rows, those without a row may hold it when the others have left.
    void ownersWithoutARow()
    {
        Told told;
        const auto tell = [&told](EventKind kind, int ms, int who, int others) {
            LockEvent event = historysample::happened(kind, ms, {owner(idOf(who))}, {}, others);
            event.family = "redisson-read-write"_family;
            told.history().apply(historysample::events({event}), start + ms);
        };
        for (int i = 0; i < 10; ++i)
            tell(EventKind::Acquired, 0, i, i);
        for (int i = 1; i < 8; ++i)
            tell(EventKind::Released, 1'000, i, 10 - i);
        told.history().apply(
            {.changed = {historysample::waitedOn({idOf(20)}, -1, WaiterCertainty::Exact, idOf(0))},
             .removed = {},
             .events = {}},
            start + 2'000);
        QCOMPARE(shown(told.blame(0, 3'000).rankedBy(BlameBy::Owner)), QByteArrayList({"several 1000 in 1"}));
    }

    /// A semaphore's number of free permits is nobody.
    void permitsWithoutOwners()
    {
        LockHistory history;
        LockEvent event = historysample::happened(EventKind::Acquired, 0, {owner("0")}, {});
        event.family = "redisson-semaphore"_family;
        history.apply(historysample::events({event}), start);
        WatchedLock lock = historysample::waitedOn({}, 2, WaiterCertainty::AtLeast, "0");
        lock.lock.family = event.family;
        history.apply({.changed = {lock}, .removed = {}, .events = {}}, start);
        QCOMPARE(shown(blameIn(history, start, start + 1'000).rankedBy(BlameBy::Owner)),
                 QByteArrayList({"several 2000 in 1 at least"}));
    }

    /// The same bytes in locks of two libraries are two owners.
    void ownersOfTwoFamilies()
    {
        Blame blame;
        for (const Family family : {"reentrant"_family, "redislock"_family}) {
            Blame::Share share;
            share.root = share.holder = {Blocker::Kind::Owner, LockKey("lock"), OwnerId("web-1"), family};
            share.waited = 1s;
            blame.shares.push_back(share);
        }
        QCOMPARE(blame.rankedBy(BlameBy::Owner).size(), size_t(2));
        QCOMPARE(blame.rankedBy(BlameBy::Pair).size(), size_t(2));
    }

    /// Who waits at the first reading may have waited before.
    void whatWasFoundIsAtLeast()
    {
        LockHistory history;
        history.confirm(start);
        history.apply({.changed = {historysample::waitedOn({"web-2"})},
                       .removed = {},
                       .events = {historysample::happened(EventKind::Found, 1'000)}},
                      start + 1'000);
        const Blame blame = blameIn(history, start, start + 2'000);
        QVERIFY(blame.episodes.front().isCut);
        QCOMPARE(shown(blame.rankedBy(BlameBy::Lock)), QByteArrayList({"lock:a 1000 in 1 at least"}));
        QVERIFY(!blame.isAtLeast);
    }

    void whatWasDroppedIsAtLeast()
    {
        LockHistory history(10);
        for (int i = 0; i < 20; ++i)
            history.apply(historysample::events({historysample::happened(EventKind::Acquired, i),
                                                 historysample::happened(EventKind::Released, i)}),
                          start + i);
        QVERIFY(blameIn(history, start, start + 100).isAtLeast);
        QVERIFY(!blameIn(history, history.firstMs(), start + 100).isAtLeast);
    }

    /// A long history is no square of its length.
    void manyHolds()
    {
        Told told;
        for (int i = 0; i < 20'000; ++i)
            told.at(i, "lock:a", 10 + i % 7, {20 + i % 11, 40});
        QCOMPARE(told.blame().episodes.size(), size_t(1));
    }
};

QTEST_GUILESS_MAIN(BlameTest)
#include "tst_blame.moc"
