// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "tests/app/givenwords.h"
#include "tests/support/familyliteral.h"

#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

class TestOptions : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        qunsetenv("REDISCLI_AUTH");
    }

    void findsServer_data();
    void findsServer();
    void otherOptionsWinOverTheAddress();
    void passwordFromEnvironmentComesLast();
    void hidesSecretsInArguments();
    void takesVerbs();
    void takesPlans();
    void takesScenarios();
    void takesBytesAsTheyAre();
    void takesBase64();
    void takesValuesInBothForms();
    void takesExpectedOwners();
    void storedServersAreGivenByName();
    void aKeptPasswordNeedsNoOption();
    void windowTakesNoVerb();
    void windowTakesALink();
    void helpAndVersionNeedNothingElse();
    void helpNamesEveryOption();
    void helpOnAVerbIsAboutThatVerb();
    void theServiceIsUnderstood();
    void closedSetsAreWhatIsTaken();
};

void TestOptions::findsServer_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QString>("shown");

    QTest::newRow("default") << Words{} << QStringLiteral("localhost:6379");
    QTest::newRow("host") << Words{"-h", "db1"} << QStringLiteral("db1:6379");
    QTest::newRow("IPv6 in brackets") << Words{"-h", "[::1]"} << QStringLiteral("[::1]:6379");
    QTest::newRow("another's scheme") << Words{"-u", "valkeys://h"} << QStringLiteral("h:6379 (TLS)");
    QTest::newRow("IPv6") << Words{"-h", "::1", "-p", "7000"} << QStringLiteral("[::1]:7000");
    QTest::newRow("port and database")
        << Words{"-p", "7000", "-n", "3"} << QStringLiteral("localhost:7000/3");
    QTest::newRow("socket") << Words{"-s", "/run/r.sock", "-n", "2"} << QStringLiteral("/run/r.sock (db 2)");
    QTest::newRow("TLS") << Words{"-h", "h", "--tls", "--insecure"} << QStringLiteral("h:6379 (TLS)");
    QTest::newRow("URI") << Words{"-u", "rediss://h:1/2"} << QStringLiteral("h:1/2 (TLS)");
    QTest::newRow("Sentinels") << Words{"--sentinel", "h,h2:1", "--master", "m", "-n", "2"}
                               << QStringLiteral("m/2 (Sentinel h:26379)");
    QTest::newRow("Sentinels, by TLS")
        << Words{"-u", "redis-sentinel://h/m", "--tls"} << QStringLiteral("m (TLS, Sentinel h:26379)");
    QTest::newRow("Redlock group") << Words{"--redlock", "a,b:1,c", "-n", "2"}
                                   << QStringLiteral("a:6379,b:1,c:6379/2 (Redlock)");
    QTest::newRow("Redlock group of many") << Words{"-u", "redis-redlock://a,b,c,d,e", "--tls"}
                                           << QStringLiteral("a:6379,b:6379,c:6379,+2 (TLS, Redlock)");
    QTest::newRow("URI of a socket") << Words{"-u", "unix:///s?db=1"} << QStringLiteral("/s (db 1)");
}

void TestOptions::findsServer()
{
    QFETCH(Words, words);
    QFETCH(QString, shown);
    const Options options = parsed(words + Words{"list"});
    QCOMPARE(options.server.toDisplayString(), shown);
    QCOMPARE(options.serverGiven, !words.isEmpty());
}

void TestOptions::otherOptionsWinOverTheAddress()
{
    const Options options =
        parsed({"-p", "7", "-n", "9", "-u", "redis://ann:pw@h:1/2", "-a", "new", "--tls", "list"});
    QCOMPARE(options.server.toDisplayString(), QStringLiteral("h:7/9 (TLS)"));
    QCOMPARE(options.server.user, "ann");
    QCOMPARE(options.server.password, "new");
    // An empty password is one: the server may let this user in without any.
    QVERIFY(parsed({"--user", "ann", "-a", "", "list"}).server.password.isEmpty());
    QVERIFY(parsed({"--user", "ann", "-a", "", "list"}).warnings.isEmpty());
    QCOMPARE(parsed({"-h", "h", "-u", "unix:///s", "list"}).server.toDisplayString(),
             QStringLiteral("h:6379"));
    QCOMPARE(parsed({"-s", "/s", "-u", "rediss://h", "list"}).server.toDisplayString(), QStringLiteral("/s"));
    QCOMPARE(parsed({"-s", "r.sock", "list"}).server.socketPath,
             QDir::current().filePath(QStringLiteral("r.sock")));
}

