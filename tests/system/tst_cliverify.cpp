// SPDX-License-Identifier: GPL-3.0-or-later
// `verify` on files, and what it says of the simulation's own scenarios.
#include "tests/support/recordedfile.h"
#include "tests/system/cliprogram.h"

#include <sys/stat.h>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray overlap =
    R"({"type":"invoke","process":"A","lock":"lock:a","operation":"acquire","time_ms":0}
{"type":"ok","process":"A","time_ms":1}
{"type":"invoke","process":"B","lock":"lock:a","operation":"acquire","time_ms":2}
{"type":"ok","process":"B","time_ms":3}
{"type":"invoke","process":"A","lock":"lock:a","operation":"release","time_ms":4}
{"type":"ok","process":"A","time_ms":5}
)";

} // namespace

class TestCliVerify : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aViolationIsExplained()
    {
        const Ran ran = verify(overlap, {"--explain"});
        VERIFY_EXIT(ran, 1);
        for (const char *part : {"lock:a (mutex): violated. B and A held the lock at once.", "A  ",
                                 "]===", "release invoke", "Locks: 1, violated: 1, undecided: 0; events: 6"})
            QVERIFY2(ran.out.contains(part), ran.out);
        const QJsonObject json = jsonIn(verify(overlap, {"--json"}).out);
        QCOMPARE(json[QStringLiteral("verdict")].toString(), QStringLiteral("violated"));
        const QJsonObject check = json[QStringLiteral("checks")].toArray()[0].toObject();
        QCOMPARE(check[QStringLiteral("reason")].toString(), QStringLiteral("overlap"));
        QVERIFY(check[QStringLiteral("events")].toArray().size() <= 4);
        QVERIFY(!verify(overlap, {}).out.contains("]==="));
        const Ran unnamed = verify(QByteArray(overlap).replace(R"("lock":"lock:a",)", ""), {});
        QVERIFY2(unnamed.out.startsWith("(mutex): violated."), unnamed.out);
    }

    void otherVerdicts()
    {
        const QByteArray holds = QByteArray(overlap)
                                     .replace("\"time_ms\":2}", "\"time_ms\":4.5}")
                                     .replace("\"time_ms\":3}", "\"time_ms\":6}");
        VERIFY_EXIT(verify(holds, {}), 0);
        const QByteArray unknown = QByteArray(holds).replace(R"({"type":"ok","process":"A","time_ms":5})",
                                                             R"({"type":"info","process":"A","time_ms":5})");
        const Ran ran = verify(unknown, {});
        VERIFY_EXIT(ran, 3);
        QVERIFY2(ran.out.contains("can't be decided. Consistent only if"), ran.out);
        const Ran none = verify(overlap, {"--pattern", "other:*"});
        VERIFY_EXIT(none, 3);
        QVERIFY2(none.err.contains("No lock matches --pattern."), none.err);
        VERIFY_EXIT(verify(overlap, {"--model", "permits"}), 3);
    }

    void wrongFiles()
    {
        const Ran ran = verify(overlap + "{\"type\":\"ok\"}\n", {"--json"});
        VERIFY_EXIT(ran, 2);
        QVERIFY2(ran.err.contains("line 7: "), ran.err);
        VERIFY_EXIT(CliProgram::run({"verify", "/nowhere/history"}), 3);
        VERIFY_EXIT(verify("no history\n", {}), 3);
        const Ran empty = verify("", {});
        VERIFY_EXIT(empty, 2);
        QVERIFY2(empty.err.contains("No operations."), empty.err);
        for (const char *start : {"\n \t\n", "\xEF\xBB\xBF"})
            VERIFY_EXIT(verify(start + overlap, {}), 1);
        VERIFY_EXIT(CliProgram::run({"verify"}), 2);
        VERIFY_EXIT(verify(overlap, {"--model", "other"}), 2);
    }

    void aPipe()
    {
        const QByteArray path = QFile::encodeName(m_directory.filePath(QStringLiteral("pipe")));
        QCOMPARE(mkfifo(path.constData(), 0600), 0);
        auto running = std::async(std::launch::async, [&] { return CliProgram::run({"verify", path}); });
        QFile pipe(QFile::decodeName(path));
        QVERIFY(pipe.open(QIODevice::WriteOnly));
        pipe.write(QByteArray(100'000, '\n').prepend(overlap.left(overlap.indexOf('\n') + 1)) +
                   overlap.mid(overlap.indexOf('\n') + 1));
        pipe.close();
        const Ran ran = running.get();
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.out.contains("events: 6"), ran.out);
    }

    void aRecording()
    {
        RecordedFile file;
        file.setWatched(true);
        file.pass(1s);
        file.acquire("lock:a", "one");
        file.pass(1s);
        WatchedLock both = file.held("lock:a", "two");
        LockEvent second;
        second.kind = EventKind::Acquired;
        second.address.key = both.key();
        second.family = both.lock.family;
        second.owners = both.lock.owners;
        second.others = 1;
        second.at = RecordedFile::epoch + file.now();
        second.wallMs = file.wallMs();
        both.lock.owners.append(LockOwner{OwnerId("one"), "1", 1});
        file.tell(LockDiff{.changed = {both}, .removed = {}, .events = {second}});
        file.pass(1s);
        file.confirm();
        file.finish();
        const Ran ran = CliProgram::run({"verify", QFile::encodeName(file.path()), "--explain"});
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.out.contains("two and one held the lock at once.") &&
                     ran.out.contains("lockscope-cli replay"),
                 ran.out);
    }

    /// Only locks whose names none of the pushed patterns has are polled.
    void aRecordingThatPolledSomeLocks()
    {
        RecordedFile file;
        file.setWatched(true);
        WatchState watching;
        watching.connection = Link::State::Ready;
        watching.isRead = true;
        watching.feed.routes = {{"lock:*", FeedMode::Tracking}, {"*:lock", FeedMode::KeyedTracking}};
        file.tell(watching);
        file.pass(1s);
        file.acquire("lock:a", "one");
        file.acquire("a:lock", "one");
        file.pass(1s);
        file.confirm();
        file.finish();
        const Ran ran = CliProgram::run({"verify", QFile::encodeName(file.path())});
        VERIFY_EXIT(ran, 3);
        QVERIFY2(ran.out.contains("a:lock (mutex): can't be decided. Quick changes") &&
                     ran.out.contains("Locks: 2, violated: 0, undecided: 1;"),
                 ran.out);
    }

    /// What its referee finds is found again in the log alone.
    void scenarios_data()
    {
        QTest::addColumn<QByteArray>("scenario");
        QTest::addColumn<QByteArrayList>("violated");
        QTest::newRow("foreign release") << QByteArray("foreign-release") << QByteArrayList{"#1", "#2"};
        QTest::newRow("paused holder") << QByteArray("paused-holder") << QByteArrayList{"#1"};
        QTest::newRow("gap in release") << QByteArray("gap-in-release") << QByteArrayList{"#1"};
        QTest::newRow("lost reply") << QByteArray("lost-reply") << QByteArrayList();
        QTest::newRow("re-entrancy") << QByteArray("reentrancy") << QByteArrayList();
        QTest::newRow("five processes") << QByteArray("five-processes") << QByteArrayList();
    }
    void scenarios()
    {
        QFETCH(const QByteArray, scenario);
        QFETCH(const QByteArrayList, violated);
        const QByteArray log = QFile::encodeName(m_directory.filePath(QString::fromLatin1(scenario)));
        VERIFY_EXIT(CliProgram::run({"simulate", "--scenario", scenario, "--log", log}), 0);
        QFile lines(QFile::decodeName(log));
        QVERIFY(lines.open(QIODevice::ReadOnly));
        keptJson("history", lines.readAll());
        const Ran ran = CliProgram::run({"verify", log, "--json"});
        QByteArrayList found;
        const QJsonArray checks = jsonIn(ran.out)[QStringLiteral("checks")].toArray();
        for (const QJsonValue &check : checks)
            found.append(check[QStringLiteral("lock")].toString().toUtf8().right(2));
        QVERIFY2(found == violated, ran.out);
        VERIFY_EXIT(ran, violated.isEmpty() ? 0 : 1);
    }

    void attemptsWithoutSuccessAreLogged()
    {
        const QByteArray log = QFile::encodeName(m_directory.filePath(QStringLiteral("attempts")));
        VERIFY_EXIT(
            CliProgram::run({"simulate", "--strategy", "token-set", "--workers", "3", "--hold", "200",
                             "--mode", "timeout", "--timeout", "50", "--duration", "1", "--log", log}),
            0);
        QFile file(QString::fromLocal8Bit(log));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QHash<QString, int> attempts;
        while (!file.atEnd()) {
            const QJsonObject line = jsonIn(file.readLine());
            if (line[QStringLiteral("operation")].toString() == u"acquire")
                ++attempts[line[QStringLiteral("type")].toString()];
        }
        QVERIFY(attempts[QStringLiteral("fail")] > 0);
        QCOMPARE(attempts.take(QStringLiteral("invoke")), attempts[QStringLiteral("ok")] +
                                                              attempts[QStringLiteral("fail")] +
                                                              attempts[QStringLiteral("info")]);
        VERIFY_EXIT(CliProgram::run({"verify", log}), 0);
        for (const QByteArray strategy : {"token-lua", "handoff"}) {
            for (const QByteArrayList &mode :
                 {QByteArrayList{"timeout", "--timeout", "50"}, QByteArrayList{"try"}}) {
                VERIFY_EXIT(
                    CliProgram::run(QByteArrayList{"simulate", "--strategy", strategy, "--mode"} + mode +
                                    QByteArrayList{"--workers", "4", "--hold", "20", "--duration", "1",
                                                   "--lease", "1", "--reply-loss-rate", "0.1", "--log", log}),
                    0);
                const Ran ran = CliProgram::run({"verify", log});
                QVERIFY2(ran.exitCode != 2, ran.err);
            }
        }
    }

    void aLogThatCannotBeWritten()
    {
        VERIFY_EXIT(CliProgram::run({"simulate", "--scenario", "reentrancy", "--log", "/nowhere/log"}), 5);
    }

private:
    Ran verify(const QByteArray &text, const QList<QByteArray> &options)
    {
        QFile file(m_directory.filePath(QStringLiteral("history.jsonl")));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("not written");
        file.close();
        return CliProgram::run(QList<QByteArray>{"verify", QFile::encodeName(file.fileName())} + options);
    }

    CliProgram m_program;
    QTemporaryDir m_directory;
};

QTEST_GUILESS_MAIN(TestCliVerify)
#include "tst_cliverify.moc"
