// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording costs and takes, and how fast a moment of it is reached; beside them what the same events take as lines of
// JSON compressed by the zstd program's usual level, and how fast memory is copied.
// Then a recorder is killed a hundred times.
//     bench_recording [--smoke | EVENTS]     36,000,000 unless given: an hour of 10,000 a second
#include "core/act/lockjson.h"
#include "core/model/names.h"
#include "core/monitor/session.h"
#include "core/recording/recorder.h"
#include "core/recording/recording.h"
#include "core/recording/recordingwriter.h"
#include "core/recording/replayreader.h"
#include "tests/bench/recordedtraffic.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int locksOfBench = 10'000;

/// Times are the processor's, so that what else the machine does is not in them.
double processorMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1000 + double(time.tv_nsec) / 1e6;
}

QByteArray jsonLine(const LockEvent &event)
{
    QJsonObject object{{QStringLiteral("event"), QString::fromLatin1(eventName(event.kind))},
                       {QStringLiteral("at"), event.wallMs},
                       {QStringLiteral("key"), QString::fromUtf8(event.address.key.bytes)},
                       {QStringLiteral("owner"), QString::fromUtf8(event.owners.value(0).owner.bytes)}};
    if (event.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(event.ttl->count());
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

/// What a window reads after the moment itself: what came before it. In ms of the processor; the events that it got.
std::pair<double, qint64> readPast(const Recording &recording, milliseconds moment)
{
    const double before = processorMs();
    const milliseconds from =
        recording.beginOf(moment, ReplayReader::longestPast, ReplayReader::maxPastEvents);
    RecordingCursor cursor(recording, from, TimePoint(from), RecordingCursor::AcrossGaps::Events);
    cursor.begin();
    qint64 events = 0;
    for (auto step = cursor.next(); step; step = cursor.next()) {
        const auto *entry = std::get_if<RecordedEntry>(&*step);
        if (entry && entry->at > TimePoint(moment))
            break;
        const auto *diff = entry ? std::get_if<LockDiff>(&entry->what) : nullptr;
        events += diff ? diff->events.size() : 0;
    }
    return {processorMs() - before, events};
}

void run(const char *name, bool hasTokens, qint64 events)
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("recording"));
    RecordedTraffic traffic(locksOfBench, hasTokens);
    auto begun = RecordingWriter::begin(path, {.limit = qint64(4) << 30}, traffic.now(), traffic.wallMs());
    if (!begun)
        qFatal("%s", begun.error().text().constData());
    RecordingWriter &writer = **begun;
    constexpr int perDiff = RecordedTraffic::usualEvents;
    qint64 written = 0;
    double writing = 0;
    QByteArray lines;
    std::vector<std::pair<TimePoint, qsizetype>> known; // how many locks were held when
    const qint64 diffs = events / perDiff;
    const qint64 moments = events < 1'000'000 ? 5 : 100; // a smoke test waits for a few
    for (qint64 i = 0; i < diffs; ++i) {
        const LockDiff diff = traffic.next(perDiff);
        const double before = processorMs();
        writer.add({traffic.now(), traffic.wallMs(), diff});
        if (i % 45 == 44)
            writer.flush(traffic.now(), traffic.wallMs());
        writing += processorMs() - before;
        written += diff.events.size();
        if (i < 1200) {
            for (const LockEvent &event : diff.events)
                lines += jsonLine(event);
        }
        if (i % std::max<qint64>(diffs / moments, 1) == 0)
            known.emplace_back(traffic.now(), traffic.held());
    }
    writer.flush(traffic.now(), traffic.wallMs());

    ChunkHeader header;
    pack({lines.first(std::min<qsizetype>(lines.size(), ChunkHeader::maxNumbers)), {}}, header);
    const double jsonBytes = double(header.packedNumbers) / double(std::min<qint64>(1200, diffs) * perDiff);

    const double beforeOpening = processorMs();
    const auto recording = Recording::open(path);
    const double opening = processorMs() - beforeOpening;
    if (!recording)
        qFatal("%s", recording.error().text().constData());
    std::vector<double> jumps, pasts;
    qint64 wrong = 0, pastEvents = 0;
    for (const auto &[at, held] : known) {
        const double before = processorMs(); // by the clock, it is others' work that is measured
        const RecordedSnapshot picture = recording->pictureAt(
            std::chrono::duration_cast<milliseconds>(at.time_since_epoch()), Clock::now());
        jumps.push_back(processorMs() - before);
        wrong += picture.locks.size() == held ? 0 : 1;
        const auto [ms, got] =
            readPast(*recording, std::chrono::duration_cast<milliseconds>(at.time_since_epoch()));
        pasts.push_back(ms);
        pastEvents = std::max(pastEvents, got);
    }
    std::ranges::sort(jumps);
    std::ranges::sort(pasts);
    const qint64 bytes = recording->bytes();
    QByteArray from(qMin<qint64>(bytes, qint64(256) << 20), 'x');
    QByteArray to(from.size(), '\0');
    const double beforeCopying = processorMs();
    std::memcpy(to.data(), from.constData(), static_cast<size_t>(from.size()));
    const double copying = processorMs() - beforeCopying;

    std::printf("%s\n", name);
    std::printf("  events                     %12lld  lost %lld\n",
                static_cast<long long>(recording->events()),
                static_cast<long long>(written - recording->events()));
    std::printf("  bytes per event            %12.1f  as JSON lines, compressed: %.1f (%.1f times)\n",
                double(bytes) / double(written), jsonBytes, jsonBytes / (double(bytes) / double(written)));
    std::printf("  core at 10,000 a second    %11.1f%%\n", writing / (double(written) / 10'000 * 1000) * 100);
    std::printf("  open                       %9.1f ms\n", opening);
    std::printf("  to a moment, median / max  %9.1f / %.1f ms  wrong %lld of %zu  (copying the file in "
                "memory: %.1f ms)\n",
                jumps[jumps.size() / 2], jumps.back(), static_cast<long long>(wrong), jumps.size(), copying);
    std::printf("  what came before it        %9.1f / %.1f ms  events: at most %lld\n",
                pasts[pasts.size() / 2], pasts.back(), static_cast<long long>(pastEvents));
}

/// Records as `lockscope-cli record` does, 10,000 changes a second, until it is killed.
int recordUntilKilled(QCoreApplication &application, const QString &path)
{
    Session session(ServerAddress(), {.monitor = {}, .readOnly = true, .auditPath = {}});
    const auto recorder = Recorder::begin(session, path, {});
    if (!recorder)
        qFatal("%s", recorder.error().text().constData());
    RecordedTraffic traffic(locksOfBench, false);
    QTimer timer;
    timer.callOnTimeout([&] { (*recorder)->tell(traffic.next(RecordedTraffic::usualEvents)); });
    timer.start(16);
    return application.exec();
}

/// How much of what had happened is missing after each kill, at most.
void killOften(int times)
{
    std::mt19937 random(9);
    qint64 maxMissing = 0;
    int opened = 0;
    for (int i = 0; i < times; ++i) {
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("recording"));
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("record"), path});
        QThread::msleep(1'200 + random() % 1'000);
        const qint64 killedAt = QDateTime::currentMSecsSinceEpoch();
        child.kill();
        child.waitForFinished();
        const auto recording = Recording::open(path);
        opened += recording && recording->events() > 0 ? 1 : 0;
        if (recording)
            maxMissing = std::max(maxMissing, killedAt - recording->endsAtMs());
    }
    std::printf("killed while recording, %d times\n  opened %d, missing at most %lld ms\n", times, opened,
                static_cast<long long>(maxMissing));
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "record") == 0)
        return recordUntilKilled(application, QString::fromLocal8Bit(argv[2]));
    const bool isSmoke = argc > 1 && qstrcmp(argv[1], "--smoke") == 0;
    const qint64 events = isSmoke ? 100'000 : argc > 1 ? QByteArray(argv[1]).toLongLong() : 36'000'000;
    run("threads of clients, as Redisson's", false, events);
    run("a new random token each time", true, events / 4);
    killOften(events >= 36'000'000 ? 100 : 1);
    return 0;
}
