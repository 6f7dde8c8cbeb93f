// SPDX-License-Identifier: GPL-3.0-or-later
// A replay tells of any moment what a session told then, and of nothing that was not recorded.
#include "tests/core/recording/recordedsteps.h"
#include "tests/core/recording/replaylistener.h"
#include "tests/support/recordedfile.h"
#include "tests/support/told.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

class TestReplay : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aMomentIsAsItWas();
    void whatCameBeforeIsTold();
    void itGoesOnByItself();
    void anOlderWishIsForgotten();
    void manyLocksAreToldInParts();
    void aNewWishEndsWhatIsHalfTold();
    void fromEventToEvent();
    void fromOneThatIsListedToTheNext();
    void itOpensWhereLocksAre();
    void aClockThatWasSet();
    void whatIsNoRecording();
};

void TestReplay::aMomentIsAsItWas()
{
    const RecordedSteps recorded(7, 600);
    const QList<RecordedSteps::Snapshot> &snapshots = recorded.snapshots;
    const auto momentOf = [&](qsizetype which) { return recorded.momentOf(snapshots[which].at); };
    ReplayListener page(recorded.path);
    QVERIFY(page.opens());
    for (qsizetype which : {300, 20, 599, 301, 150, 450, 0}) {
        while (which + 1 < snapshots.size() && momentOf(which + 1) == momentOf(which))
            ++which; // all of a millisecond are one moment
        const milliseconds moment = momentOf(which);
        QVERIFY(page.seek(moment));
        QCOMPARE(page.replay.moment(), moment);
        const Clock::duration zero = (page.replay.now() - moment).time_since_epoch();
        QCOMPARE(differenceOf(snapshots[which].locks, page.locks, recorded.epoch, zero), QByteArray());
    }
}

void TestReplay::whatCameBeforeIsTold()
{
    RecordedFile file;
    file.setWatched(true);
    for (int i = 0; i < 5; ++i) {
        file.pass(10s);
        file.acquire("lock:a", "owner-" + QByteArray::number(i));
        file.pass(5s);
        file.release("lock:a");
    }
    file.pass(10s);
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(42s)); // acquired at 40 s
    QCOMPARE(page.events.size(), 5);
    QCOMPARE(page.events.last().kind, EventKind::Acquired);
    QCOMPARE(page.events.last().wallMs, RecordedFile::wallBegin + 40'000);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:a=owner-2"});
    // Ages are those of the moment.
    const WatchedLock held = page.locks.value(LockKey("lock:a"));
    QCOMPARE(page.replay.now() - held.heldSince, 2s);
    QCOMPARE(held.lock.deadline->latest - page.replay.now(), 28s);
    QCOMPARE(page.replay.wallNow(), RecordedFile::wallBegin + 42'000);
    QCOMPARE(page.replay.lack(), GapCause::None);
    QVERIFY(page.replay.confirmedAt().has_value());
    QCOMPARE(page.states.last(), Link::State::Ready);
    // On this machine's clocks it lies where its wall time lies.
    const auto ago = QDateTime::currentMSecsSinceEpoch() - page.replay.wallNow();
    QVERIFY(std::chrono::abs(Clock::now() - page.replay.now() - milliseconds(ago)) < 2s);
}

void TestReplay::itGoesOnByItself()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquireEachSecond(10);
    file.resume(2h); // which nobody wants to watch
    file.setWatched(true);
    file.acquire("lock:later", "owner");
    file.pass(100ms);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(2500ms));
    QCOMPARE(page.locks.size(), 2);
    page.replay.play(600);
    QVERIFY(page.replay.isPlaying());
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.replay.moment(), page.replay.outline().length);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:later=owner"});
    QCOMPARE(page.gaps.size(), 1);
    QCOMPARE(page.gaps.first().cause, GapCause::NotRunning);
    QList<EventKind> kinds;
    for (const LockEvent &event : page.events)
        kinds.append(event.kind);
    QCOMPARE(kinds.count(EventKind::Acquired), 11); // each once
    QCOMPARE(kinds.count(EventKind::Vanished), 10); // what became of them is not known
}

void TestReplay::anOlderWishIsForgotten()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquireEachSecond(50);
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    for (int i = 0; i < 50; ++i)
        page.replay.seek(milliseconds(i * 1000));
    QVERIFY(page.seek(7s));
    QCOMPARE(page.replay.moment(), 7s);
    QCOMPARE(page.locks.size(), 7);
}

