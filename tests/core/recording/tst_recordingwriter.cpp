// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a recording: bounded, private, nobody else's, and with their gaps told.
#include "core/recording/recording.h"
#include "core/recording/recordingparts.h"
#include "core/recording/recordingwriter.h"
#include "tests/support/filesizelimit.h"
#include "tests/support/recordedlife.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<RecordingWriter> begun(const QString &path, const RecordingOptions &options, TimePoint now,
                                       qint64 wallMs)
{
    auto writer = RecordingWriter::begin(path, options, now, wallMs);
    if (!writer)
        qFatal("%s", writer.error().text().constData());
    return std::move(*writer);
}

/// What is in all chunks, as it was before it was compressed.
QByteArray unpacked(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll();
    QByteArray content;
    for (qsizetype at = RecordingHeader::size; at + ChunkHeader::size <= bytes.size();) {
        const auto header = ChunkHeader::fromBytes(QByteArrayView(bytes).sliced(at, ChunkHeader::size));
        if (!header)
            break;
        if (const auto streams =
                unpack(*header, QByteArrayView(bytes).sliced(at + ChunkHeader::size, header->contentSize())))
            content += streams->numbers + streams->texts;
        at += ChunkHeader::size + header->contentSize();
    }
    return content;
}

} // namespace

class TestRecordingWriter : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void oldPartsGo();
    void aFullDiskIsAGap();
    void otherFilesStay();
    void oneRecorderAFile();
    void aLowerLimitDeletesNothing();
    void anonymousSaysNobody();
    void valuesAreNotRecorded();
    void quietTimeIsRecorded();
    void quietTimeBeginsBehindWhatWasTold();
    void unwatchedTimeIsAGap();
    void aSlowDiskSetsNoClock();
    void nothingIsWrittenThatIsNotRead();
};

void TestRecordingWriter::oldPartsGo()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    RecordedLife life(1, 1000);
    const auto writer = begun(path, {.limit = RecordingOptions::leastLimit}, life.now(), life.wallMs());
    qint64 most = 0;
    for (int i = 0; i < 60'000 && writer->totals().bytes < 3 * RecordingOptions::leastLimit; ++i) {
        writer->add({life.now(), life.wallMs(), life.randomDiff()});
        if (i % 200 != 0)
            continue;
        life.step();
        writer->flush(life.now(), life.wallMs());
        qint64 bytes = 0;
        for (const QFileInfo &file : QDir(directory.path()).entryInfoList(QDir::Files))
            bytes += file.size();
        most = std::max(most, bytes);
    }
    QVERIFY(writer->totals().bytes >= 3 * RecordingOptions::leastLimit);
    QVERIFY2(most <= RecordingOptions::leastLimit, QByteArray::number(most));
    const QList<RecordingPart> parts = recordingParts(path);
    QVERIFY(parts.size() > 1);
    QVERIFY(parts.first().number > 1);
    const auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->files(), parts.size() + 1);
    const RecordedSnapshot picture = recording->pictureAt(recording->length(), TimePoint{24h});
    QVERIFY(picture.isRecorded);
    QVERIFY(!picture.locks.isEmpty());
}

void TestRecordingWriter::aFullDiskIsAGap()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    RecordedLife life(2);
    const auto writer = begun(path, {}, life.now(), life.wallMs());
    const auto live = [&](int steps) {
        for (int i = 0; i < steps; ++i)
            writer->add(life.step());
        return writer->flush(life.now(), life.wallMs());
    };
    QVERIFY(live(100));
    const milliseconds before = Recording::open(path)->length();
    {
        const FileSizeLimit limit(QFileInfo(path).size() + 100);
        const Result<void> full = live(100);
        QVERIFY(!full);
        QVERIFY(writer->isFailing());
        QCOMPARE(full.error().kind, ErrorKind::RecordingFailed);
        QVERIFY(live(100));                                // not tried again at once
        QCOMPARE(Recording::open(path)->length(), before); // what was written is whole
    }
    for (int i = 0; i < 400 && writer->isFailing(); ++i)
        live(100);
    QVERIFY(!writer->isFailing());
    QVERIFY(live(100));
    QVERIFY(writer->totals().lost > 0);
    const auto recording = Recording::open(path);
    const QList<RecordingGap> gaps = recording->gaps();
    const auto gap = std::ranges::find(gaps, GapCause::WriteFailed, &RecordingGap::cause);
    QVERIFY(gap != gaps.end());
    QCOMPARE(gap->from, before);
    QCOMPARE(gap->lost, writer->totals().lost);
    QVERIFY(!recording->pictureAt(gap->from + 10ms, TimePoint{24h}).isRecorded);
    QCOMPARE(recording->pictureAt(recording->length(), TimePoint{24h}).locks.size(), life.locks().size());
}

