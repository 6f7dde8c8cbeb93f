// SPDX-License-Identifier: GPL-3.0-or-later
// A recording gives back what was told, at any moment.
#include "core/recording/listedevents.h"
#include "tests/core/recording/recordedsteps.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

class TestRecording : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyMomentIsAsItWas();
    void everythingToldComesBack();
    void manyAtOnceKeepTheirEvents();
    void timeNeverGoesBack();
    void timeIsThatOfWhoReads();
    void keyframesTellNothingNew();
    void runsFollowEachOther();
    void theWallClockFindsMoments();
    void eventsOfATime();
    void anIncidentIsToldOnce();
    void holesAreNotRead();
};

/// Of a file that is larger than any disk, and ends in nothing.
void TestRecording::holesAreNotRead()
{
    const RecordedSteps recorded(7);
    const qint64 events = recorded.open().events();
    QFile file(recorded.path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(qint64(200) << 30));
    QElapsedTimer taken;
    taken.start();
    QCOMPARE(recorded.open().events(), events);
    QVERIFY2(taken.elapsed() < 5'000, QByteArray::number(taken.elapsed()));
}

void TestRecording::everyMomentIsAsItWas()
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const RecordedSteps recorded(seed);
        const Recording recording = recorded.open();
        const TimePoint as{24h};
        for (qsizetype i = 0; i < recorded.snapshots.size(); i += 9) {
            const RecordedSteps::Snapshot &then = recorded.snapshots[i];
            const milliseconds moment = recorded.momentOf(then.at);
            if (i + 1 < recorded.snapshots.size() &&
                recorded.momentOf(recorded.snapshots[i + 1].at) == moment)
                continue; // two within a millisecond are one moment
            const RecordedSnapshot picture = recording.pictureAt(moment, as);
            const Clock::duration shift = as.time_since_epoch() - moment;
            const QByteArray difference =
                differenceOf(then.locks, byKey(picture.locks), recorded.epoch, shift);
            QVERIFY2(difference.isEmpty(), QByteArray::number(seed) + ": " + difference);
            QCOMPARE(picture.deadlocks, then.deadlocks);
            QVERIFY(picture.isRecorded);
        }
    }
}

void TestRecording::everythingToldComesBack()
{
    const RecordedSteps recorded(99);
    const Recording recording = recorded.open();
    RecordingCursor cursor(recording, 0ms, recorded.epoch);
    qsizetype next = 0;
    while (const auto step = cursor.next()) {
        const auto *entry = std::get_if<RecordedEntry>(&*step);
        QVERIFY(entry);
        const RecordedEntry &told = recorded.entries[next++];
        QCOMPARE(entry->at, recorded.epoch + recorded.momentOf(told.at));
        QVERIFY(std::abs(entry->wallMs - told.wallMs) <= 1);
        QCOMPARE(entry->what.index(), told.what.index());
        if (const auto *diff = std::get_if<LockDiff>(&entry->what)) {
            const auto &expected = std::get<LockDiff>(told.what);
            QCOMPARE(QSet<LockKey>(diff->removed.begin(), diff->removed.end()),
                     QSet<LockKey>(expected.removed.begin(), expected.removed.end()));
            QCOMPARE(diff->changed.size(), expected.changed.size());
            QCOMPARE(diff->events.size(), expected.events.size());
            for (qsizetype i = 0; i < diff->events.size(); ++i) {
                const LockEvent &read = diff->events[i];
                const LockEvent event = asRecorded(expected.events[i], recorded.epoch, true);
                QCOMPARE(read.kind, event.kind);
                QCOMPARE(read.address, event.address);
                QCOMPARE(read.family, event.family);
                if (!event.family.isUnknown())
                    QCOMPARE(read.owners, event.owners);
                QCOMPARE(read.ttl, event.ttl);
                QCOMPARE(read.at - recorded.epoch, event.at.time_since_epoch());
                QVERIFY(std::abs(read.wallMs - event.wallMs) <= 1);
                QCOMPARE(read.others, event.others);
                QCOMPARE(read.byOtherProgram, event.byOtherProgram);
                QCOMPARE(read.wasRenewed, event.wasRenewed);
                QVERIFY(read.held == event.held);
                QVERIFY(read.unseenFor == event.unseenFor);
            }
        }
    }
    QCOMPARE(next, recorded.entries.size());
}