void TestOptions::passwordFromEnvironmentComesLast()
{
    qputenv("REDISCLI_AUTH", "env");
    QCOMPARE(parsed({"list"}).server.password, "env");
    QCOMPARE(parsed({"-u", "redis://h", "list"}).server.password, "env");
    QCOMPARE(parsed({"-u", "redis://:uri@h", "list"}).server.password, "uri");
    QCOMPARE(parsed({"-a", "arg", "list"}).server.password, "arg");
    QCOMPARE(parsed({"--demo", "list"}).server.password, "");
    QVERIFY(!parsed({"list"}).serverGiven);
}

void TestOptions::hidesSecretsInArguments()
{
    const QByteArray uri = "redis://:" + canary + "@h";
    Arguments arguments({"-a", canary, "-u", uri, "list"});
    const Result<Options> options = arguments.parse();
    QVERIFY(options);
    QCOMPARE(options->server.password, canary);
    QCOMPARE(options->server.host, QStringLiteral("h"));
    QCOMPARE(arguments.joined(),
             "-a " + QByteArray(canary.size(), 'x') + " -u " + QByteArray(uri.size(), 'x') + " list");
    QCOMPARE(options->warnings.size(), 2);
    for (const QString &warning : options->warnings)
        QVERIFY(warning.contains(QStringLiteral("other users can read")) &&
                !warning.toUtf8().contains(canary));
    QVERIFY(parsed({"-u", "redis://h", "list"}).warnings.isEmpty());

    const QByteArray hook = "https://h/" + canary;
    for (const Words &words : {Words{"alert", "--webhook", hook}, Words{"alert", "--webhook=" + hook}}) {
        Arguments given(words);
        QCOMPARE(given.parse()->webhook, QUrl(QString::fromUtf8(hook)));
        QVERIFY2(!given.joined().contains("h/"), given.joined());
    }
}

