// SPDX-License-Identifier: GPL-3.0-or-later
// A session is recorded by another thread; what it does not keep up with is a gap, and the locks are right after it.
#include "core/family/registry.h"
#include "core/history/lockhistory.h"
#include "core/monitor/session.h"
#include "core/recording/recorder.h"
#include "core/recording/recording.h"
#include "core/recording/replay.h"
#include "tests/support/filesizelimit.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Recorder> begunRecorder(Session &session, const QString &path)
{
    auto recorder = Recorder::begin(session, path, {});
    if (!recorder)
        qFatal("%s", recorder.error().text().constData());
    return std::move(*recorder);
}

LockDiff manyLocks(int round)
{
    LockDiff diff;
    for (int i = 0; i < 20'000; ++i) {
        WatchedLock lock;
        lock.lock.address.key = LockKey("lock:" + QByteArray::number(i));
        lock.lock.readAt = Clock::now();
        lock.renewals = round;
        diff.changed.append(lock);
        LockEvent event;
        event.kind = EventKind::Renewed;
        event.address = lock.lock.address;
        event.at = lock.lock.readAt;
        diff.events.append(event);
    }
    return diff;
}

} // namespace

class TestRecorder : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aSessionIsRecorded();
    void whatIsTooMuchIsAGap();
    void aRecorderThatComesLate();
    void aStopThatFails();
};

void TestRecorder::aSessionIsRecorded()
{
    RedisServer server;
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    server.cli({"SET", "lock:a", "owner-1", "PX", "600000"});
    Session session(server.socketAddress(), {.monitor = {}, .readOnly = true, .auditPath = {}});
    const auto recorder = begunRecorder(session, path);
    QHash<LockKey, WatchedLock> live;
    int scans = 0;
    onTold<LockDiff>(session, this, [&](const LockDiff &diff) {
        for (const LockKey &key : diff.removed)
            live.remove(key);
        for (const WatchedLock &lock : diff.changed)
            live.insert(lock.key(), lock);
    });
    onTold<ScanStats>(session, this, [&] { ++scans; });
    session.open();
    QTRY_VERIFY(scans > 0);
    server.cli({"SET", "lock:b", "owner-2", "PX", "600000"});
    QTRY_COMPARE(live.size(), 2);
    server.cli({"DEL", "lock:a"});
    QTRY_COMPARE(live.size(), 1);
    bool isLost = false;
    onTold<ConnectionStatus>(
        session, this, [&](const ConnectionStatus &status) { isLost = status.state != Link::State::Ready; });
    server.kill();
    QTRY_VERIFY(isLost);
    // Read while it is recorded: before all locks were read, and since the server is gone.
    QTRY_VERIFY(Recording::open(path)->gaps().size() >= 2);
    const RecordingTotals totals = recorder->finish();
    QVERIFY(totals.events >= 3);
    QCOMPARE(totals.lost, 0);

    const auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->events(), totals.events);
    const RecordedSnapshot end = recording->pictureAt(recording->length(), Clock::now());
    QCOMPARE(end.locks.size(), 1);
    QCOMPARE(end.locks.first().key(), LockKey("lock:b"));
    QCOMPARE(end.locks.first().lock.owners, live.value(LockKey("lock:b")).lock.owners);
    QVERIFY(end.confirmedAt.has_value());
    QCOMPARE(end.watching.serverMode, QByteArray("standalone"));
    QVERIFY(!end.watching.isCurrent());
    const QList<RecordingGap> gaps = recording->gaps();
    QCOMPARE(gaps.last().cause, GapCause::NotWatched);
    QCOMPARE(gaps.last().to, recording->length());
}