/// Events stand in another order than what has changed and what has gone, as those of a monitor do.
void TestRecording::manyAtOnceKeepTheirEvents()
{
    for (const int count : {20, 65, 400}) {
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("recording"));
        const TimePoint epoch{1h};
        constexpr qint64 wallMs = 1'790'000'000'000;
        auto writer = std::move(*RecordingWriter::begin(path, {}, epoch, wallMs));
        QList<std::pair<EventKind, LockKey>> told;
        for (int turn = 0; turn < 3; ++turn) {
            const TimePoint at = epoch + (turn + 1) * 100ms;
            LockDiff diff;
            for (int i = 0; i < count; ++i) {
                WatchedLock lock;
                lock.lock.address.key = LockKey("lock:" + QByteArray::number(i));
                lock.lock.owners = {{OwnerId("owner-" + QByteArray::number(turn)), "1", 1}};
                lock.lock.readAt = lock.heldSince = at;
                const bool isGone = turn > 0 && i % 3 == 0;
                isGone ? diff.removed.append(lock.key()) : diff.changed.append(lock);
                LockEvent event;
                event.kind = isGone ? EventKind::Released : EventKind::Acquired;
                event.address = lock.lock.address;
                event.owners = lock.lock.owners;
                event.at = at;
                event.wallMs = wallMs + (turn + 1) * 100;
                diff.events.append(event);
            }
            std::shuffle(diff.removed.begin(), diff.removed.end(), std::mt19937(5));
            std::rotate(diff.events.begin(), diff.events.begin() + count / 3, diff.events.end());
            for (const LockEvent &event : std::as_const(diff.events))
                told.append({event.kind, event.address.key});
            writer->add({at, wallMs + (turn + 1) * 100, diff});
        }
        writer->flush(epoch + 1s, wallMs + 1000);
        const auto recording = Recording::open(path);
        QVERIFY(recording);
        RecordingCursor cursor(*recording, 0ms, epoch);
        QList<std::pair<EventKind, LockKey>> read;
        while (const auto step = cursor.next()) {
            const auto *entry = std::get_if<RecordedEntry>(&*step);
            const auto *diff = entry ? std::get_if<LockDiff>(&entry->what) : nullptr;
            for (qsizetype i = 0; diff && i < diff->events.size(); ++i)
                read.append({diff->events[i].kind, diff->events[i].address.key});
        }
        QVERIFY(read == told);
    }
}

/// Who adds later than it happened, behind a flush, loses nothing.
void TestRecording::timeNeverGoesBack()
{
    RecordedSteps recorded(12, 50);
    const TimePoint then = recorded.life.now();
    const qint64 wallMs = recorded.life.wallMs();
    recorded.step();
    recorded.writer->flush(recorded.life.now() + 5s, recorded.life.wallMs() + 5000);
    LockDiff diff;
    diff.removed = recorded.life.locks().keys();
    recorded.writer->add({then, wallMs, diff});
    recorded.writer->flush(then + 6s, wallMs + 6000);
    const Recording recording = recorded.open();
    const RecordedSnapshot picture = recording.pictureAt(recording.length(), TimePoint{24h});
    QVERIFY(picture.isRecorded);
    QVERIFY(picture.locks.isEmpty());
}

/// What is left of a lease at a moment is what was left then.
void TestRecording::timeIsThatOfWhoReads()
{
    const RecordedSteps recorded(5);
    const Recording recording = recorded.open();
    const TimePoint now = Clock::now();
    const milliseconds moment = recording.length() / 2;
    const RecordedSnapshot picture = recording.pictureAt(moment, now);
    QVERIFY(!picture.locks.isEmpty());
    for (const WatchedLock &lock : picture.locks) {
        QVERIFY(lock.lock.readAt <= now);
        QVERIFY(now - lock.lock.readAt < 1h);
        if (lock.lock.deadline)
            QVERIFY(lock.lock.deadline->remaining(now) < 61s);
    }
    // A later one is the end; an earlier one, the begin.
    QCOMPARE(recording.pictureAt(recording.length() + 1h, now).locks.size(), recorded.life.locks().size());
    QVERIFY(recording.pictureAt(-1h, now).locks.isEmpty());
}

/// A gap's keyframe tells the difference to what was known before it.
void TestRecording::keyframesTellNothingNew()
{
    RecordedSteps recorded(6, 200);
    recorded.writer->addGap(GapCause::Overrun, 17, recorded.life.now(), recorded.life.wallMs());
    for (int i = 0; i < 100; ++i)
        recorded.step();
    recorded.writer->flush(recorded.life.now(), recorded.life.wallMs());
    const Recording recording = recorded.open();
    RecordingCursor cursor(recording, 0ms, recorded.epoch);
    LocksByKey locks;
    int gaps = 0;
    while (const auto step = cursor.next()) {
        if (const auto *gap = std::get_if<RecordingGap>(&*step)) {
            ++gaps;
            QCOMPARE(gap->cause, GapCause::Overrun);
            QCOMPARE(gap->lost, 17);
            continue;
        }
        if (const auto *diff = std::get_if<LockDiff>(&std::get<RecordedEntry>(*step).what)) {
            for (const LockKey &key : diff->removed)
                locks.remove(key);
            for (const WatchedLock &lock : diff->changed)
                locks.insert(lock.key(), lock);
        }
    }
    QCOMPARE(gaps, 1);
    QCOMPARE(differenceOf(recorded.life.locks(), locks, recorded.epoch, recorded.epoch.time_since_epoch()),
             QByteArray());
}

