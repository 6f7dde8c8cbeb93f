// SPDX-License-Identifier: GPL-3.0-or-later
// A recording gives back what was told, at any moment, whatever became of its file.
#include "core/recording/listedevents.h"
#include "core/recording/lockfields.h"
#include "core/recording/recording.h"
#include "core/recording/recordingwriter.h"
#include "tests/support/recordedlife.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

using Locks = QHash<LockKey, WatchedLock>;

/// What was known when.
struct Snapshot
{
    TimePoint at;
    Locks locks;
    QList<Deadlock> deadlocks;
};

Locks byKey(const QList<WatchedLock> &list)
{
    Locks locks;
    for (const WatchedLock &lock : list)
        locks.insert(lock.key(), lock);
    return locks;
}

/// The first difference, or nothing.
QByteArray differenceOf(const Locks &told, const Locks &read, TimePoint epoch, Clock::duration shift)
{
    if (told.size() != read.size())
        return "locks: " + QByteArray::number(told.size()) + ", read: " + QByteArray::number(read.size());
    for (const WatchedLock &lock : told) {
        const WatchedLock expected = shifted(asRecorded(lock, epoch), shift);
        if (const quint32 parts = lockfields::differences(expected, read.value(lock.key())); parts != 0)
            return lock.key().bytes + " differs in " + QByteArray::number(parts, 16);
    }
    return {};
}

class Recorded
{
public:
    explicit Recorded(unsigned seed, int steps = 400, RecordingOptions options = {})
        : life(seed), epoch(life.now())
    {
        path = directory.filePath(QStringLiteral("recording"));
        auto begun = RecordingWriter::begin(path, options, epoch, life.wallMs());
        if (!begun)
            qFatal("%s", begun.error().text().constData());
        writer = std::move(*begun);
        for (int i = 0; i < steps; ++i)
            step();
        writer->flush(life.now(), life.wallMs());
    }
    void step()
    {
        RecordedEntry entry = life.step();
        if (auto *diff = std::get_if<LockDiff>(&entry.what)) {
            for (qsizetype i = 0; i < diff->events.size(); ++i)
                diff->events[i].unseenFor = (entries.size() + i) % 3 == 2
                                                ? milliseconds::max()
                                                : milliseconds((entries.size() + i) % 3 * 1500);
        }
        writer->add(entry);
        entries.append(entry);
        snapshots.append({life.now(), life.locks(), life.deadlocks()});
        if (snapshots.size() % 7 == 0)
            writer->flush(life.now(), life.wallMs());
    }
    Recording open() const
    {
        auto opened = Recording::open(path);
        if (!opened)
            qFatal("%s", opened.error().text().constData());
        return std::move(*opened);
    }
    QByteArray bytes() const
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void replace(const QByteArray &bytes) const
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
            qFatal("not written");
    }
    milliseconds momentOf(TimePoint at) const { return std::chrono::floor<milliseconds>(at - epoch); }

    QTemporaryDir directory;
    QString path;
    RecordedLife life;
    TimePoint epoch;
    std::unique_ptr<RecordingWriter> writer;
    QList<Snapshot> snapshots;
    QList<RecordedEntry> entries;
};

} // namespace

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
    void aTornEndIsNoError();
    void damageCostsItsSegment();
    void keyframesTellNothingNew();
    void runsFollowEachOther();
    void otherFilesAreRefused();
    void theWallClockFindsMoments();
    void codesAreComplete();
    void fewBytesTellLittle();
    void valuesThatNobodyWrites();
    void eventsOfATime();
};

void TestRecording::everyMomentIsAsItWas()
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const Recorded recorded(seed);
        const Recording recording = recorded.open();
        const TimePoint as{24h};
        for (qsizetype i = 0; i < recorded.snapshots.size(); i += 9) {
            const Snapshot &then = recorded.snapshots[i];
            const milliseconds moment = recorded.momentOf(then.at);
            if (i + 1 < recorded.snapshots.size() &&
                recorded.momentOf(recorded.snapshots[i + 1].at) == moment)
                continue; // two within a millisecond are one moment
            const RecordedPicture picture = recording.pictureAt(moment, as);
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
    const Recorded recorded(99);
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
    Recorded recorded(12, 50);
    const TimePoint then = recorded.life.now();
    const qint64 wallMs = recorded.life.wallMs();
    recorded.step();
    recorded.writer->flush(recorded.life.now() + 5s, recorded.life.wallMs() + 5000);
    LockDiff diff;
    diff.removed = recorded.life.locks().keys();
    recorded.writer->add({then, wallMs, diff});
    recorded.writer->flush(then + 6s, wallMs + 6000);
    const Recording recording = recorded.open();
    const RecordedPicture picture = recording.pictureAt(recording.length(), TimePoint{24h});
    QVERIFY(picture.isRecorded);
    QVERIFY(picture.locks.isEmpty());
}