void TestReplay::manyLocksAreToldInParts()
{
    constexpr int many = 10'000;
    RecordedFile file;
    file.replaceMany(many);
    file.resume(10s);
    file.setWatched(true);
    file.holdMany("lock:c:", many);
    file.pass(10s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    qsizetype largest = 0;
    int halves = 0;
    connect(&page.replay, &Replay::locksRestored, this, [&](const LockDiff &part) {
        largest = std::max({largest, part.changed.size(), part.removed.size(), part.events.size()});
        QTest::qSleep(15); // longer than a turn may be
    });
    onTold<LockDiff>(page.replay, this, [&](const LockDiff &diff) {
        largest = std::max({largest, diff.changed.size(), diff.removed.size(), diff.events.size()});
        QTest::qSleep(15);
    });
    connect(&page.replay, &Replay::partTold, this, [&] {
        halves += page.replay.isHalfTold() ? 1 : 0;
        QCOMPARE(page.replay.wallNow(), RecordedFile::wallBegin + page.replay.moment().count());
    });
    for (const auto &[moment, prefix] : {std::pair(5s, "lock:a:"), std::pair(15s, "lock:b:"),
                                         std::pair(35s, "lock:c:"), std::pair(4s, "lock:a:")}) {
        halves = 0;
        QVERIFY(page.seek(moment));
        QCOMPARE(page.table.size(), many);
        QVERIFY(page.table.contains(LockKey(prefix + QByteArray::number(many - 1))));
        QVERIFY(!page.replay.isHalfTold());
        QVERIFY(halves > 0);
        QCOMPARE(page.locks.size(), many);
    }
    QVERIFY2(largest < many, qPrintable(QString::number(largest)));
    // Behind the gap they come and go in one change.
    QVERIFY(page.seek(15s));
    page.replay.play(600);
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.table.size(), many);
    QVERIFY(page.table.contains(LockKey("lock:c:0")));
    QVERIFY2(largest < many, qPrintable(QString::number(largest)));
}

/// What was shown of it is of no moment: the next one takes all of it back.
void TestReplay::aNewWishEndsWhatIsHalfTold()
{
    constexpr int many = 10'000;
    RecordedFile file;
    file.setWatched(true);
    file.acquire("lock:first", "owner");
    file.pass(10s);
    file.holdMany("lock:a:", many);
    file.pass(10s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(5s));
    QCOMPARE(page.table.size(), 1);
    connect(&page.replay, &Replay::locksRestored, this, [] { QTest::qSleep(15); });
    bool isCanceled = false;
    qsizetype had = 0;
    connect(&page.replay, &Replay::partTold, this, [&] {
        if (!page.replay.isHalfTold() || page.table.size() <= 1 || std::exchange(isCanceled, true))
            return;
        had = page.table.size();
        page.replay.seek(6s);
    });
    page.replay.seek(15s);
    QVERIFY(page.arrives());
    QVERIFY(isCanceled);
    QVERIFY(had > 1 && had < many);
    QCOMPARE(page.replay.moment(), 6s);
    QCOMPARE(page.table.size(), 1);
    QVERIFY(page.seek(15s));
    QCOMPARE(page.table.size(), many + 1);
}

void TestReplay::fromEventToEvent()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(5s);
    file.acquire("lock:a", "owner");
    file.pass(30min);
    file.release("lock:a");
    file.pass(5s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(0ms));
    QVERIFY(page.step(true));
    QCOMPARE(page.replay.moment(), 5s);
    QVERIFY(page.step(true));
    QCOMPARE(page.replay.moment(), 30min + 5s);
    QVERIFY(page.step(true));
    QCOMPARE(page.replay.moment(), page.replay.outline().length);
    QVERIFY(page.step(false));
    QCOMPARE(page.replay.moment(), 30min + 5s);
    QVERIFY(page.step(false));
    QCOMPARE(page.replay.moment(), 5s);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:a=owner"});
    QVERIFY(page.step(false));
    QCOMPARE(page.replay.moment(), 0ms);
}

void TestReplay::itOpensWhereLocksAre()
{
    const auto outlineOf = [](RecordedFile &file) {
        file.finish();
        ReplayListener page(file.path());
        return page.opens() ? page.replay.outline() : ReplayOutline();
    };
    RecordedFile file;
    file.pass(2s); // nothing is known yet
    file.setWatched(true);
    file.pass(5s);
    file.acquire("lock:a", "owner");
    file.pass(5s);
    file.release("lock:a");
    file.pass(5s);
    QCOMPARE(outlineOf(file).opensAt, 7s);
    RecordedFile early;
    early.acquire("lock:a", "owner");
    early.pass(2s);
    early.setWatched(true);
    early.pass(5s);
    QCOMPARE(outlineOf(early).opensAt, 2s); // all are known
    RecordedFile empty;
    empty.setWatched(true);
    empty.pass(5s);
    QVERIFY(!outlineOf(empty).hasLocks);
}