void TestRecording::runsFollowEachOther()
{
    RecordedSteps recorded(7, 100);
    const milliseconds first = recorded.open().length();
    recorded.writer.reset();
    // Another run, a minute later by the wall clock, with another clock of its own.
    RecordedLife life(8);
    auto second = RecordingWriter::begin(recorded.path, {}, life.now(), recorded.life.wallMs() + 60'000);
    QVERIFY(second);
    for (int i = 0; i < 50; ++i) {
        RecordedEntry entry = life.step();
        entry.wallMs += recorded.life.wallMs() + 60'000 - RecordedLife::wallBegin;
        (*second)->add(entry);
    }
    (*second)->flush(life.now(), life.wallMs() + recorded.life.wallMs() + 60'000 - RecordedLife::wallBegin);
    const Recording recording = recorded.open();
    QCOMPARE(recording.files(), 2);
    QVERIFY(recording.length() > first + 55s);
    const QList<RecordingGap> gaps = recording.gaps();
    const auto gap = std::ranges::find(gaps, GapCause::NotRunning, &RecordingGap::cause);
    QVERIFY(gap != gaps.end());
    QCOMPARE(gap->from, first);
    QVERIFY(!recording.pictureAt(first + 30s, TimePoint{24h}).isRecorded);
    QCOMPARE(recording.pictureAt(recording.length(), TimePoint{24h}).locks.size(), life.locks().size());
}

void TestRecording::theWallClockFindsMoments()
{
    const RecordedSteps recorded(11, 100);
    const Recording recording = recorded.open();
    QCOMPARE(recording.momentOf(0), 0ms);
    QCOMPARE(recording.momentOf(recording.endsAtMs()), recording.length());
    QCOMPARE(recording.momentOf(std::numeric_limits<qint64>::max()), recording.length());
    QCOMPARE(recording.beginsAtMs(), RecordedLife::wallBegin);
}

void TestRecording::eventsOfATime()
{
    const RecordedSteps recorded(11);
    const Recording recording = recorded.open();
    QList<milliseconds> moments;
    qint64 events = 0;
    for (const RecordedEntry &entry : recorded.entries) {
        const auto *diff = std::get_if<LockDiff>(&entry.what);
        if (!diff || diff->events.isEmpty())
            continue;
        events += diff->events.size();
        const milliseconds moment = recorded.momentOf(entry.at);
        if (moments.isEmpty() || moments.last() != moment)
            moments.append(moment);
    }
    const ListedEvents ofLocks{.moment = [](MonitorEventKind, const LockKey &) { return false; }};
    // From one to the next, and back.
    std::optional<milliseconds> at = milliseconds(-1);
    for (const milliseconds moment : moments) {
        at = recording.eventAfter(*at, ofLocks);
        QCOMPARE(at.value_or(-1ms), moment);
    }
    QVERIFY(!recording.eventAfter(*at, ofLocks));
    for (qsizetype i = moments.size() - 1; i-- > 0;) {
        at = recording.eventBefore(*at, ofLocks);
        QCOMPARE(at.value_or(-1ms), moments[i]);
    }
    QVERIFY(!recording.eventBefore(*at, ofLocks));
    const std::vector<qint64> parts = recording.eventsIn(10);
    QCOMPARE(parts.size(), size_t(10));
    const qint64 sum = std::accumulate(parts.begin(), parts.end(), qint64(0));
    QVERIFY(sum > events / 2 && sum < events * 2);
    // Where to begin, so that there are not more.
    const milliseconds end = recording.length();
    QCOMPARE(recording.beginOf(end, 1h, events + 1), 0ms);
    const milliseconds late = recording.beginOf(end, 500ms, events + 1);
    QVERIFY(late <= end - 500ms && late > end - 1s);
    // A chunk begins there: what was known is known without the rest of it.
    RecordingCursor cursor(recording, late, TimePoint{});
    const RecordedSnapshot before = cursor.begin();
    QCOMPARE(differenceOf(byKey(recording.pictureAt(late - 1ms, TimePoint(-1ms)).locks), byKey(before.locks),
                          TimePoint{}, {}),
             QByteArray());
    const milliseconds begin = recording.beginOf(end, 1h, events / 4);
    QVERIFY(begin > 0ms && begin < end);
    QVERIFY(std::ranges::count_if(recorded.entries, [&](const RecordedEntry &entry) {
                return recorded.momentOf(entry.at) >= begin && std::holds_alternative<LockDiff>(entry.what);
            }) > 0);
}

/// A list has it once, as whoever follows what is told does.
void TestRecording::anIncidentIsToldOnce()
{
    WatchState watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    watching.feed.incident = FeedStatus::Incident{.what = FeedGap::Lost, .at = TimePoint{1h}};
    ListedSteps steps;
    steps.begin({}, false);
    const auto isListed = [&](const RecordingCursor::Step &step) { return steps.take(step, {}); };
    QVERIFY(isListed(RecordedEntry{TimePoint{2h}, 0, watching}));
    QVERIFY(!isListed(RecordedEntry{TimePoint{2h}, 0, watching}));
    QVERIFY(isListed(RecordingGap()));
    QVERIFY(!isListed(RecordedEntry{TimePoint{3h}, 0, watching}));
    watching.feed.incident->at = TimePoint{3h};
    QVERIFY(isListed(RecordedEntry{TimePoint{3h}, 0, watching}));
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