/// What is left of a lease at a moment is what was left then.
void TestRecording::timeIsThatOfWhoReads()
{
    const Recorded recorded(5);
    const Recording recording = recorded.open();
    const TimePoint now = Clock::now();
    const milliseconds moment = recording.length() / 2;
    const RecordedPicture picture = recording.pictureAt(moment, now);
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

void TestRecording::aTornEndIsNoError()
{
    const Recorded recorded(3, 30);
    const QByteArray whole = recorded.bytes();
    const milliseconds length = recorded.open().length();
    milliseconds before{0};
    for (qsizetype size = 0; size < whole.size(); ++size) {
        recorded.replace(whole.first(size));
        const auto opened = Recording::open(recorded.path);
        if (!opened) {
            // Not even the first keyframe is whole.
            QVERIFY(size < RecordingHeader::size + 4 * ChunkHeader::size);
            continue;
        }
        QVERIFY(opened->length() >= before);
        QVERIFY(opened->length() <= length);
        before = opened->length();
        QVERIFY(opened->pictureAt(opened->length(), TimePoint{24h}).isRecorded);
    }
}

void TestRecording::damageCostsItsSegment()
{
    const Recorded recorded(4, 300);
    const QByteArray whole = recorded.bytes();
    std::mt19937 random(4U);
    for (int round = 0; round < 40; ++round) {
        QByteArray bytes = whole;
        const auto place =
            RecordingHeader::size + qsizetype(random() % unsigned(bytes.size() - RecordingHeader::size));
        bytes[place] = static_cast<char>(bytes[place] ^ int(1 + random() % 255));
        recorded.replace(bytes);
        auto opened = Recording::open(recorded.path);
        if (!opened)
            continue; // the only keyframe's header
        opened->check();
        // Either it is told, or it is the last chunk's, which counts as torn.
        const QList<RecordingGap> gaps = opened->gaps();
        const bool isTold =
            std::ranges::any_of(gaps, [](const auto &gap) { return gap.cause == GapCause::Damaged; });
        if (!isTold && opened->length() > 0ms)
            QVERIFY(opened->length() <= recorded.momentOf(recorded.life.now()));
        RecordingCursor cursor(*opened, 0ms, TimePoint{24h});
        while (cursor.next()) {
        }
        for (qsizetype i = 10; i < 299; i += 40) {
            const Snapshot &then = recorded.snapshots[i];
            const milliseconds moment = recorded.momentOf(then.at);
            if (recorded.momentOf(recorded.snapshots[std::min<qsizetype>(i + 1, 299)].at) == moment)
                continue;
            const RecordedPicture picture = opened->pictureAt(moment, recorded.epoch + moment);
            if (picture.isRecorded && moment <= opened->length() && opened->length() > 0ms)
                QVERIFY(differenceOf(then.locks, byKey(picture.locks), recorded.epoch,
                                     recorded.epoch.time_since_epoch())
                            .isEmpty());
        }
    }
}

/// A gap's keyframe tells the difference to what was known before it.
void TestRecording::keyframesTellNothingNew()
{
    Recorded recorded(6, 200);
    recorded.writer->addGap(GapCause::Overrun, 17, recorded.life.now(), recorded.life.wallMs());
    for (int i = 0; i < 100; ++i)
        recorded.step();
    recorded.writer->flush(recorded.life.now(), recorded.life.wallMs());
    const Recording recording = recorded.open();
    RecordingCursor cursor(recording, 0ms, recorded.epoch);
    Locks locks;
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
    Recorded recorded(7, 100);
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

void TestRecording::otherFilesAreRefused()
{
    const QTemporaryDir directory;
    const auto refusal = [&](const QByteArray &content) {
        const QString path = directory.filePath(QStringLiteral("file"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return QByteArray();
        file.write(content);
        file.close();
        const auto opened = Recording::open(path);
        const auto probed = Recording::canOpen(path);
        if (opened || probed || opened.error().text() != probed.error().text())
            return QByteArray();
        return opened.error().text();
    };
    QVERIFY(refusal("").contains("is not a recording"));
    QVERIFY(refusal(QByteArray("SQLite format 3").repeated(100)).contains("is not a recording"));
    RecordingHeader newer;
    newer.version = RecordingHeader::currentVersion + 1;
    QVERIFY(refusal(newer.toBytes()).contains("newer Lockscope"));
    QVERIFY(refusal(RecordingHeader().toBytes()).contains("holds nothing"));
    QVERIFY(!Recording::open(directory.filePath(QStringLiteral("missing"))));
    QVERIFY(!Recording::open(directory.path()));
}

void TestRecording::theWallClockFindsMoments()
{
    const Recorded recorded(11, 100);
    const Recording recording = recorded.open();
    QCOMPARE(recording.momentOf(0), 0ms);
    QCOMPARE(recording.momentOf(recording.endsAtMs()), recording.length());
    QCOMPARE(recording.momentOf(std::numeric_limits<qint64>::max()), recording.length());
    QCOMPARE(recording.beginsAtMs(), RecordedLife::wallBegin);
}

/// A value that no table has would be written as another.
void TestRecording::codesAreComplete()
{
    QCOMPARE(recordingcodes::events.size(), size_t(EventKind::Forced) + 1);
    QCOMPARE(recordingcodes::keyTypes.size(), size_t(KeyType::Other) + 1);
    QCOMPARE(recordingcodes::leases.size(), size_t(LeaseOf::Unknown) + 1);
    QCOMPARE(recordingcodes::silences.size(), size_t(Silence::Proves) + 1);
    QCOMPARE(recordingcodes::feedGaps.size(), size_t(FeedGap::RedirectBroken) + 1);
    QCOMPARE(recordingcodes::resets.size(), size_t(ServerReset::Cause::Unknown) + 1);
    QCOMPARE(recordingcodes::connections.size(), size_t(Link::State::Refused) + 1);
    int problems = 0;
    for (const Problem problem : recordingcodes::problems)
        problems |= int(problem);
    QCOMPARE(problems, 0x17ff); // every one of the enumeration
}

/// A chunk of many frames would take a thousand times its bytes to be told.
void TestRecording::fewBytesTellLittle()
{
    const QByteArray emptyDeadlocks("\x02\x00", 2);
    ChunkHeader header;
    header.type = ChunkHeader::Type::Keyframe;
    const auto isRead = [&](qsizetype frames) {
        SegmentReader reader;
        return reader.apply(header, {emptyDeadlocks.repeated(frames), {}},
                            std::numeric_limits<qint64>::max());
    };
    QVERIFY(isRead(SegmentWriter::manyFrames));
    QVERIFY(!isRead(1'000'000));
    // Ours is written before it has so many.
    SegmentWriter writer(TimePoint{}, nullptr);
    for (quint32 i = 0; i < SegmentWriter::manyFrames; ++i) {
        QVERIFY(!writer.isLong());
        writer.add({TimePoint{}, 0, QList<Deadlock>()});
    }
    QVERIFY(writer.isLong());
    SegmentWriter other(TimePoint{}, nullptr);
    other.add({TimePoint{}, 0, QList<Deadlock>()});
    ChunkHeader made;
    QCOMPARE(other.takeChanges(made).numbers, emptyDeadlocks);
}

/// Whoever shows a value takes for granted what its maker sees to.
void TestRecording::valuesThatNobodyWrites()
{
    const auto isRead = [](const auto &value, auto fields) {
        FieldWriter writer(nullptr);
        fields(writer, value);
        FieldReader reader;
        reader.setInput(writer.numbers(), writer.newTexts());
        auto read = value;
        fields(reader, read);
        return reader.isGood();
    };
    const auto areDeadlocksRead = [&](qsizetype length) {
        const QList<Deadlock> deadlocks{{QList<WaitEdge>(length, {LockKey("lock:a"), "a", "b"})}};
        return isRead(deadlocks, [](auto &io, auto &value) { lockfields::deadlocksFields(io, value); });
    };
    QVERIFY(areDeadlocksRead(2));
    QVERIFY(!areDeadlocksRead(1));
    QVERIFY(!areDeadlocksRead(0));
    const auto isQuorumRead = [&](qsizetype members, int agreeing, int unknown, int shown) {
        Quorum quorum;
        quorum.members.resize(members);
        quorum.agreeing = agreeing;
        quorum.unknown = unknown;
        quorum.shownMember = shown;
        return isRead(quorum, [](auto &io, auto &value) { lockfields::quorumField(io, value, 0); });
    };
    QVERIFY(isQuorumRead(3, 3, 3, 2));
    QVERIFY(!isQuorumRead(0, 0, 0, 0));
    QVERIFY(!isQuorumRead(3, 3, 0, 3));
    QVERIFY(!isQuorumRead(3, 4, 0, 0));
    QVERIFY(!isQuorumRead(3, 0, std::numeric_limits<int>::max(), 0));
}

void TestRecording::eventsOfATime()
{
    const Recorded recorded(11);
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
    // From one to the next, and back.
    std::optional<milliseconds> at = milliseconds(-1);
    for (const milliseconds moment : moments) {
        at = recording.eventAfter(*at, ListedEvents::ofLocks());
        QCOMPARE(at.value_or(-1ms), moment);
    }
    QVERIFY(!recording.eventAfter(*at, ListedEvents::ofLocks()));
    for (qsizetype i = moments.size() - 1; i-- > 0;) {
        at = recording.eventBefore(*at, ListedEvents::ofLocks());
        QCOMPARE(at.value_or(-1ms), moments[i]);
    }
    QVERIFY(!recording.eventBefore(*at, ListedEvents::ofLocks()));
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
    const RecordedPicture before = cursor.begin();
    QCOMPARE(differenceOf(byKey(recording.pictureAt(late - 1ms, TimePoint(-1ms)).locks), byKey(before.locks),
                          TimePoint{}, {}),
             QByteArray());
    const milliseconds begin = recording.beginOf(end, 1h, events / 4);
    QVERIFY(begin > 0ms && begin < end);
    QVERIFY(std::ranges::count_if(recorded.entries, [&](const RecordedEntry &entry) {
                return recorded.momentOf(entry.at) >= begin && std::holds_alternative<LockDiff>(entry.what);
            }) > 0);
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