void TestRecorder::whatIsTooMuchIsAGap()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    Session session(ServerAddress(), {.monitor = {}, .readOnly = true, .auditPath = {}});
    const auto recorder = begunRecorder(session, path);
    WatchState watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    recorder->tell(watching);
    QVERIFY(watching.isCurrent());
    constexpr int rounds = 30;
    for (int round = 0; round < rounds; ++round)
        recorder->tell(manyLocks(round));
    recorder->setConfirmed(Clock::now()); // but what was recorded is older
    const RecordingTotals totals = recorder->finish();
    QVERIFY(totals.lost > 0);
    QCOMPARE(totals.events + totals.lost, qint64(rounds) * 20'000);
    const auto recording = Recording::open(path);
    const QList<RecordingGap> gaps = recording->gaps();
    const auto gap = std::ranges::find(gaps, GapCause::Overrun, &RecordingGap::cause);
    QVERIFY(gap != gaps.end());
    QCOMPARE(gap->lost, totals.lost);
    // What was recorded before it is not said to have stood until it began.
    QVERIFY(std::ranges::any_of(gaps, [&](const RecordingGap &other) {
        return other.cause == GapCause::NotWatched && other.from < gap->to && other.to >= gap->from;
    }));
    const RecordedSnapshot end = recording->pictureAt(recording->length(), Clock::now());
    QVERIFY(!end.confirmedAt.has_value());
    QCOMPARE(end.locks.size(), 20'000);
    for (const WatchedLock &lock : end.locks)
        QCOMPARE(lock.renewals, rounds - 1);
}

/// What is known already is its first state, and nothing is said to have happened.
void TestRecorder::aRecorderThatComesLate()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    ToldSource source;
    ConnectionStatus ready;
    ready.state = Link::State::Ready;
    ready.server.version = "7.0.15";
    source.tell(ready);
    ScanStats scan;
    scan.complete = true;
    source.tell(scan);
    QVERIFY(watchingOf(source.watched()).isCurrent());
    RecordedSnapshot known;
    known.locks = manyLocks(3).changed;
    Lock &held = known.locks[8].lock;
    held.owners = {LockOwner{OwnerId("owner"), "1", 1}};
    held.type = KeyType::Hash;
    held.family = *familyFromName("reentrant");
    held.evidence = EvidenceSet{Evidence::Content, Evidence::Renewals};
    known.watching = watchingOf(source.watched());
    auto recorder = std::move(*Recorder::begin(source, path, {}, &known));
    QSignalSpy progressed(recorder.get(), &Recorder::progressed);
    QSignalSpy ended(recorder.get(), &Recorder::ended);
    LockDiff diff;
    diff.removed = {LockKey("lock:7")};
    source.tell(diff);
    ConnectionStatus lost = ready;
    lost.state = Link::State::Backoff;
    QTRY_VERIFY(!progressed.isEmpty());
    source.tell(lost);
    recorder->end();
    source.tell(manyLocks(4)); // too late
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<RecordingTotals>().events, 0);
    recorder.reset();

    const auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->events(), 0);
    const milliseconds middle = recording->gaps().last().from - 1ms;
    const RecordedSnapshot picture = recording->pictureAt(middle, Clock::now());
    QVERIFY(picture.watching.isCurrent());
    QCOMPARE(picture.locks.size(), 20'000 - 1);
    for (const WatchedLock &lock : picture.locks)
        QCOMPARE(lock.renewals, 3);
    QVERIFY(!recording->pictureAt(recording->length(), Clock::now()).watching.isCurrent());
    // All is known from the begin on, and the timeline has the holds, which began before it.
    QCOMPARE(recording->gaps().size(), 1);
    Replay replay(path);
    LockHistory history;
    connect(&replay, &Replay::opened, &replay, [&] { replay.seek(middle); });
    connect(&replay, &Replay::rewound, &replay, [&] { history.clear(); });
    connect(&replay, &Replay::locksRestored, &replay,
            [&](const LockDiff &told) { history.apply(told, replay.wallNow()); });
    replay.open();
    QTRY_VERIFY(replay.isPastTold());
    QVERIFY(history.store().find(LockKey("lock:8")));
    QVERIFY(history.store().at(LockKey("lock:8")).foundAt());
}

/// What could not be written at the end is told.
void TestRecorder::aStopThatFails()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    ToldSource source;
    auto recorder = std::move(*Recorder::begin(source, path, {}));
    QSignalSpy ended(recorder.get(), &Recorder::ended);
    {
        const FileSizeLimit limit(QFileInfo(path).size());
        recorder->tell(manyLocks(1));
        recorder->end();
        QTRY_COMPARE(ended.size(), 1);
    }
    const auto totals = ended.first().first().value<RecordingTotals>();
    QVERIFY(totals.isFailing);
    QCOMPARE(totals.failure.kind, ErrorKind::RecordingFailed);
    QCOMPARE(totals.lost, 20'000);
}

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
