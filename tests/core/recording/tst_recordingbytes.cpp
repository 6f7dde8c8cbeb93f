// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording makes of bytes that were torn, damaged, or never written by it.
#include "core/recording/recordingparts.h"
#include "tests/core/recording/recordedsteps.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <limits>
#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

class TestRecordingBytes : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aTornEndIsNoError();
    void damageCostsItsSegment();
    void damageIsToldFromItsBegin();
    void otherFilesAreRefused();
    void anEarlierVersionIsRead();
    void codesAreComplete();
    void fewBytesTellLittle();
    void valuesThatNobodyWrites();
};

void TestRecordingBytes::aTornEndIsNoError()
{
    const RecordedSteps recorded(3, 30);
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

void TestRecordingBytes::damageCostsItsSegment()
{
    const RecordedSteps recorded(4, 300);
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
            const RecordedSteps::Snapshot &then = recorded.snapshots[i];
            const milliseconds moment = recorded.momentOf(then.at);
            if (recorded.momentOf(recorded.snapshots[std::min<qsizetype>(i + 1, 299)].at) == moment)
                continue;
            const RecordedSnapshot picture = opened->pictureAt(moment, recorded.epoch + moment);
            if (picture.isRecorded && moment <= opened->length() && opened->length() > 0ms)
                QVERIFY(differenceOf(then.locks, byKey(picture.locks), recorded.epoch,
                                     recorded.epoch.time_since_epoch())
                            .isEmpty());
        }
    }
}

/// Also where the keyframe behind it is damaged, too.
void TestRecordingBytes::damageIsToldFromItsBegin()
{
    RecordedSteps recorded(11, 60);
    const auto goOn = [&](bool withKeyframe) {
        if (withKeyframe)
            recorded.writer->addGap(GapCause::Overrun, 1, recorded.life.now(), recorded.life.wallMs());
        for (int i = 0; i < 60; ++i)
            recorded.step();
        recorded.writer->flush(recorded.life.now(), recorded.life.wallMs());
    };
    goOn(false);
    goOn(true);
    goOn(true);
    QByteArray bytes = recorded.bytes();
    std::vector<std::pair<ChunkHeader, qsizetype>> chunks; // with where each begins
    for (qsizetype at = RecordingHeader::size; at + ChunkHeader::size <= bytes.size();) {
        const auto header = ChunkHeader::fromBytes(QByteArrayView(bytes).sliced(at, ChunkHeader::size));
        QVERIFY(header);
        chunks.emplace_back(*header, at);
        at += ChunkHeader::size + header->contentSize();
    }
    const auto isKeyframe = [](const auto &chunk) { return chunk.first.type == ChunkHeader::Type::Keyframe; };
    QCOMPARE(std::ranges::count_if(chunks, isKeyframe), 3);
    const auto second = std::find_if(chunks.begin() + 1, chunks.end(), isKeyframe);
    const auto third = std::find_if(second + 1, chunks.end(), isKeyframe);
    QVERIFY(second - chunks.begin() > 1);
    const auto before = second - 1; // its content, but not its header, and that of the keyframe behind it
    for (const auto &[header, at] : {*before, *second}) {
        const qsizetype inContent = at + ChunkHeader::size + header.contentSize() / 2;
        bytes[inContent] = static_cast<char>(bytes[inContent] ^ 0x55);
    }
    recorded.replace(bytes);
    const Recording recording = recorded.open();
    RecordingCursor cursor(recording, 0ms, TimePoint{24h});
    QList<RecordingGap> gaps;
    while (const auto step = cursor.next()) {
        if (const auto *gap = std::get_if<RecordingGap>(&*step))
            gaps.append(*gap);
    }
    QCOMPARE(gaps.size(), 1);
    QCOMPARE(gaps.first().cause, GapCause::Damaged);
    const milliseconds first(chunks.front().first.first);
    QCOMPARE(gaps.first().from, milliseconds(before->first.first) - first);
    QCOMPARE(gaps.first().to, milliseconds(third->first.first) - first);
}

void TestRecordingBytes::otherFilesAreRefused()
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
    QVERIFY(refusal("").contains("is not a Lockscope recording"));
    QVERIFY(refusal(QByteArray("SQLite format 3").repeated(100)).contains("is not a Lockscope recording"));
    RecordingHeader newer;
    newer.version = RecordingHeader::currentVersion + 1;
    QVERIFY(refusal(newer.toBytes()).contains("Update Lockscope"));
    // Without that part its time would seem unrecorded. The part is nobody's to delete.
    const RecordedSteps recorded(5, 30);
    QFile part(recordingPartPath(recorded.path, 1, 0));
    QVERIFY(part.open(QIODevice::WriteOnly) && part.write(newer.toBytes()) == RecordingHeader::size);
    part.close();
    QVERIFY(Recording::open(recorded.path).error().text().contains("Update Lockscope"));
    QVERIFY(recordingParts(recorded.path).isEmpty());
    QVERIFY(refusal(RecordingHeader().toBytes()).contains("holds nothing"));
    QVERIFY(!Recording::open(directory.filePath(QStringLiteral("missing"))));
    QVERIFY(!Recording::open(directory.path()));
}

/// It has nothing that this one reads otherwise.
void TestRecordingBytes::anEarlierVersionIsRead()
{
    const RecordedSteps recorded(5, 30);
    const milliseconds length = recorded.open().length();
    QByteArray bytes = recorded.bytes();
    auto header = RecordingHeader::fromBytes(bytes.first(RecordingHeader::size));
    QVERIFY(header);
    QCOMPARE(header->version, 2);
    header->version = 1;
    recorded.replace(header->toBytes() + bytes.sliced(RecordingHeader::size));
    QCOMPARE(recorded.open().length(), length);
}

/// A value that no table has would be written as another.
void TestRecordingBytes::codesAreComplete()
{
    QCOMPARE(recordingcodes::events.size(), size_t(eventKinds));
    QCOMPARE(recordingcodes::keyTypes.size(), size_t(KeyType::Other) + 1);
    QCOMPARE(recordingcodes::leases.size(), size_t(LeaseOf::Unknown) + 1);
    QCOMPARE(recordingcodes::silences.size(), size_t(NoSubscribersMeaning::Proves) + 1);
    QCOMPARE(recordingcodes::feedGaps.size(), size_t(FeedGap::RedirectBroken) + 1);
    QCOMPARE(recordingcodes::resets.size(), size_t(ServerReset::Cause::Unknown) + 1);
    QCOMPARE(recordingcodes::connections.size(), size_t(Link::State::Refused) + 1);
    int problems = 0;
    for (const Problem problem : recordingcodes::problems)
        problems |= int(problem);
    QCOMPARE(problems, 0x1fff); // every one of the enumeration
}

/// A chunk of many frames would take a thousand times its bytes to be told.
void TestRecordingBytes::fewBytesTellLittle()
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
void TestRecordingBytes::valuesThatNobodyWrites()
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
    // Of lists, what is added up is no larger than what one may have.
    FieldWriter writer(nullptr);
    writer.list(QList<int>{1}, 1, [&](int value) { writer.number(value); });
    writer.number(std::numeric_limits<qsizetype>::max());
    FieldReader reader;
    reader.setInput(writer.numbers(), writer.newTexts());
    QList<int> numbers;
    const auto readNumbers = [&] { reader.list(numbers, 1, [&](int &value) { reader.number(value); }); };
    readNumbers();
    QCOMPARE(numbers, QList<int>{1});
    readNumbers();
    QVERIFY(!reader.isGood());
}

QTEST_GUILESS_MAIN(TestRecordingBytes)
#include "tst_recordingbytes.moc"