void TestOptions::takesVerbs()
{
    QCOMPARE(parsed({"list"}).verb, Verb::List);
    QCOMPARE(parsed({"list", "--json"}).json, true);
    QCOMPARE(parsed({"get", "k"}).verb, Verb::Get);
    QCOMPARE(parsed({"get", "k"}).key, LockKey("k"));

    const Options acquire =
        parsed({"acquire", "k", "--owner", "me", "--lease", "0.5", "--family", "token", "--wait", "0"});
    QCOMPARE(acquire.verb, Verb::Acquire);
    QCOMPARE(acquire.owner, OwnerId("me"));
    QCOMPARE(acquire.lease->value(), milliseconds(500));
    QCOMPARE(acquire.family, "token"_family);
    QCOMPARE(acquire.wait, milliseconds(0));

    const Options release = parsed({"--read-only", "release", "--all", "--owner", "me", "k"});
    QCOMPARE(release.verb, Verb::Release);
    QVERIFY(release.all && release.readOnly && !release.lease);
    QCOMPARE(release.key, LockKey("k"));

    QCOMPARE(parsed({"extend", "k", "--owner", "me", "--lease", "3"}).verb, Verb::Extend);
    const Options watch = parsed({"watch", "--duration", "1.5", "--pattern", "a:*", "--pattern", "b?"});
    QCOMPARE(watch.verb, Verb::Watch);
    const Options top = parsed({"top", "--replay", "f", "--at", "03:12", "--filter", "state:held"});
    QCOMPARE(top.verb, Verb::Top);
    QCOMPARE(top.replayPath, "f");
    QVERIFY(top.recording.at.has_value());
    QCOMPARE(watch.duration, milliseconds(1500));
    QCOMPARE(watch.patterns, QList<QByteArray>({"a:*", "b?"}));
    const Options check = parsed({"check", "--max-held", "600", "--max-waiters", "3", "--state", "f"});
    QCOMPARE(check.verb, Verb::Check);
    QCOMPARE(check.rules.maxHeld, milliseconds(600'000));
    QCOMPARE(check.rules.maxWaiters, 3);
    QCOMPARE(check.stateFile, "f");
    QVERIFY(!check.rules.problems && !check.rules.noExpiry);
    QVERIFY(refusal({"check", "--state", "f"}).contains("--max-held"));
    const Options alert = parsed({"alert", "--max-held", "0.5", "--max-waiters", "0", "--unusual", "2"});
    QCOMPARE(alert.alertRules[AlertKind::HeldTooLong], std::optional<qint64>(500));
    QCOMPARE(alert.alertRules[AlertKind::ManyWaiters], std::optional<qint64>(0));
    QCOMPARE(alert.alertRules[AlertKind::HeldUnusuallyLong], std::optional<qint64>(2));
    QVERIFY(!parsed({"alert", "--unusual", "0"}).alertRules[AlertKind::HeldUnusuallyLong]);
    QVERIFY(refusal({"alert", "--unusual", "1"})
                .contains("--unusual takes a whole number from 2 to 1000000, or 0 for none."));
    QVERIFY(refusal({"check", "--max-waiters", "1000000001"})
                .contains("--max-waiters takes a whole number from 0 to 1000000000."));
    const Options all = parsed({"export", "--listen", ":9121"});
    QCOMPARE(all.verb, Verb::Export);
    QVERIFY(all.listen.host.isEmpty());
    QCOMPARE(all.listen.port, quint16(9121));
    QCOMPARE(parsed({"export", "--listen", "[::1]:0"}).listen.host, QStringLiteral("::1"));
    QCOMPARE(parsed({"export", "--listen", "localhost:1"}).listen.host, QStringLiteral("127.0.0.1"));
    QVERIFY(refusal({"export"}).contains("--listen"));

    const Options recorded = parsed({"record", "file", "--max-size", "20", "--anonymous", "--duration", "3"});
    QCOMPARE(recorded.recording.file, QByteArray("file"));
    QCOMPARE(recorded.recording.limit, 20'000'000);
    QVERIFY(recorded.recording.isAnonymous);
    QCOMPARE(parsed({"replay", "f", "--at", "03:12"}).recording.at->timeOfDay, QTime(3, 12));
    QCOMPARE(parsed({"replay", "f", "--from", "2026-01-31T03:12:00Z"}).recording.from->wallMs,
             1'769'829'120'000);
    QCOMPARE(parsed({"replay", "f", "--to", "1769829120"}).recording.to->wallMs, 1'769'829'120'000);
    QVERIFY(refusal({"replay"}).contains("FILE"));
    QVERIFY(refusal({"replay", "f", "--at", "25:00"}).contains("--at takes TIME, as in 03:12"));
    QVERIFY(refusal({"replay", "f", "--at", "1", "--info"}).contains("--info"));
    QVERIFY(refusal({"record", "f", "--max-size", "1"}).contains("--max-size"));
    QVERIFY(refusal({"export", "--listen", "::1:9121"}).contains("[::1]:10121"));
    QCOMPARE(parsed({"audit", "verify"}).verb, Verb::AuditVerify);
    QCOMPARE(parsed({"audit", "verify", "f"}).auditFile, "f");
    QVERIFY(parsed({"--demo", "watch"}).demo);
}

void TestOptions::takesPlans()
{
    const Plan usual = parsed({"simulate", "--strategy", "handoff"}).simulation.plan;
    Plan expected;
    expected.algorithm.strategy = StrategyKind::Handoff;
    QCOMPARE(usual, expected);

    const Options options = parsed(
        QByteArray("simulate --strategy token-set --release check-then-delete --workers 12 --locks 2 "
                   "--processes 3 --lease 0.5 --hold uniform:1..20 --duration 1.5 --poll 7 --timeout 250 "
                   "--rest 3 --crash-rate 0.1 --pause-rate 0.2 --pause 800 --seed 9 --watchdog --json "
                   "--watchdog-stop-rate 0.05 --reply-loss-rate 0.01 --release-pause-rate 0.02 "
                   "--server-fault restart --server-fault pause --blind-retry")
            .split(' '));
    QCOMPARE(options.verb, Verb::Simulate);
    QVERIFY(options.json && !options.serverGiven && !options.simulation.scenario);
    expected.algorithm = {StrategyKind::TokenSet, ReleaseMethod::CheckThenDelete, WakeMethod::Poll,
                          milliseconds(7), true};
    expected.workers = 12;
    expected.locks = 2;
    expected.processes = 3;
    expected.lease = milliseconds(500);
    expected.hold = *HoldTime::parse("uniform:1..20");
    expected.duration = milliseconds(1500);
    expected.mode = WaitMode::Timeout;
    expected.timeout = milliseconds(250);
    expected.rest = milliseconds(3);
    expected.crashRate = 0.1;
    expected.pauseRate = 0.2;
    expected.pause = milliseconds(800);
    expected.seed = 9;
    expected.watchdog = true;
    expected.watchdogStopRate = 0.05;
    expected.replyLossRate = 0.01;
    expected.releasePauseRate = 0.02;
    expected.serverFaults = {ServerFault::Restart, ServerFault::Pause};
    QCOMPARE(options.simulation.plan, expected);

    const Plan rounds = parsed({"simulate", "--strategy", "redisson", "--rounds", "3", "--mode", "try",
                                "--reentry", "2", "--wake", "backoff"})
                            .simulation.plan;
    QCOMPARE(rounds.rounds, 3);
    QCOMPARE(rounds.mode, WaitMode::Try);
    QCOMPARE(rounds.reentry, 2);
    QCOMPARE(rounds.algorithm.wake, WakeMethod::Backoff);
    QCOMPARE(parsed({"simulate", "--strategy", "token-setnx", "--split-crash-rate", "0.5"})
                 .simulation.plan.splitCrashRate,
             0.5);
}

void TestOptions::takesScenarios()
{
    for (const Scenario &scenario : scenarios()) {
        const SimulationSetup taken =
            parsed({"simulate", "--scenario", scenario.name.toByteArray()}).simulation;
        QCOMPARE(taken.scenario, &scenario);
        QVERIFY(!taken.settings.workers && !taken.settings.duration && !taken.settings.rounds &&
                !taken.settings.processes && !taken.settings.algorithm);
        QCOMPARE(taken.settings.seed, 1U);
    }
    const ScenarioSettings settings =
        parsed({"simulate", "--scenario", "one-winner", "--workers", "5", "--rounds", "3", "--processes", "2",
                "--strategy", "redisson", "--seed", "4"})
            .simulation.settings;
    QCOMPARE(settings.workers, 5);
    QCOMPARE(settings.rounds, 3);
    QCOMPARE(settings.processes, 2);
    QCOMPARE(settings.algorithm->strategy, StrategyKind::Redisson);
    QCOMPARE(settings.seed, 4U);
    for (const char *published : {"one-winner", "sequence", "five-processes"}) {
        const ScenarioSettings release =
            parsed({"simulate", "--scenario", published, "--release", "check-then-delete"})
                .simulation.settings;
        QCOMPARE(release.release, ReleaseMethod::CheckThenDelete);
        QVERIFY(!release.algorithm);
    }
    for (const char *form :
         {"compare-and-delete", "watched-transaction", "unchecked-delete", "check-then-delete"})
        QCOMPARE(
            parsed({"simulate", "--strategy", "token-set", "--release", form, "--release-pause-rate", "0.1"})
                .simulation.plan.releasePauseRate,
            0.1);
    QCOMPARE(parsed({"simulate", "--scenario", "herd", "--duration", "2"}).simulation.settings.duration,
             milliseconds(2000));
}

void TestOptions::takesBytesAsTheyAre()
{
    const QByteArray bytes = "lock:\xff\xfe\n \xe2\x80\xae";
    const Options options = parsed({"release", bytes, "--owner", bytes});
    QCOMPARE(options.key.bytes, bytes);
    QCOMPARE(options.owner.bytes, bytes);
    QCOMPARE(parsed({"get", "--", "--help"}).key, LockKey("--help"));
    QCOMPARE(parsed({"get", "--", "-"}).key, LockKey("-"));
    QCOMPARE(parsed({"get", "-"}).key, LockKey("-"));
    QCOMPARE(parsed({"release", "k", "--owner", "--all"}).owner, OwnerId("--all"));
}

void TestOptions::takesBase64()
{
    const Options options =
        parsed({"force-expire", "AP8=", "--base64", "--expect-owner", "YQ==", "--expect-holds", "2"});
    QCOMPARE(options.key.bytes, QByteArray("\0\xff", 2));
    QCOMPARE(options.expected, QList<LockOwner>({LockOwner{OwnerId("a"), "2", 2}}));
}

void TestOptions::takesValuesInBothForms()
{
    const Options options = parsed({"release", "k", "--owner=a=b", "--lease=2"});
    QCOMPARE(options.owner, OwnerId("a=b"));
    QCOMPARE(options.lease->value(), milliseconds(2000));
}

void TestOptions::takesExpectedOwners()
{
    const Options options = parsed({"force-expire", "k", "--expect-owner", "a", "--expect-owner", "b",
                                    "--expect-holds", "2", "--grace", "5"});
    QCOMPARE(options.expected,
             QList<LockOwner>({LockOwner{OwnerId("a"), {}, {}}, LockOwner{OwnerId("b"), "2", 2}}));
    QCOMPARE(options.grace, milliseconds(5000));
}

void TestOptions::storedServersAreGivenByName()
{
    const QTemporaryDir files;
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    QCoreApplication::setApplicationName(QStringLiteral("test"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, files.path());
    rememberServer(
        {QStringLiteral("orders"), ServerAddress::parse(QStringLiteral("rediss://db/2")).value(), true});
    rememberServer(
        {QStringLiteral("ops"), ServerAddress::parse(QStringLiteral("redis://ann:@db")).value(), false});

    const Options options = parsed({"--connect", "orders", "-n", "3", "-a", "secret", "list"});
    QCOMPARE(options.server.toDisplayString(), QStringLiteral("db:6379/3 (TLS)"));
    QCOMPARE(options.server.password, "secret");
    QVERIFY(options.readOnly); // as it was stored
    QVERIFY(refusal({"--connect", "ops", "list"}).contains("needs a password"));
    QVERIFY(refusal({"--connect", "none", "list"}).contains("Stored: ops, orders"));
    QCOMPARE(parsed({"--pass", "secret", "list"}).server.password, "secret");
    QVERIFY(refusal({"--connect", "orders", "-h", "x", "list"}).contains("either --connect or -h"));
    QVERIFY(refusal({"--connect", "orders", "--connect", "ops", "list"}).contains("given twice"));
    QVERIFY(refusal({"--demo", "--connect", "orders", "list"}).contains("either --demo or --connect"));

    const Options window = parsed({"--connect", "ops"}, Program::Window);
    QVERIFY(window.askPassword); // the first page does
    QVERIFY(refusal({"-u", "redis://ann:@db"}, Program::Window).contains("needs a password"));
    QVERIFY(!window.passwordGiven);
    QVERIFY(parsed({"--connect", "ops", "-a", ""}, Program::Window).passwordGiven);
    const Options several = parsed({"--connect", "orders", "--connect", "ops"}, Program::Window);
    QCOMPARE(several.stored.size(), 2);
    QVERIFY(!several.readOnly); // the other is not
    QVERIFY(refusal({"--connect", "orders", "--connect", "ops", "--tls"}, Program::Window)
                .contains("Give either --connect or --tls."));
}

/// By the window alone: no script waits until somebody unlocks a keychain.
void TestOptions::aKeptPasswordNeedsNoOption()
{
    const QTemporaryDir files;
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    QCoreApplication::setApplicationName(QStringLiteral("test"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, files.path());
    StoredServer stored{QStringLiteral("ops"),
                        ServerAddress::parse(QStringLiteral("redis://ann:@db")).value()};
    rememberServer(stored);
    setKeepsPasswords(stored.address, true);
    for (const QList<QByteArray> &arguments :
         {QList<QByteArray>{"--connect", "ops"}, QList<QByteArray>{"-u", "redis://ann:@db"},
          QList<QByteArray>{"-h", "db", "--user", "ann", "--select", "lock:a"}}) {
        const Options options = parsed(arguments, Program::Window);
        QVERIFY(!options.askPassword && options.server.password.isEmpty());
    }
    QVERIFY(parsed({"--connect", "ops", "--askpass"}, Program::Window).askPassword);
    QVERIFY(parsed({"--connect", "ops", "--user", "bob"}, Program::Window).askPassword);
    QVERIFY(refusal({"-u", "redis://ann:@db:6380"}, Program::Window).contains("needs a password"));
    QVERIFY(refusal({"--connect", "ops", "list"}).contains("needs a password"));
    QVERIFY(refusal({"-u", "redis://ann:@db", "list"}).contains("needs a password"));
    // Nor does it give one to whoever answers.
    stored = {QStringLiteral("tls"), ServerAddress::parse(QStringLiteral("rediss://ann:@db")).value()};
    rememberServer(stored);
    setKeepsPasswords(stored.address, true);
    QVERIFY(!parsed({"--connect", "tls"}, Program::Window).askPassword);
    QVERIFY(parsed({"--connect", "tls", "--insecure"}, Program::Window).askPassword);
    QVERIFY(refusal({"-u", "rediss://ann:@db", "--insecure"}, Program::Window).contains("needs a password"));
}

void TestOptions::windowTakesNoVerb()
{
    const Options options = parsed({"--demo", "--read-only"}, Program::Window);
    QVERIFY(options.demo && options.readOnly);
    QVERIFY(!parsed({}, Program::Window).serverGiven);
    QVERIFY(parsed({"-u", "redis://h"}, Program::Window).serverGiven);
    QVERIFY(parsed({"--askpass", "--user", "ann"}, Program::Window).askPassword);
    QVERIFY(!Arguments({"list"}).parse(Program::Window));
    QVERIFY(!Arguments({"--json"}).parse(Program::Window));
    QCOMPARE(parsed({"--pattern", "a:*"}, Program::Window).patterns, QList<QByteArray>{"a:*"});
}

void TestOptions::windowTakesALink()
{
    const QByteArray link = "lockscope://open?server=redis%3A%2F%2Fh&key=lock%3Aa";
    qputenv("REDISCLI_AUTH", canary);
    const Options options = parsed({"--read-only", link}, Program::Window);
    QCOMPARE(options.link->key, "lock:a");
    QVERIFY(options.readOnly && !options.serverGiven);
    QVERIFY(options.link->server.password.isEmpty());
    QVERIFY(parsed({"--replay", "FILE", link}, Program::Window).link);
    // One that is clicked must be answered in the window.
    const Options bad = parsed({"lockscope://open?server=redis%3A%2F%2Fh&do=release"}, Program::Window);
    QVERIFY(!bad.link && !bad.badLink.isEmpty());
    QVERIFY(refusal({"-h", "h", link}, Program::Window).contains("either LINK or -h"));
    QVERIFY(refusal({"--demo", link}, Program::Window).contains("either LINK or --demo"));
    QVERIFY(!Arguments({link, link}).parse(Program::Window));
    QVERIFY(!Arguments({link}).parse(Program::Terminal));
}

void TestOptions::helpAndVersionNeedNothingElse()
{
    QVERIFY(parsed({"--help"}).help);
    QVERIFY(parsed({"acquire", "--help"}).help);
    QVERIFY(parsed({"--what", "--version"}).version);
    QVERIFY(parsed({"-V"}).version);
    QCOMPARE(parsed({"-h", "list", "acl", "check", "--help"}).helpOn, "acl");
    QVERIFY(parsed({"help", "acl"}).help);
    QCOMPARE(parsed({"help", "acl"}).helpOn, "acl");
    QVERIFY(helpText(Program::Terminal, "acl").startsWith("Usage: lockscope-cli acl monitor"));
    QVERIFY(!helpText(Program::Terminal, "acl").contains("--pattern GLOB"));
    QCOMPARE(helpText(Program::Terminal, "frob"), helpText(Program::Terminal));
    // The value of an option is no option.
    const Options named = parsed({"force-expire", "k", "--expect-owner", "--help"});
    QVERIFY(!named.help);
    QCOMPARE(named.expected.first().owner, OwnerId("--help"));
    QVERIFY(!parsed({"-a", "--version", "release", "k", "--owner", "x"}).version);
    QVERIFY(parsed({"release", "k", "--owner=x", "--help"}).help);
    QVERIFY(versionText(Program::Terminal).startsWith("lockscope-cli "));
    QVERIFY(versionText(Program::Window).startsWith("lockscope "));
}

void TestOptions::helpNamesEveryOption()
{
    QByteArray terminal = helpText(Program::Terminal);
    for (const VerbRow &row : verbRows())
        terminal += helpText(Program::Terminal, row.name.toByteArray().split(' ').first());
    const QByteArray window = helpText(Program::Window);
    for (const char *word : {"-h HOST",     "-p PORT",     "-s SOCKET",  "-n DB",      "-u URI",
                             "--user NAME", "-a PASSWORD", "--askpass",  "--tls",      "--cacert FILE",
                             "--cert FILE", "--key FILE",  "--sni NAME", "--insecure", "--pattern GLOB",
                             "--read-only", "--demo",      "--version",  "--help",     "REDISCLI_AUTH"}) {
        QVERIFY2(terminal.contains(word), word);
        QVERIFY2(window.contains(word), word);
    }
    for (const char *word : {"list",
                             "get KEY",
                             "acquire KEY",
                             "release KEY",
                             "extend KEY",
                             "force-expire KEY",
                             "remove-waiter KEY",
                             "wake KEY",
                             "search",
                             "who KEY",
                             "--explain",
                             "--only",
                             "--waiter ID",
                             "watch",
                             "audit verify",
                             "--owner ID",
                             "--lease SECONDS",
                             "--family F",
                             "--wait SECONDS",
                             "--all",
                             "--expect-owner ID",
                             "--expect-holds N",
                             "--grace SECONDS",
                             "--duration SECONDS",
                             "simulate (--scenario NAME | --strategy NAME ...)",
                             "--scenario NAME",
                             "--strategy NAME",
                             "--workers N",
                             "--hold MS",
                             "--crash-rate P",
                             "--seed N",
                             "--json",
                             "--base64",
                             "Exit status"}) {
        QVERIFY2(terminal.contains(word), word);
        QVERIFY2(!window.contains("  " + QByteArray(word)), word);
    }
    for (const QByteArray &line : terminal.split('\n'))
        QVERIFY2(line.size() <= 120, line.constData());
    QCOMPARE(terminal.count("--pattern GLOB"), 1);
    QCOMPARE(terminal.count("  --json "), 1);
}

void TestOptions::helpOnAVerbIsAboutThatVerb()
{
    const auto help = [](const char *verb) { return helpText(Program::Terminal, verb).simplified(); };
    QVERIFY(help("release").contains("--all release all levels Examples: lockscope-cli release "));
    QVERIFY(help("list").contains(
        "--all include hidden keys --share PERCENT load budget, of one server core (25)"));
    QVERIFY(help("release").contains("--lease SECONDS lease time --"));
    QVERIFY(help("simulate").contains("--lease SECONDS lease time (2)"));
    QVERIFY(help("who").contains("duration (3, maximum 30)"));
    QVERIFY(help("watch").contains("duration (until Ctrl-C)"));
    QVERIFY(help("wake").contains("simple-redis-mutex, spring-integration, token (as found)"));
    for (const VerbRow &verb : verbRows()) {
        QByteArray text = helpText(Program::Terminal, verb.name.toByteArray());
        text.truncate(text.indexOf("\nUsage: "));
        for (const OptionRow &row : optionRows())
            QVERIFY2(text.count("  " + row.written() + ' ') <= 1, text.constData());
    }
}

/// What the package's unit calls, with the options that its text shows.
void TestOptions::theServiceIsUnderstood()
{
    QFile file(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/systemd/lockscope@.service"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray unit = file.readAll();
    const QByteArray start = "\nExecStart=/usr/bin/lockscope-cli ";
    QByteArray call = unit.sliced(unit.indexOf(start) + start.size());
    call.truncate(call.indexOf('\n'));
    QByteArrayList examples;
    for (const QByteArray &line : unit.split('\n')) {
        if (const qsizetype at = line.indexOf("LOCKSCOPE_OPTIONS=-"); at >= 0)
            examples.append(line.sliced(at + qsizetype(qstrlen("LOCKSCOPE_OPTIONS="))));
    }
    QCOMPARE(examples.size(), 3);
    for (const QByteArray verb : {"record", "alert", "export"}) {
        QByteArray words = call;
        words.replace("%i", verb).replace("$LOCKSCOPE_OPTIONS", examples.takeFirst() + " -a x");
        const Options options = parsed(words.split(' '));
        QVERIFY(options.readOnly);
        QCOMPARE(options.verb, verb == "record"  ? Verb::Record
                               : verb == "alert" ? Verb::Alert
                                                 : Verb::Export);
    }
    for (const char *line : {"DynamicUser=yes", "StateDirectory=lockscope/%i", "ProtectSystem=strict",
                             "NoNewPrivileges=yes", "UMask=0077"})
        QVERIFY2(unit.contains(QByteArray("\n") + line + '\n'), line);
}

void TestOptions::closedSetsAreWhatIsTaken()
{
    int sets = 0;
    for (const OptionRow &row : optionRows()) {
        if (!row.target.values)
            continue;
        ++sets;
        Options options;
        for (const QByteArray &value : row.target.values())
            QVERIFY2(row.take(options, value), (row.written() + ' ' + value).constData());
        QVERIFY2(!row.take(options, "no-such-value"), row.written().constData());
    }
    QVERIFY(sets >= 7);
}

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