/// Behind a gap, too, where it is not known when they came and went; and without those that are not listed.
void TestReplay::fromOneThatIsListedToTheNext()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(5s);
    file.acquire("lock:a", "owner");
    file.pass(5s);
    file.acquire("lock:b", "owner");
    file.resume(20s);
    file.setWatched(true); // at 30 s
    file.pass(5s);
    file.acquire("lock:c", "owner");
    file.pass(5s);
    file.setWatched(false);
    file.pass(5s);
    file.finish();
    const ListedEvents all;
    const ListedEvents ofLocks =
        ListedEvents{.moment = [](MonitorEventKind, const LockKey &) { return false; }};
    ListedEvents ofOne = ofLocks;
    ofOne.event = [](const LockEvent &event) { return event.address.key == LockKey("lock:c"); };
    ListedEvents ends = ofLocks;
    ends.event = [](const LockEvent &event) { return event.kind == EventKind::Vanished; };
    const std::pair<ListedEvents, QList<milliseconds>> expected[] = {
        {all, {5s, 10s, 30s, 35s, 40s}}, {ofLocks, {5s, 10s, 30s, 35s}}, {ofOne, {35s}}, {ends, {30s}}};
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    int rewound = 0;
    connect(&page.replay, &Replay::rewound, this, [&] { ++rewound; });
    for (const auto &[listed, moments] : expected) {
        QVERIFY(page.seek(0ms));
        rewound = 0;
        for (const milliseconds moment : moments) {
            QVERIFY(page.step(true, listed));
            QCOMPARE(page.replay.moment(), moment);
        }
        QVERIFY(page.step(true, listed));
        QCOMPARE(page.replay.moment(), page.replay.outline().length);
        QCOMPARE(rewound, 0); // what lies between was told, and no more
        for (qsizetype i = moments.size(); i-- > 0;) {
            QVERIFY(page.step(false, listed));
            QCOMPARE(page.replay.moment(), moments[i]);
        }
        QVERIFY(page.step(false, listed));
        QCOMPARE(page.replay.moment(), 0ms);
    }
    // What is shown is what a jump there shows.
    QVERIFY(page.step(true, ofOne));
    const QByteArrayList stepped = namesOf(page.locks);
    QVERIFY(page.seek(35s));
    QCOMPARE(stepped, namesOf(page.locks));
}

/// The wall clock was set back by an hour: the time that it showed first is found, too.
void TestReplay::aClockThatWasSet()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const TimePoint epoch{1000h};
    const qint64 wall = RecordedFile::wallBegin;
    auto writer = std::move(*RecordingWriter::begin(path, {}, epoch, wall));
    const auto tell = [&](milliseconds at, qint64 wallMs) {
        WatchState watching;
        watching.unreadable = at.count();
        writer->add({epoch + at, wallMs, watching});
        writer->flush(epoch + at, wallMs);
    };
    tell(60s, wall + 60'000);
    tell(120s, wall + 120'000);
    tell(121s, wall + 121'000 - 3'600'000);
    tell(180s, wall + 180'000 - 3'600'000);
    const Recording recording = *Recording::open(path);
    QCOMPARE(recording.momentOf(wall + 90'000), 90s);
    QCOMPARE(recording.momentOf(wall + 150'000 - 3'600'000), 150s);
    QVERIFY(recording.endsAtMs() < recording.latestWallMs());
    QVERIFY(recording.earliestWallMs() < recording.beginsAtMs());
    QCOMPARE(recording.earliestWallMs(), wall + 121'000 - 3'600'000);
    const std::vector<WallStep> steps = recording.wallSteps(10);
    QCOMPARE(steps.size(), size_t(2));
    QCOMPARE(steps[1].moment, 121s);
    QCOMPARE(steps[1].wallMs, wall + 121'000 - 3'600'000);
    QCOMPARE(recording.wallSteps(1).size(), size_t(1));
    ReplayOutline outline;
    outline.wallSteps = steps;
    QCOMPARE(outline.clockSetBacks(), 1);
    for (const milliseconds moment : {0ms, 120s + 0ms, 121s + 0ms, 180s + 0ms})
        QCOMPARE(outline.wallAt(moment), recording.wallAt(moment));
}

void TestReplay::whatIsNoRecording()
{
    const QTemporaryDir directory;
    ReplayListener nothing(directory.filePath(QStringLiteral("none")));
    QVERIFY(!nothing.opens());
    QCOMPARE(nothing.failure->kind, ErrorKind::RecordingFailed);
    QFile file(directory.filePath(QStringLiteral("text")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("What is this?\n");
    file.close();
    ReplayListener text(file.fileName());
    QVERIFY(!text.opens());
    QCOMPARE(text.failure->kind, ErrorKind::RecordingFailed);
}

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
