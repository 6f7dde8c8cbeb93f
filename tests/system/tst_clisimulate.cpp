// SPDX-License-Identifier: GPL-3.0-or-later
// `lockscope-cli simulate` as users run it.
#include "core/simulation/scenario/scenario.h"
#include "tests/system/cliprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

/// Of a process that runs; -1: it does not.
qint64 parentOf(const QString &process)
{
    QFile status(QStringLiteral("/proc/%1/stat").arg(process));
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = status.readAll();
    const QByteArrayList fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    return fields.value(0) == "Z" ? -1 : fields.value(1).toLongLong();
}

QStringList livingChildren(qint64 process)
{
    QStringList children = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
    children.removeIf([process](const QString &child) { return parentOf(child) != process; });
    return children;
}

} // namespace

class TestCliSimulate : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void jsonHasTheContract();
    void countsWinnersOfRounds();
    void findsWhatAnUnsafeReleaseDoes();
    void scenarioIsJudged_data();
    void scenarioIsJudged();
    void publishedTestsTakeARelease();
    void aGapInTheReleaseIsShown();
    void scenarioTellsPeople();
    void runsOnAnotherServer();
    void readOnlyRefusesAnotherServer();
    void anothersServerMayNotBeBroken();
    void unreachableServerIsTold();
    void interruptPrintsWhatThereIs_data();
    void interruptPrintsWhatThereIs();
    void aKillLeavesNothingThatStays();
    void childrenShowNoPassword();
    void aVanishedServerEndsTheRun_data();
    void aVanishedServerEndsTheRun();
    void aMissingPermissionEndsTheRun_data();
    void aMissingPermissionEndsTheRun();
    void aMissingProgramIsTold();
    void theDocumentNamesEveryScenario();

private:
    CliProgram m_cli;
};