void TestRecordingWriter::otherFilesStay()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    QFile foreign(path);
    QVERIFY(foreign.open(QIODevice::WriteOnly));
    foreign.write("somebody's own");
    foreign.close();
    QVERIFY(!RecordingWriter::begin(path, {}, TimePoint{24h}, 0));
    QVERIFY(foreign.open(QIODevice::ReadOnly));
    QCOMPARE(foreign.readAll(), QByteArray("somebody's own"));
    const QString link = directory.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(path, link));
    QVERIFY(!RecordingWriter::begin(link, {}, TimePoint{24h}, 0));
    QVERIFY(!RecordingWriter::begin(directory.path(), {}, TimePoint{24h}, 0));
    QVERIFY(!RecordingWriter::begin(directory.filePath(QStringLiteral("no/such/r")), {}, TimePoint{24h}, 0));
}

void TestRecordingWriter::oneRecorderAFile()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    auto writer = begun(path, {}, TimePoint{24h}, 1000);
    QCOMPARE(QFile::permissions(path) &
                 (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
             QFile::Permissions());
    const auto second = RecordingWriter::begin(path, {}, TimePoint{24h}, 1000);
    QVERIFY(!second);
    QVERIFY(second.error().text().contains("Another program"));
    writer.reset();
    QVERIFY(RecordingWriter::begin(path, {}, TimePoint{24h}, 1000));
    QCOMPARE(recordingParts(path).size(), 1);
}

/// What was recorded under a higher one is not cut at once.
void TestRecordingWriter::aLowerLimitDeletesNothing()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    begun(path, {}, TimePoint{24h}, 1000).reset();
    QFile file(path);
    QVERIFY(file.resize(3 * RecordingOptions::leastLimit));
    const RecordingOptions less{.limit = RecordingOptions::leastLimit};
    const auto refused = RecordingWriter::begin(path, less, TimePoint{24h}, 1000);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::RecordingFailed);
    QCOMPARE(file.size(), 3 * RecordingOptions::leastLimit);
    QVERIFY(recordingParts(path).isEmpty());
    QVERIFY(RecordingWriter::begin(path, {.limit = 8 * RecordingOptions::leastLimit}, TimePoint{24h}, 1000));
    QCOMPARE(recordingParts(path).size(), 1);
}

void TestRecordingWriter::anonymousSaysNobody()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    RecordedLife life(3);
    const auto writer = begun(path, {.isAnonymous = true}, life.now(), life.wallMs());
    for (int i = 0; i < 500; ++i)
        writer->add(life.step());
    writer->addGap(GapCause::Overrun, 0, life.now(), life.wallMs());
    writer->flush(life.now(), life.wallMs());
    const QByteArray content = unpacked(path);
    QVERIFY(content.contains("redis")); // which program it was is told
    // Each too long to be met by chance among so many random bytes.
    for (const char *name :
         {"order", "3b2c1a09", "web-7", "example", "worker-1", "10.1.2.3", "unprintable", "payer"})
        QVERIFY2(!content.contains(name), name);
    const auto recording = Recording::open(path);
    QVERIFY(recording->isAnonymous());
    const RecordedSnapshot picture = recording->pictureAt(recording->length(), TimePoint{24h});
    QCOMPARE(picture.locks.size(), life.locks().size()); // different ones stay different
    // The form stays: threads of one client are told as such.
    static const QRegularExpression thread(
        QStringLiteral("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:\\d{12}$"));
    QSet<QByteArray> clients;
    for (const WatchedLock &lock : picture.locks) {
        for (const LockOwner &owner : lock.lock.owners) {
            if (thread.match(QString::fromLatin1(owner.owner.bytes)).hasMatch())
                clients.insert(owner.owner.bytes.first(36));
        }
    }
    QCOMPARE(clients.size(), 1);
}

void TestRecordingWriter::valuesAreNotRecorded()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    RecordedLife life(4);
    const auto writer = begun(path, {}, life.now(), life.wallMs());
    LockDiff document; // under a lock's name
    WatchedLock lock;
    lock.lock.address.key = LockKey("lock:document");
    lock.lock.owners = {{OwnerId("secret content"), {}, 1}};
    document.changed = {lock};
    LockEvent event;
    event.address = lock.lock.address;
    event.owners = lock.lock.owners;
    document.events = {event};
    writer->add({life.now(), life.wallMs(), document});
    for (int i = 0; i < 500; ++i)
        writer->add(life.step());
    writer->flush(life.now(), life.wallMs());
    const QByteArray content = unpacked(path);
    QVERIFY(content.contains("order:{1}:lock"));
    QVERIFY(!content.contains("secret"));
}

void TestRecordingWriter::quietTimeIsRecorded()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const auto writer = begun(path, {}, TimePoint{24h}, 1'000'000);
    writer->setConfirmed(TimePoint{24h});
    for (int second = 1; second <= 100; ++second) {
        writer->setConfirmed(TimePoint{24h} + std::chrono::seconds(second));
        QVERIFY(writer->flush(TimePoint{24h} + std::chrono::seconds(second), 1'000'000 + second * 1000));
    }
    QVERIFY(QFileInfo(path).size() < 1024); // one place, written again
    const auto recording = Recording::open(path);
    QCOMPARE(recording->length(), 100s);
    const TimePoint as{48h};
    QCOMPARE(recording->pictureAt(100s, as).confirmedAt, as);
}

