// SPDX-License-Identifier: GPL-3.0-or-later
// The benches run and print their rows; how fast anything is, packaging/run-benches says.
#include "tests/support/redisserver.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;

class TestBenches : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void locksBesideTheirPeers();
    void theNodePeerIsOptional();
    void waysOfWaiting();
    void soak();
    void soakOfTheWindow();
    void liveAtScale();
    void whoWaits();
    void truth();
    void theTable();
    void manyEvents();
    void recordings();
    void jumpsInARecording();
    void incidents();
    void lockHistories();
    void theTimeline();
    void recognition();
    void surges();
    void scrapes();
    void pollingClients();
    void theStart();
    void aCluster();
    void failoversOfSentinels();

private:
    static Ran run(const QByteArray &name, const QList<QByteArray> &arguments,
                   const QStringList &environment = {})
    {
        return runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/") + QString::fromLatin1(name), arguments, {},
                          environment);
    }
};

void TestBenches::locksBesideTheirPeers()
{
    const Ran ran = run("bench_locks", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    const QRegularExpression measured(QStringLiteral("\\d \\(\\d+-\\d+\\) .* >= \\d\\.\\d\\d (met|MISSED)$"));
    for (const char *row : {"8 threads ", "40 threads ", "redis-benchmark", "redis-py"}) {
        const QList<QByteArray> lines = ran.out.split('\n');
        const auto line = std::ranges::find_if(lines, [row](const QByteArray &l) { return l.contains(row); });
        QVERIFY2(line != lines.end(), ran.out.constData());
        QVERIFY2(measured.match(QString::fromUtf8(*line)).hasMatch(), line->constData());
    }
}

void TestBenches::theNodePeerIsOptional()
{
    const Ran ran = run("bench_locks", {"--smoke"}, {QStringLiteral("NODE_PATH=/nowhere")});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    const QRegularExpression reason(
        QStringLiteral("not measured: redis-semaphore Mutex: \\w+ is not installed"));
    QVERIFY2(reason.match(QString::fromUtf8(ran.out)).hasMatch(), ran.out.constData());
}

void TestBenches::waysOfWaiting()
{
    const Ran ran = run("bench_handoff", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    for (const char *row :
         {"handoff ", "poll 1 ms ", "poll 10 ms ", "back-off ", "subscription, wakes all ", "redisson ",
          "hand-off p50, in round trips, pinned ", "commands per acquisition "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row) || ran.out.contains(QByteArray("    ") + row),
                 ran.out.constData());
}

void TestBenches::soakOfTheWindow()
{
    const Ran ran = run("bench_soak", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row : {"500 locks, every panel open", "heap in use"})
        QVERIFY2(ran.out.contains(row), ran.out.constData());
}

void TestBenches::soak()
{
    const Ran ran = run("bench_handoff", {"--soak", "4"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains(" 3 faults of the server") && ran.out.contains(": passed"),
             ran.out.constData());
}

void TestBenches::liveAtScale()
{
    const Ran ran = run("bench_scale", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(!ran.out.contains("not measured"), ran.out.constData());
    for (const char *row :
         {"re-sweep with all states, D1: wall ", "re-sweep with all states, D2: server CPU ",
          "first sweep, D2: wall ", "re-sweep, default patterns, D2: wall ",
          "re-sweep with all states, D3: wall ", "longest command of a sweep, D3", "following ",
          "change to model", "8 clients, other keys", "8 clients, watched keys", "expiry beside 1000 "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
    for (const char *peer :
         {"redis-cli --scan: ", "a rescan every second: ", "the server's expired events: "})
        QVERIFY2(ran.out.contains(peer), ran.out.constData());
}

void TestBenches::whoWaits()
{
    const Ran ran = run("bench_waiters", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains("who waits, 60 locks, of which 60 waited for"), ran.out.constData());
    QVERIFY2(ran.out.contains("who waits, 1060 locks, of which 60 waited for"), ran.out.constData());
}

void TestBenches::truth()
{
    const Ran ran = run("bench_truth", {"2", "3000", "2000"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains("differences after one sweep: 0"), ran.out.constData());
}

void TestBenches::theTable()
{
    const Ran ran = run("bench_table", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    const QRegularExpression measured(QStringLiteral("<= .*: (met|MISSED)$"));
    for (const char *row :
         {"200 updates of 2000 rows", "a filter keystroke", "a frame of 40 rows, what time moves",
          "a frame of 40 rows, all of it", "memory a row", "the whole window, ",
          "idle, 50 locks, panels as at first", "idle, 50 locks, every panel"}) {
        const QList<QByteArray> lines = ran.out.split('\n');
        const auto line =
            std::ranges::find_if(lines, [row](const QByteArray &l) { return l.startsWith(row); });
        QVERIFY2(line != lines.end(), ran.out.constData());
        QVERIFY2(measured.match(QString::fromUtf8(*line)).hasMatch(), line->constData());
    }
}

void TestBenches::manyEvents()
{
    const Ran ran = run("bench_events", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row : {"memory an event, ", "10,000 events a second, newest shown: longest ",
                            "10,000 events a second, scrolled away: longest ", "a filter of 100,000 events "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::recordings()
{
    const Ran ran = run("bench_recording", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row : {"lost 0\n", "bytes per event ", "core at 10,000 a second ",
                            "to a moment, median / max ", "wrong 0 of ", "opened 1, missing at most "})
        QVERIFY2(ran.out.contains(row), ran.out.constData());
}

void TestBenches::jumpsInARecording()
{
    const Ran ran = run("bench_replay", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row : {"a moment is shown whole, median / max", "with what came before it: ",
                            "longest turn of the event loop", "not as recorded: 0 of "})
        QVERIFY2(ran.out.contains(row), ran.out.constData());
}

void TestBenches::incidents()
{
    const Ran ran = run("bench_incidents", {"--smoke"});
    QVERIFY2(ran.exitCode == 0 && ran.out.contains("50 of 50 inversions, 20 of 20 gated"),
             ran.out.constData());
}

void TestBenches::lockHistories()
{
    const Ran ran = run("bench_verify", {"--smoke"});
    QVERIFY2(ran.exitCode == 0 && ran.out.contains("20 of 20 violations, 180 of 180 others"),
             ran.out.constData());
    QVERIFY2(ran.out.contains("\nread and checked ") && ran.out.contains("\npeak memory "),
             ran.out.constData());
}

void TestBenches::theTimeline()
{
    const Ran ran = run("bench_timeline", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row :
         {"memory a slice ", "an event taken, ", "a frame of 10 s, p95 ", "a frame of 3600 s, p95 ",
          "statistics of all locks, the longest part ", "owners put together, the longest part "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
    QVERIFY2(ran.out.contains("QCustomPlot"), ran.out.constData());
}

void TestBenches::recognition()
{
    const Ran ran = run("bench_recognize", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    const QRegularExpression measured(
        QStringLiteral("\nrecognized, with owners +\\d+ \\(\\d+-\\d+\\) +>= 1000000: (met|MISSED)\n"));
    QVERIFY2(measured.match(QString::fromUtf8(ran.out)).hasMatch(), ran.out.constData());
    for (const char *row : {"names told from companions ", "the same rules as regular expressions ",
                            "hashing the same bytes ", "times as fast as regular expressions "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::surges()
{
    const Ran ran = run("bench_surges", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row : {"a flush of 2000 locks under the window: rows gone ",
                            "a flush of 2000 locks under the window: longest pause ",
                            "told of 20 short locks, ready with 2000 "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::scrapes()
{
    const Ran ran = run("bench_export", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row :
         {"a scrape, 2000 locks ", "a scrape, 2000 locks: its longest ", "a scrape, 2000 locks: series ",
          "a scrape, 2000 locks, 1000 changes/s: a short page waits, p99 "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::pollingClients()
{
    const Ran ran = run("bench_pollers", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row :
         {"polling clients: error of at most 30% ", "polling clients: the truth is within the error bar "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::theStart()
{
    const Ran ran = run("bench_start", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    for (const char *row :
         {"start to the window, more than an empty one ", "start to the first rows, 1000 locks "})
        QVERIFY2(ran.out.contains(QByteArray("\n") + row), ran.out.constData());
}

void TestBenches::aCluster()
{
    const Ran ran = run("bench_cluster", {"--smoke", "--only", "sweep,migration"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains("three primaries") && ran.out.contains(", ratio "), ran.out.constData());
    QVERIFY2(ran.out.contains("60 at the end, at least 60 at any time, events 0, the end's picture right"),
             ran.out.constData());
}

void TestBenches::failoversOfSentinels()
{
    const Ran ran = run("bench_sentinel", {"--smoke"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains("1 failovers") && ran.out.contains("not followed 0"), ran.out.constData());
    QVERIFY2(ran.out.contains("after it: 0; locks of its own that were shown: 0; wrong in the end: 0"),
             ran.out.constData());
}

QTEST_GUILESS_MAIN(TestBenches)
#include "tst_benches.moc"