void TestCliSimulate::jsonHasTheContract()
{
    const Ran ran = CliProgram::run({"simulate", "--strategy", "handoff", "--workers", "4", "--duration",
                                     "0.5", "--seed", "7", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(ran.err, "");
    QCOMPARE(ran.out.count('\n'), 1);
    const QJsonObject json = jsonIn(ran.out);
    QCOMPARE(json[u"strategy"], QStringLiteral("handoff"));
    QCOMPARE(json[u"workers"], 4);
    QCOMPARE(json[u"processes"], 1);
    QCOMPARE(json[u"seed"], 7);
    QVERIFY(json[u"acquired"].toInteger() > 0);
    QVERIFY(json[u"commands"].toInteger() >= json[u"acquired"].toInteger());
    QVERIFY(json[u"attempts"].toInteger() >= json[u"acquired"].toInteger());
    for (const char *zero : {"rounds", "refused", "timed_out", "violations", "foreign_releases", "orphans"})
        QVERIFY2(json[QLatin1String(zero)] == 0, zero);
    for (const char *name : {"wait_ms", "hold_ms", "handoff_us"}) {
        const QJsonObject percentiles = json[QLatin1String(name)].toObject();
        QCOMPARE(percentiles.keys(), QStringList({QStringLiteral("max"), QStringLiteral("p50"),
                                                  QStringLiteral("p95"), QStringLiteral("p99")}));
        QVERIFY(percentiles[u"p50"].toDouble() <= percentiles[u"p95"].toDouble());
        QVERIFY(percentiles[u"p99"].toDouble() <= percentiles[u"max"].toDouble());
    }
    QVERIFY(json[u"hold_ms"][u"p50"].toDouble() >= 1);
    QVERIFY(json[u"commands_per_acquisition"].toDouble() >= 1);
    QVERIFY(json[u"fairness"].toDouble() > 0.25 && json[u"fairness"].toDouble() <= 1);
    QVERIFY(json[u"duration_ms"].toInteger() >= 500);
    QVERIFY(!json.contains(QStringLiteral("winners_per_round")));
    QCOMPARE(json[u"stopped"], false);
}

void TestCliSimulate::countsWinnersOfRounds()
{
    const Ran ran = CliProgram::run({"simulate", "--strategy", "token-lua", "--workers", "10", "--rounds",
                                     "3", "--mode", "try", "--hold", "100", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonObject json = jsonIn(ran.out);
    QCOMPARE(json[u"rounds"], 3);
    QCOMPARE(json[u"winners_per_round"][u"min"], 1);
    QCOMPARE(json[u"winners_per_round"][u"max"], 1);
    QVERIFY(json[u"refused"].toInteger() >= 27);
    QCOMPARE(json[u"violations"], 0);
}

void TestCliSimulate::findsWhatAnUnsafeReleaseDoes()
{
    // Each holds for twice its lease, so that every delete meets another's lock.
    const Ran ran =
        CliProgram::run({"simulate", "--strategy", "token-set", "--release", "unchecked-delete", "--workers",
                         "6", "--lease", "0.05", "--hold", "100", "--duration", "1.5"});
    VERIFY_EXIT(ran, 0); // it ran to its end, whatever it found
    QVERIFY2(ran.out.contains("Violations:") &&
                 ran.out.contains("foreign release: another owner's lock deleted"),
             ran.out.constData());
    QVERIFY(ran.out.contains(" and deleted the lock of W"));
}

void TestCliSimulate::scenarioIsJudged_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<Words>("words"); // what makes it shorter and leaves what is judged
    QTest::addColumn<int>("acts");
    QTest::addColumn<bool>("isMet");
    QByteArrayList rows;
    const auto row = [&rows](const char *name, int acts, const Words &words = {}, bool isMet = true) {
        rows.append(name);
        QTest::newRow(name) << QByteArray(name) << words << acts << isMet;
    };
    row("one-winner", 2, {"--rounds", "5"});
    row("sequence", 2);
    row("five-processes", 1);
    row("orphan", 2);
    row("foreign-release", 2);
    row("paused-holder", 2);
    row("crash", 2, {"--duration", "2"});
    row("watchdog", 2);
    row("convoy", 1, {"--duration", "2"}, false);
    row("herd", 2, {"--duration", "1"}, false);
    row("deadlock", 4);
    row("fair-vs-unfair", 2, {"--duration", "1"}, false);
    row("reentrancy", 5);
    row("lost-reply", 3);
    row("gap-in-release", 3);
    for (const Scenario &scenario : scenarios())
        QVERIFY2(rows.contains(scenario.name), scenario.name.constData());
}

/// What convoy, herd and fair-vs-unfair find depends on how fast the machine is, and on what else it does: they say
/// whether it is as expected, either way.
void TestCliSimulate::scenarioIsJudged()
{
    QFETCH(const QByteArray, name);
    QFETCH(const Words, words);
    QFETCH(const int, acts);
    QFETCH(const bool, isMet);
    const QTemporaryDir temporary;
    const Ran ran = CliProgram::run(Words{"simulate", "--scenario", name, "--json"} + words,
                                    {QStringLiteral("TMPDIR=") + temporary.path()});
    QCOMPARE(QDir(temporary.path()).entryList(QDir::NoDotAndDotDot | QDir::AllEntries),
             QStringList()); // of its server
    const QJsonObject json = jsonIn(ran.out);
    QVERIFY2(json[u"met"].isBool(), reported(ran).constData());
    VERIFY_EXIT(ran, json[u"met"].toBool() ? 0 : 1);
    QVERIFY2(json[u"met"].toBool() || !isMet,
             QJsonDocument(json[u"findings"].toArray()).toJson().constData());
    QCOMPARE(json[u"scenario"], QString::fromLatin1(name));
    QCOMPARE(json[u"acts"].toArray().size(), acts > 1 ? acts : 0);
    QVERIFY(json[u"findings"].toArray().size() >= acts);
    QVERIFY(json[u"attempts"].toInteger() > 0);
    QCOMPARE(json[u"stopped"], false);
}

/// The published lock's own is check-then-delete.
void TestCliSimulate::publishedTestsTakeARelease()
{
    for (const char *scenario : {"sequence", "five-processes"}) {
        const Ran ran =
            CliProgram::run({"simulate", "--scenario", scenario, "--release", "check-then-delete", "--json"});
        VERIFY_EXIT(ran, 0);
        const QJsonObject json = jsonIn(ran.out);
        QCOMPARE(json[u"release"], QStringLiteral("check-then-delete"));
        QVERIFY(json[u"met"].toBool());
    }
}

/// Each act tells what was found in it: what deletes another's lock, and what refuses to.
void TestCliSimulate::aGapInTheReleaseIsShown()
{
    const Ran ran = CliProgram::run({"simulate", "--scenario", "gap-in-release", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonArray acts = jsonIn(ran.out)[u"acts"].toArray();
    QCOMPARE(acts.size(), 3);
    for (qsizetype i = 0; i < acts.size(); ++i) {
        const QJsonObject act = acts[i].toObject();
        const QString release = act[u"release"].toString();
        QCOMPARE(act[u"title"].toString(), release);
        QCOMPARE(act[u"pauses"].toInt(), 1);
        QCOMPARE(act[u"foreign_releases"].toInt() > 0, release == u"check-then-delete");
        QCOMPARE(act[u"exec_refused"].toInt(), release == u"watched-transaction" ? 1 : 0);
    }
}

void TestCliSimulate::scenarioTellsPeople()
{
    const Ran ran = CliProgram::run({"simulate", "--scenario", "five-processes"});
    VERIFY_EXIT(ran, 0);
    const QString text = QString::fromUtf8(ran.out);
    QCOMPARE(text.count(QRegularExpression(
                 QStringLiteral("^  \\d\\d:\\d\\d:\\d\\d\\.\\d{3} +-?\\d+ ms  W[1-5]  lock [12]  attempted$"),
                 QRegularExpression::MultilineOption)),
             10);
    QVERIFY2(text.contains(u"acquired the lock") && text.contains(u"was refused") &&
                 text.contains(u"released"),
             ran.out.constData());
    QVERIFY(text.contains(u"The expectation was met."));
}

void TestCliSimulate::runsOnAnotherServer()
{
    const RedisServer server;
    server.cli({"SET", "lock:mine", "x"});
    const Ran ran = CliProgram::on(
        server, {"simulate", "--strategy", "reentrant", "--workers", "3", "--duration", "0.3", "--json"});
    VERIFY_EXIT(ran, 0);
    QVERIFY(jsonIn(ran.out)[u"acquired"].toInteger() > 0);
    QCOMPARE(server.cli({"KEYS", "*"}), "lock:mine"); // nothing else was there, nothing is left
    QVERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_evalsha"));
}

void TestCliSimulate::readOnlyRefusesAnotherServer()
{
    const RedisServer server;
    const Ran ran =
        CliProgram::on(server, {"--read-only", "simulate", "--strategy", "reentrant", "--duration", "0.3"});
    VERIFY_EXIT(ran, 4);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.contains("--read-only"), ran.err.constData());
    QVERIFY(!server.cli({"INFO", "commandstats"}).contains("cmdstat_eval"));
}

void TestCliSimulate::anothersServerMayNotBeBroken()
{
    const RedisServer server;
    for (const Words &words : {Words{"--scenario", "orphan"}, Words{"--strategy", "token-setnx"},
                               Words{"--strategy", "handoff", "--server-fault", "flushall"}}) {
        const Ran ran = CliProgram::on(server, Words{"simulate"} + words);
        VERIFY_EXIT(ran, 2);
        QVERIFY2(ran.err.contains("private server"), ran.err.constData());
    }
    QCOMPARE(server.cli({"DBSIZE"}), "0");
}

void TestCliSimulate::unreachableServerIsTold()
{
    const Ran ran = CliProgram::run({"-s", "/nonexistent/redis.sock", "simulate", "--strategy", "handoff"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("/nonexistent/redis.sock"), ran.err.constData());
}

void TestCliSimulate::interruptPrintsWhatThereIs_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("strategy") << QStringList{QStringLiteral("--strategy"), QStringLiteral("handoff"),
                                             QStringLiteral("--duration"), QStringLiteral("600")};
    QTest::newRow("scenario") << QStringList{QStringLiteral("--scenario"), QStringLiteral("herd"),
                                             QStringLiteral("--duration"), QStringLiteral("600")};
}

void TestCliSimulate::interruptPrintsWhatThereIs()
{
    QFETCH(QStringList, words);
    const RedisServer server;
    QProcess program;
    program.start(CliProgram::path(), QStringList{QStringLiteral("-s"), server.socketPath(),
                                                  QStringLiteral("simulate"), QStringLiteral("--json")} +
                                          words);
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"INFO", "commandstats"}).contains("cmdstat_evalsha"), 20'000);
    ::kill(static_cast<pid_t>(program.processId()), SIGINT);
    QVERIFY(program.waitForFinished(20'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    const QJsonObject json = jsonIn(keptJson("simulate", program.readAllStandardOutput()));
    QCOMPARE(json[u"stopped"], true);
    QVERIFY(json[u"acquired"].toInteger() > 0);
    QVERIFY(!json.contains(QStringLiteral("met")));
    QCOMPARE(server.cli({"DBSIZE"}), "0");
}

/// kill -9: nobody can clean up, so keys must expire and processes must end by themselves.
void TestCliSimulate::aKillLeavesNothingThatStays()
{
    const RedisServer server;
    QProcess program;
    program.start(CliProgram::path(),
                  {QStringLiteral("-s"), server.socketPath(), QStringLiteral("simulate"),
                   QStringLiteral("--strategy"), QStringLiteral("handoff"), QStringLiteral("--workers"),
                   QStringLiteral("6"), QStringLiteral("--processes"), QStringLiteral("3"),
                   QStringLiteral("--hold"), QStringLiteral("50"), QStringLiteral("--duration"),
                   QStringLiteral("600")});
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"KEYS", "*"}).contains(":handoff:queue"), 20'000);
    const QStringList children = livingChildren(program.processId());
    QVERIFY2(children.size() >= 3, qPrintable(children.join(u' ')));
    program.kill();
    QVERIFY(program.waitForFinished());
    const auto haveEnded = [&children] {
        return std::ranges::none_of(children, [](const QString &child) { return parentOf(child) >= 0; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(haveEnded(), 10'000);
    for (const QByteArray &key : server.cli({"KEYS", "*"}).split('\n')) {
        QVERIFY2(key.isEmpty() || key.startsWith("sim:"), key.constData());
        QVERIFY2(server.cli({"PTTL", key}) != "-1", key.constData()); // it has an end, or has had it
    }
}

/// Workers get it from their parent's pipe.
void TestCliSimulate::childrenShowNoPassword()
{
    const RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("canary-7f3a")});
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("REDISCLI_AUTH"), QStringLiteral("canary-7f3a"));
    program.setProcessEnvironment(environment);
    program.start(CliProgram::path(),
                  {QStringLiteral("-s"), server.socketPath(), QStringLiteral("simulate"),
                   QStringLiteral("--strategy"), QStringLiteral("token-set"), QStringLiteral("--workers"),
                   QStringLiteral("4"), QStringLiteral("--processes"), QStringLiteral("2"),
                   QStringLiteral("--duration"), QStringLiteral("600")});
    QVERIFY(program.waitForStarted());
    const auto works = [&server] {
        return server.cli({"-a", "canary-7f3a", "--no-auth-warning", "CLIENT", "LIST"}).count("cmd=set") > 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(works(), 20'000);
    QStringList family = livingChildren(program.processId());
    QCOMPARE(family.size(), 2);
    for (qsizetype i = 0; i < family.size(); ++i) {
        family += livingChildren(family[i].toLongLong());
        for (const QString &name : {QStringLiteral("environ"), QStringLiteral("cmdline")}) {
            QFile file(QStringLiteral("/proc/%1/%2").arg(family[i], name));
            if (file.open(QIODevice::ReadOnly))
                QVERIFY2(!file.readAll().contains("canary-7f3a"), qPrintable(family[i] + u' ' + name));
        }
    }
    ::kill(static_cast<pid_t>(program.processId()), SIGINT);
    QVERIFY(program.waitForFinished(20'000));
}

void TestCliSimulate::aVanishedServerEndsTheRun_data()
{
    QTest::addColumn<Words>("words");
    QTest::newRow("rounds") << Words{"--rounds", "10000", "--hold", "5"};
    QTest::newRow("a long duration") << Words{"--duration", "600", "--hold", "5"};
    QTest::newRow("nearly all rest") << Words{"--duration", "600", "--rest", "3000"};
    QTest::newRow("one holds for long") << Words{"--duration", "600", "--hold", "500000", "--lease", "600"};
    QTest::newRow("processes") << Words{"--rounds", "10000", "--hold", "5", "--processes", "2"};
}

/// Whoever has no server any more must not wait for it for ever.
void TestCliSimulate::aVanishedServerEndsTheRun()
{
    QFETCH(Words, words);
    RedisServer server;
    QProcess program;
    QStringList arguments{QStringLiteral("-s"), server.socketPath(), QStringLiteral("simulate"),
                          QStringLiteral("--strategy"), QStringLiteral("handoff")};
    for (const QByteArray &word : words)
        arguments.append(QString::fromLatin1(word));
    program.start(CliProgram::path(), arguments);
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"INFO", "commandstats"}).contains("cmdstat_evalsha"), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"PUBSUB", "CHANNELS"}).contains("sim:"), 20'000); // somebody waits
    server.kill();
    QVERIFY2(program.waitForFinished(20'000), "3 s are waited for the server");
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    const QByteArray told = program.readAllStandardError();
    QVERIFY2(told.contains("server lost during the run"), told.constData());
    QCOMPARE(program.exitCode(), 3);
    QCOMPARE(program.readAllStandardOutput(), "");
}

void TestCliSimulate::aMissingPermissionEndsTheRun_data()
{
    QTest::addColumn<Words>("words");
    QTest::newRow("a command") << Words{"--strategy", "token-set", "--release", "check-then-delete"};
    QTest::newRow("a script") << Words{"--strategy", "token-set"};
}

/// A release that is refused would be refused again and again.
void TestCliSimulate::aMissingPermissionEndsTheRun()
{
    QFETCH(Words, words);
    const RedisServer server;
    server.cli({"ACL", "SETUSER", "worker", "on", ">pw", "~*", "+@all", "-del"});
    QElapsedTimer time;
    time.start();
    const Ran ran =
        CliProgram::on(server, Words{"--user", "worker", "-a", "pw", "simulate", "--duration", "40"} + words);
    VERIFY_EXIT(ran, 3);
    QVERIFY2(time.elapsed() < 20'000, "not at its end");
    QVERIFY2(ran.err.contains("permission"), ran.err.constData());
    QCOMPARE(ran.out, "");
}

void TestCliSimulate::aMissingProgramIsTold()
{
    const Ran ran =
        CliProgram::run({"simulate", "--strategy", "handoff"}, {QStringLiteral("PATH=/nonexistent")});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("Install redis-server"), ran.err.constData());
}

/// In the table, and in a section with an exercise.
void TestCliSimulate::theDocumentNamesEveryScenario()
{
    QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/simulation.md"));
    QVERIFY(document.open(QIODevice::ReadOnly));
    const QByteArray text = document.readAll();
    for (const Scenario &scenario : scenarios()) {
        const QByteArray name = scenario.name.toByteArray();
        QVERIFY2(text.contains("\n| `" + name + "` |"), name.constData());
        QVERIFY2(text.contains("\n## " + name + '\n'), name.constData());
    }
    QCOMPARE(text.count("\n**Exercise.**"), qsizetype(scenarios().size()));
}

QTEST_GUILESS_MAIN(TestCliSimulate)
#include "tst_clisimulate.moc"