/// What was told before it may have been otherwise, up to the last of it.
void TestRecordingWriter::quietTimeBeginsBehindWhatWasTold()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const auto writer = begun(path, {}, TimePoint{24h}, 1'000'000);
    WatchState watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    writer->add({TimePoint{24h} + 1s, 1'001'000, watching});
    writer->add({TimePoint{24h} + 2s, 1'002'000, ScanStats()});
    writer->add({TimePoint{24h} + 6s, 1'006'000, ScanStats()});
    writer->flush(TimePoint{24h} + 10s, 1'010'000);
    writer->setConfirmed(TimePoint{24h} + 100s);
    writer->flush(TimePoint{24h} + 100s, 1'100'000);
    const auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->confirmedAt(50s), std::optional<milliseconds>(50s));
    QCOMPARE(recording->confirmedAt(10s), std::optional<milliseconds>(10s));
    QVERIFY(!recording->confirmedAt(4s));
}

void TestRecordingWriter::unwatchedTimeIsAGap()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const auto writer = begun(path, {}, TimePoint{24h}, 1'000'000);
    WatchState watching;
    const auto tell = [&](std::chrono::seconds at) {
        writer->add({TimePoint{24h} + at, 1'000'000 + at / 1ms, watching});
    };
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    tell(10s);
    watching.connection = Link::State::Backoff;
    tell(20s);
    watching.connection = Link::State::Ready;
    tell(25s);
    writer->flush(TimePoint{24h} + 30s, 1'030'000);
    const QList<RecordingGap> gaps = Recording::open(path)->gaps();
    QCOMPARE(gaps.size(), 2);
    QCOMPARE(gaps[0].cause, GapCause::NotWatched);
    QCOMPARE(gaps[0].from, 0s);
    QCOMPARE(gaps[0].to, 10s);
    QCOMPARE(gaps[1].from, 20s);
    QCOMPARE(gaps[1].to, 25s);
    QCOMPARE(gaps[1].wallFromMs, 1'020'000);
}

/// What waited for it is told at the moment from which on it is written.
void TestRecordingWriter::aSlowDiskSetsNoClock()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const auto writer = begun(path, {}, TimePoint{24h}, 1'000'000);
    writer->add({TimePoint{24h} + 1s, 1'001'000, ScanStats()});
    writer->flush(TimePoint{24h} + 10s, 1'010'000);
    writer->add({TimePoint{24h} + 2s, 1'002'000, ScanStats()});
    writer->flush(TimePoint{24h} + 11s, 1'011'000);
    const auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->wallSteps(10).size(), size_t(1));
    QCOMPARE(recording->wallAt(11s), 1'011'000);
}

/// More than a reader takes is a failure that is told, and what comes behind it is recorded again.
void TestRecordingWriter::nothingIsWrittenThatIsNotRead()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    CompanionState companions;
    companions.waiters.certainty = WaiterCertainty::Exact;
    companions.waiters.count = Waiters::most;
    companions.waiters.queue.fill({OwnerId{"a-waiter"}, {}, SubscriptionState::Yes}, Waiters::most);
    WatchedLock lock;
    lock.lock.companions = CompanionStatePtr(companions);
    RecordedSnapshot known;
    const auto setCount = [&](int count) {
        for (int i = int(known.locks.size()); i < count; ++i) {
            lock.lock.address.key = LockKey("lock:" + QByteArray::number(i));
            known.locks.append(lock);
        }
    };
    setCount(120'000); // 7,680,000 waiters
    const auto writer = begun(path, {}, TimePoint{24h}, 1'000'000);
    writer->setKnown(known, TimePoint{24h} + 1s, 1'001'000);
    QVERIFY(!writer->isFailing());
    auto recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->pictureAt(1s, TimePoint{}).locks.size(), 120'000);

    setCount(126'000); // 8,064,000
    writer->setKnown(known, TimePoint{24h} + 2s, 1'002'000);
    QVERIFY(writer->isFailing());
    QVERIFY2(writer->totals().failure.text().contains("cannot hold that many"),
             writer->totals().failure.text());
    QList<LockKey> gone;
    for (qsizetype i = 10; i < known.locks.size(); ++i)
        gone.append(known.locks[i].key());
    writer->add({TimePoint{24h} + 3s, 1'003'000, LockDiff{.changed = {}, .removed = gone, .events = {}}});
    writer->flush(TimePoint{24h} + 10s, 1'010'000);
    QVERIFY(!writer->isFailing());
    recording = Recording::open(path);
    QVERIFY(recording);
    QCOMPARE(recording->pictureAt(10s, TimePoint{}).locks.size(), 10);
}

QTEST_GUILESS_MAIN(TestRecordingWriter)
#include "tst_recordingwriter.moc"
