// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/runhistory.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

using Kind = TraceEntry::Kind;

namespace {

TraceEntry entry(Kind kind, int worker, microseconds at, microseconds since = 0us, microseconds until = 0us)
{
    return {.kind = kind, .worker = qint16(worker), .lock = 0, .at = at, .since = since, .until = until};
}

/// That a message woke it, which was published after `since`; `by`: says the message.
TraceEntry woken(int worker, microseconds at, microseconds since, int by = -1)
{
    TraceEntry woken = entry(Kind::Woken, worker, at, since);
    woken.other = qint16(by);
    return woken;
}

RunHistory historyOf(const QList<TraceEntry> &entries)
{
    RunHistory history(4, 2);
    history.take(entries);
    return history;
}

} // namespace

class RunHistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void theRefereesSectionIsNotTheWorkersBelief()
    {
        const RunHistory history = historyOf({
            entry(Kind::WaitBegan, 1, 10us),
            entry(Kind::Entered, 1, 20us),
            entry(Kind::Acquired, 1, 21us, 11us, 111us),
            entry(Kind::Left, 1, 50us),
            entry(Kind::ReleaseBegan, 1, 51us),
            entry(Kind::Released, 1, 70us, 51us),
        });
        const RunHistory::Stay &stay = history.sections()[0].stays.at(0);
        QCOMPARE(stay.worker, 1);
        QVERIFY(stay.time == (RunSpan{20us, 50us}));
        const RunHistory::Worker &worker = history.workers()[1];
        QVERIFY(worker.waits.at(0).time == (RunSpan{10us, 21us}));
        QVERIFY(worker.holds.at(0).time == (RunSpan{21us, 70us}));
        QVERIFY(worker.holds.at(0).releasing == 51us);
        QVERIFY(worker.leases.at(0).from == 11us && worker.leases.at(0).until == 111us);
        QVERIFY(worker.leases.at(0).endedAt == 70us && !worker.leases.at(0).isOver);
        QVERIFY(history.sections()[0].overlaps.empty());
        QVERIFY(history.sections()[1].stays.empty());
    }

    void overlapsAreWhatIsCommonToAll()
    {
        const RunHistory history = historyOf({
            entry(Kind::Entered, 0, 10us),
            entry(Kind::Entered, 1, 20us),
            entry(Kind::Entered, 2, 25us),
            entry(Kind::Left, 0, 30us),
            entry(Kind::DiedInside, 2, 40us),
            entry(Kind::Left, 1, 60us),
            entry(Kind::Entered, 3, 70us),
        });
        const RunHistory::Section &section = history.sections()[0];
        QCOMPARE(section.overlaps.size(), size_t(1));
        QVERIFY(section.overlaps[0] == (RunSpan{20us, 40us}));
        QCOMPARE(section.rows, 3);
        QVERIFY(section.stays[2].time.to == 40us);
        QCOMPARE(section.stays[3].row, 0);
        QVERIFY(!section.stays[3].time.to);
        QVERIFY(history.end() == 70us);
    }

    void aLeaseRunsOnAfterACrash()
    {
        const RunHistory history = historyOf({
            entry(Kind::LifeBegan, 0, 0us),
            entry(Kind::Acquired, 0, 10us, 5us, 1005us),
            entry(Kind::Died, 0, 50us),
            entry(Kind::LifeBegan, 0, 1100us),
        });
        const RunHistory::Worker &worker = history.workers()[0];
        QVERIFY(worker.holds[0].time == (RunSpan{10us, 50us}));
        QVERIFY(worker.leases[0].unwatchedFrom == 50us && !worker.leases[0].endedAt);
        QVERIFY(worker.deaths[0] == (RunSpan{50us, 1100us}));
        QCOMPARE(worker.marks.size(), size_t(1));
    }

    void aReleaseWithoutAnAnswerEndsWithItsWorker()
    {
        const RunHistory history = historyOf({
            entry(Kind::Acquired, 0, 10us, 5us, 1005us),
            entry(Kind::ReleaseBegan, 0, 40us),
            entry(Kind::NoReply, 0, 45us),
            entry(Kind::Finished, 0, 50us),
        });
        const RunHistory::Worker &worker = history.workers()[0];
        QVERIFY(worker.holds[0].time == (RunSpan{10us, 50us}));
        QVERIFY(worker.leases[0].unwatchedFrom == 50us && !worker.leases[0].endedAt);
    }

    void whatWasNotToldIsAGap()
    {
        const RunHistory history =
            historyOf({entry(Kind::NotTold, 2, 500us, 100us), entry(Kind::Died, 2, 500us)});
        QCOMPARE(history.workers()[2].gaps.size(), size_t(1));
        QVERIFY(history.workers()[2].gaps[0] == (RunSpan{100us, 500us}));
    }

    void aLeaseThatEndsBeforeTheReleaseIsOver()
    {
        const RunHistory history = historyOf({
            entry(Kind::Acquired, 0, 10us, 5us, 105us),
            entry(Kind::PauseBegan, 0, 50us),
            entry(Kind::PauseEnded, 0, 500us),
            entry(Kind::NotHeld, 0, 510us, 501us),
        });
        const RunHistory::Worker &worker = history.workers()[0];
        QVERIFY(worker.leases[0].isOver);
        QVERIFY(worker.pauses[0] == (RunSpan{50us, 500us}));
    }

    void renewalsFollowEachOther()
    {
        const RunHistory history = historyOf({
            entry(Kind::Acquired, 0, 10us, 5us, 105us),
            entry(Kind::Renewed, 0, 60us, 55us, 155us),
            entry(Kind::Released, 0, 100us, 90us),
        });
        const std::vector<RunHistory::Lease> &leases = history.workers()[0].leases;
        QCOMPARE(leases.size(), size_t(2));
        QVERIFY(leases[0].endedAt == 55us && !leases[0].isRenewal);
        QVERIFY(leases[1].isRenewal && leases[1].endedAt == 100us);
    }

    void aLockThatIsHandedOverHasItsLeaseFromTheLeave()
    {
        const RunHistory history = historyOf({
            entry(Kind::Entered, 0, 10us),
            entry(Kind::WaitBegan, 1, 20us),
            entry(Kind::Left, 0, 400us),
            entry(Kind::Entered, 1, 450us),
            entry(Kind::MigratedLock, 1, 451us, 21us, 321us),
        });
        const RunHistory::Lease &lease = history.workers()[1].leases.at(0);
        QVERIFY(lease.from == 400us);
        QVERIFY(lease.until == 700us);
        QVERIFY(lease.isFromLeave);
    }

    void levelsChange()
    {
        const RunHistory history = historyOf({
            entry(Kind::Acquired, 0, 10us, 5us, 105us),
            entry(Kind::Reentered, 0, 20us, 15us, 115us),
            entry(Kind::Unwound, 0, 30us), // it sent nothing
            entry(Kind::Released, 0, 40us, 35us),
        });
        // A script that counts levels sets the lease anew.
        const std::vector<RunHistory::Lease> &leases = history.workers()[0].leases;
        QCOMPARE(leases.size(), size_t(2));
        QVERIFY(leases[0].endedAt == 15us && leases[1].isRenewal && leases[1].until == 115us);
        const RunHistory::Part &hold = history.workers()[0].holds.at(0);
        QCOMPARE(hold.levels, 1);
        QCOMPARE(hold.changes.size(), size_t(2));
        QCOMPARE(hold.changes[0].levels, 2);
        QVERIFY(hold.changes[0].at == 20us);
        QCOMPARE(hold.changes[1].levels, 1);
    }

    void waitsBesideHoldsHaveARow()
    {
        const RunHistory history = historyOf({
            entry(Kind::Acquired, 0, 10us, 5us, 105us),
            entry(Kind::WaitBegan, 0, 20us),
            entry(Kind::TimedOut, 0, 30us),
        });
        QCOMPARE(history.workers()[0].waits[0].row, 1);
        QCOMPARE(history.workers()[0].rows, 2);
    }

    void whoWokeWhomIsSaidOnlyWhereItIsKnown_data()
    {
        QTest::addColumn<QList<TraceEntry>>("releases");
        QTest::addColumn<TraceEntry>("message");
        QTest::addColumn<int>("from");
        const TraceEntry first = entry(Kind::Published, 0, 120us, 100us);
        const TraceEntry second = entry(Kind::Published, 2, 320us, 300us);
        QTest::newRow("one release") << QList{first} << woken(1, 130us, 90us) << 0;
        QTest::newRow("its answer came later")
            << QList{entry(Kind::Published, 0, 150us, 100us)} << woken(1, 130us, 90us) << 0;
        QTest::newRow("none") << QList<TraceEntry>{} << woken(1, 130us, 90us) << -1;
        QTest::newRow("too early") << QList{first} << woken(1, 340us, 130us) << -1;
        QTest::newRow("not sent yet") << QList{second} << woken(1, 130us, 90us) << -1;
        QTest::newRow("one of two") << QList{first, second} << woken(1, 330us, 200us) << 2;
        QTest::newRow("either of two") << QList{first, second} << woken(1, 330us, 110us) << -1;
        QTest::newRow("told out of order") << QList{second, first} << woken(1, 330us, 200us) << 2;
        QTest::newRow("not published")
            << QList{entry(Kind::Released, 0, 120us, 100us)} << woken(1, 130us, 90us) << -1;
        QTest::newRow("by itself") << QList{entry(Kind::Published, 1, 120us, 100us)} << woken(1, 130us, 90us)
                                   << -1;
        QTest::newRow("handed over") << QList{entry(Kind::Published, 0, 120us, 100us, 5000us)}
                                     << woken(1, 130us, 90us) << 0;
        QTest::newRow("handed to another, whose time ran out")
            << QList{entry(Kind::Published, 0, 120us, 100us, 5000us)} << woken(1, 6000us, 90us) << -1;
        QTest::newRow("handed over by the last of several")
            << QList{entry(Kind::Published, 0, 120us, 100us, 5000us),
                     entry(Kind::Published, 2, 320us, 300us, 5300us)}
            << woken(1, 330us, 90us) << 2;
        QTest::newRow("handed to another by itself") << QList{entry(Kind::Published, 0, 120us, 100us, 5000us),
                                                              entry(Kind::Published, 1, 320us, 300us, 5300us)}
                                                     << woken(1, 330us, 90us) << -1;
        QTest::newRow("another's release was not answered")
            << QList{first, entry(Kind::ReleaseBegan, 3, 80us)} << woken(1, 130us, 90us) << -1;
        QTest::newRow("another began its release later")
            << QList{first, entry(Kind::ReleaseBegan, 3, 140us)} << woken(1, 130us, 90us) << 0;
        QTest::newRow("another's release published nothing")
            << QList{first, entry(Kind::ReleaseBegan, 3, 80us), entry(Kind::NotHeld, 3, 140us, 81us)}
            << woken(1, 130us, 90us) << 0;
        QTest::newRow("another's release got no reply at first")
            << QList{first, entry(Kind::ReleaseBegan, 3, 80us), entry(Kind::NoReply, 3, 110us),
                     entry(Kind::NotHeld, 3, 140us, 81us)}
            << woken(1, 130us, 90us) << -1;
        QTest::newRow("another died in its release")
            << QList{first, entry(Kind::ReleaseBegan, 3, 80us), entry(Kind::Died, 3, 85us)}
            << woken(1, 130us, 90us) << -1;
        QTest::newRow("another died in its release long before")
            << QList{second, entry(Kind::ReleaseBegan, 3, 80us), entry(Kind::Died, 3, 85us),
                     entry(Kind::Acquired, 2, 200us, 190us, 5000us)}
            << woken(1, 330us, 290us) << 2;
        QTest::newRow("the lock of another was gone before its time")
            << QList{first, entry(Kind::Acquired, 3, 60us, 50us, 5000us), entry(Kind::NotHeld, 3, 140us)}
            << woken(1, 130us, 90us) << -1;
        QTest::newRow("the lease of another was over")
            << QList{first, entry(Kind::Acquired, 3, 60us, 50us, 100us), entry(Kind::NotHeld, 3, 140us)}
            << woken(1, 130us, 90us) << 0;
        QTest::newRow("a process was killed, and not all was told")
            << QList{first, entry(Kind::NotTold, 3, 500us, 125us)} << woken(1, 130us, 90us) << -1;
        QTest::newRow("a process was killed later")
            << QList{first, entry(Kind::NotTold, 3, 500us, 150us)} << woken(1, 130us, 90us) << 0;
        QTest::newRow("says so itself") << QList{first, second} << woken(1, 330us, 110us, 3) << 3;
    }
    void whoWokeWhomIsSaidOnlyWhereItIsKnown()
    {
        QFETCH(const QList<TraceEntry>, releases);
        QFETCH(const TraceEntry, message);
        QFETCH(const int, from);
        // The same whether what was released is told before or after.
        for (const QList<TraceEntry> &entries : {releases + QList{message}, QList{message} + releases}) {
            const std::vector<RunHistory::Wake> wakes = historyOf(entries).wakes();
            QCOMPARE(wakes.size(), from < 0 ? size_t(0) : size_t(1));
            if (from < 0)
                continue;
            QCOMPARE(wakes[0].from, from);
            QCOMPARE(wakes[0].to, 1);
            QVERIFY(wakes[0].at == message.at && wakes[0].sentAt < message.at);
        }
    }

    void wakesStayWhenTheRunGoesOn()
    {
        RunHistory history(4, 1);
        history.take({entry(Kind::Published, 0, 120us, 100us), woken(1, 130us, 90us)});
        history.take({entry(Kind::WaitBegan, 3, 60s)});
        history.take({entry(Kind::WaitBegan, 3, 61s)});
        QCOMPARE(history.wakes().size(), size_t(1));
    }

    void theServersTimes()
    {
        const auto ofServer = [](Kind kind, microseconds at) { return TraceEntry{.kind = kind, .at = at}; };
        const RunHistory history = historyOf({
            ofServer(Kind::ServerPaused, 10us),
            ofServer(Kind::ServerResumed, 50us),
            ofServer(Kind::ServerStopping, 70us),
        });
        QCOMPARE(history.server().size(), size_t(2));
        QVERIFY(history.server()[0].time == (RunSpan{10us, 50us}));
        QCOMPARE(history.server()[1].state, RunHistory::ServerState::Losing);
        QVERIFY(!history.server()[1].time.to);
    }

    void aLockWithoutExpiryStandsUntilALookFindsItOtherwise()
    {
        const auto ofLock = [](Kind kind, microseconds at, microseconds since = 0us) {
            return TraceEntry{.kind = kind, .lock = 0, .at = at, .since = since};
        };
        TraceEntry noLock = ofLock(Kind::Orphaned, 10us);
        noLock.lock = -1;
        const RunHistory history =
            historyOf({noLock, ofLock(Kind::OrphanedNoMore, 15us), ofLock(Kind::Orphaned, 100us, 20us),
                       ofLock(Kind::OrphanedNoMore, 200us), ofLock(Kind::Orphaned, 400us, 300us)});
        const std::vector<RunSpan> &orphans = history.sections()[0].orphans;
        QCOMPARE(orphans.size(), size_t(2));
        QVERIFY(orphans[0] == (RunSpan{20us, 200us}));
        QVERIFY(orphans[1] == (RunSpan{300us, {}}));
        QVERIFY(history.sections()[0].stays.empty());
    }

    void momentsAreInOrderAndOnce()
    {
        const RunHistory history = historyOf(
            {entry(Kind::Entered, 0, 20us), entry(Kind::WaitBegan, 0, 10us), entry(Kind::Left, 0, 20us)});
        QCOMPARE(history.moments().size(), size_t(2));
        QVERIFY(history.moments()[0] == 10us && history.moments()[1] == 20us);
    }

    void whatIsNotOfTheRunIsPassedOver()
    {
        TraceEntry foreign = entry(Kind::Entered, 4, 10us);
        TraceEntry noLock = entry(Kind::Published, 0, 10us);
        noLock.lock = -1;
        TraceEntry otherLock = entry(Kind::Acquired, 0, 10us);
        otherLock.lock = 2;
        TraceEntry nobody = entry(Kind::Entered, -1, 10us);
        TraceEntry unknown = entry(Kind(200), 0, 10us);
        const RunHistory history =
            historyOf({foreign, noLock, otherLock, nobody, unknown, woken(1, 10us, 5us, 9)});
        QVERIFY(history.sections()[0].stays.empty());
        QVERIFY(history.workers()[0].holds.empty());
        QVERIFY(history.wakes().empty());
    }
};

QTEST_APPLESS_MAIN(RunHistoryTest)
#include "tst_runhistory.moc"
