// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program's live feed and its demo.
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QJsonArray>
#include <QtTest>

#include <csignal>
#include <optional>

using namespace lockscope;

namespace {

/// A feed that is read as it comes.
class FeedMode
{
public:
    explicit FeedMode(const RedisServer &server, const QStringList &more = {QStringLiteral("--json")})
    {
        m_process.start(CliProgram::path(),
                        QStringList{QStringLiteral("-s"), server.socketPath(), QStringLiteral("watch")} +
                            more);
    }

    ~FeedMode()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    FeedMode(const FeedMode &) = delete;
    FeedMode &operator=(const FeedMode &) = delete;

    /// The next line; empty where none comes.
    QByteArray line()
    {
        const bool there = QTest::qWaitFor(
            [&] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; }, 10'000);
        const QByteArray next = there ? m_process.readLine() : QByteArray();
        return next.startsWith('{') ? keptJson("watch", next) : next;
    }
    QJsonObject event() { return jsonIn(line()); }
    /// Skips to the next event of that name, which is bound to come.
    QJsonObject event(const QString &name)
    {
        for (;;) {
            const QJsonObject next = event();
            if (next.isEmpty() || next[QLatin1String("event")].toString() == name)
                return next;
        }
    }
    /// The exit code; -1 where it does not end, or is killed.
    int end()
    {
        const bool ended = QTest::qWaitFor([&] { return m_process.state() == QProcess::NotRunning; }, 10'000);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QProcess &process() { return m_process; }

private:
    QProcess m_process;
};

QString nameOf(const QJsonObject &event)
{
    return event[QLatin1String("event")].toString();
}

} // namespace

class TestCliWatch : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void tellsWhatHappens();
    void tellsAnEndByForce();
    void firstLineIsReady();
    void saysHowEachPatternIsHeard_data();
    void saysHowEachPatternIsHeard();
    void tellsHowItHears();
    void tellsThatNotificationsWereSwitchedOff();
    void tellsTheEndOfALockThatBecameNone();
    void tellsWhoCameAndWent();
    void tellsASwap();
    void forPeopleInColumns();
    void endsOnSignal_data();
    void endsOnSignal();
    void endsAfterDuration();
    void saysThatItWasNeverReady_data();
    void saysThatItWasNeverReady();
    void endsWithItsReader();
    void tellsLossAndReturnOfTheServer();
    void endsWhereTheServerIsNotThere();
    void demoShowsLocksAndLeavesNothing();

private:
    std::optional<RedisServer> m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliWatch::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    m_server.emplace();
}

void TestCliWatch::tellsWhatHappens()
{
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    const auto act = [&](const QList<QByteArray> &words) {
        return CliProgram::on(*m_server, words).exitCode;
    };

    QCOMPARE(act({"acquire", "lock:a", "--owner", "x", "--lease", "30"}), 0);
    const QJsonObject acquired = feed.event();
    QCOMPARE(nameOf(acquired), QStringLiteral("acquired"));
    QCOMPARE(acquired[QLatin1String("key")].toString(), QStringLiteral("lock:a"));
    QCOMPARE(acquired[QLatin1String("owner")].toString(), QStringLiteral("x"));
    QCOMPARE(acquired[QLatin1String("holds")].toInteger(), 1);
    QVERIFY(acquired[QLatin1String("ttl_ms")].toInteger() > 20'000);
    QVERIFY(qAbs(acquired[QLatin1String("at")].toInteger() - QDateTime::currentMSecsSinceEpoch()) < 60'000);

    QCOMPARE(act({"acquire", "lock:a", "--owner", "x", "--lease", "3000"}), 0);
    QCOMPARE(feed.event(QStringLiteral("reentered"))[QLatin1String("holds")].toInteger(), 2);
    QCOMPARE(act({"release", "lock:a", "--owner", "x"}), 0);
    QCOMPARE(feed.event(QStringLiteral("unwound"))[QLatin1String("holds")].toInteger(), 1);
    QCOMPARE(act({"extend", "lock:a", "--owner", "x", "--lease", "9000"}), 0);
    QVERIFY(!feed.event(QStringLiteral("renewed")).isEmpty());
    QCOMPARE(act({"release", "lock:a", "--owner", "x"}), 0);
    QCOMPARE(feed.event(QStringLiteral("released"))[QLatin1String("owner")].toString(), QStringLiteral("x"));
    m_server->cli({"SET", "lock:b", "tok", "PX", "2500"});
    QCOMPARE(feed.event(QStringLiteral("expired"))[QLatin1String("key")].toString(),
             QStringLiteral("lock:b"));
}

/// Another program of this user ends a lock: its audit record tells. What others delete is released.
void TestCliWatch::tellsAnEndByForce()
{
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    for (int i = 0; i < 3; ++i) {
        m_server->cli({"SET", "lock:a", "tok", "PX", "60000"});
        QVERIFY(!feed.event(QStringLiteral("acquired")).isEmpty());
        VERIFY_EXIT(CliProgram::on(*m_server, {"force-expire", "lock:a", "--expect-owner", "other"}), 1);
        VERIFY_EXIT(CliProgram::on(*m_server, {"force-expire", "lock:a", "--expect-owner", "tok"}), 0);
        const QJsonObject forced = feed.event();
        QCOMPARE(nameOf(forced), QStringLiteral("forced"));
        QCOMPARE(forced[QLatin1String("by")].toString(), QStringLiteral("this-user"));
        QCOMPARE(forced[QLatin1String("owner")].toString(), QStringLiteral("tok"));
    }
    m_server->cli({"SET", "lock:a", "tok", "PX", "60000"});
    QVERIFY(!feed.event(QStringLiteral("acquired")).isEmpty());
    m_server->cli({"DEL", "lock:a"});
    QCOMPARE(nameOf(feed.event()), QStringLiteral("released"));
}

void TestCliWatch::firstLineIsReady()
{
    for (int i = 0; i < 20; ++i)
        m_server->cli({"SET", "lock:" + QByteArray::number(i), "tok", "EX", "60"});
    FeedMode feed(*m_server);
    const QJsonObject ready = feed.event();
    QCOMPARE(nameOf(ready), QStringLiteral("ready"));
    QCOMPARE(ready[QLatin1String("locks")].toInteger(), 20);
    QCOMPARE(ready[QLatin1String("feed")].toString(), QStringLiteral("polling")); // new names of *:lock
    for (int i = 0; i < 20; ++i)
        QCOMPARE(nameOf(feed.event()), QStringLiteral("found"));
}

/// What holds for every pattern, and for each: of a name that begins anyhow only known locks are told of.
void TestCliWatch::saysHowEachPatternIsHeard_data()
{
    QTest::addColumn<QByteArrayList>("patterns");
    QTest::addColumn<QString>("feed");
    QTest::addColumn<QStringList>("feeds");
    QTest::addColumn<QString>("found");
    const auto several = [](const char *pattern, int count) {
        QByteArrayList patterns;
        for (int i = 0; i < count; ++i)
            patterns << QByteArray(pattern).replace("N", QByteArray::number(i));
        return patterns;
    };
    const QString tracking = QStringLiteral("tracking");
    const QString byKey = QStringLiteral("tracking-by-key");
    QTest::newRow("one") << QByteArrayList{"lock:*"} << tracking << QStringList{tracking} << QString();
    QTest::newRow("default") << QByteArrayList{"lock:*", "lock_*", "*:lock"} << QStringLiteral("polling")
                             << QStringList{tracking, tracking, byKey} << QStringLiteral("*:lock");
    QTest::newRow("class") << QByteArrayList{"[ab]ock:*"} << QStringLiteral("polling") << QStringList{byKey}
                           << QStringLiteral("[ab]ock:*");
    QTest::newRow("past the eighth") << several("pN:*", 9) << QStringLiteral("polling")
                                     << (QStringList(8, tracking) << byKey) << QStringLiteral("p8:*");
}

void TestCliWatch::saysHowEachPatternIsHeard()
{
    QFETCH(QByteArrayList, patterns);
    QFETCH(QString, feed);
    QFETCH(QStringList, feeds);
    QFETCH(QString, found);
    QStringList options;
    for (const QByteArray &pattern : patterns)
        options << QStringLiteral("--pattern") << QString::fromLatin1(pattern);
    FeedMode json(*m_server, QStringList{QStringLiteral("--json")} + options);
    const QJsonObject ready = json.event();
    QCOMPARE(nameOf(ready), QStringLiteral("ready"));
    QCOMPARE(ready[QLatin1String("feed")].toString(), feed);
    const QJsonArray told = ready[QLatin1String("feeds")].toArray();
    QCOMPARE(told.size(), patterns.size());
    for (qsizetype i = 0; i < told.size(); ++i) {
        QCOMPARE(told[i][QLatin1String("pattern")].toString().toLatin1(), patterns[i]);
        QCOMPARE(told[i][QLatin1String("feed")].toString(), feeds[i]);
    }
    FeedMode words(*m_server, options);
    const QByteArray line = words.line();
    QCOMPARE(line.contains("change feed: tracking\n"), found.isEmpty());
    QCOMPARE(line.contains("found by scans"), !found.isEmpty());
    QVERIFY2(line.contains("new locks of " + found.toLatin1()) == !found.isEmpty(), line.constData());
}

/// The server cuts the feed's connection and no other.
void TestCliWatch::tellsHowItHears()
{
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    const QByteArray clients = m_server->cli({"CLIENT", "LIST"});
    const auto own = QRegularExpression(QStringLiteral("id=(\\d+)[^\n]* name=lockscope:feed "))
                         .match(QString::fromUtf8(clients));
    QVERIFY2(own.hasMatch(), clients.constData());
    QCOMPARE(m_server->cli({"CLIENT", "KILL", "ID", own.captured(1).toUtf8()}), "1");
    for (const auto *how : {"polling", "tracking"}) {
        const QJsonObject changed = feed.event();
        QCOMPARE(nameOf(changed), QStringLiteral("feed"));
        QCOMPARE(changed[QLatin1String("feed")].toString(), QStringLiteral("polling"));
        QCOMPARE(changed[QLatin1String("feeds")][0][QLatin1String("feed")].toString(), QLatin1String(how));
    }
}

void TestCliWatch::tellsThatNotificationsWereSwitchedOff()
{
    m_server->cli({"CONFIG", "SET", "notify-keyspace-events", "KEA"});
    FeedMode feed(*m_server,
                  {QStringLiteral("--json"), QStringLiteral("--pattern"), QStringLiteral("*:lock")});
    QCOMPARE(feed.event()[QLatin1String("feed")].toString(), QStringLiteral("notifications"));
    m_server->cli({"CONFIG", "SET", "notify-keyspace-events", "Egx"});
    QCOMPARE(feed.event(QStringLiteral("feed"))[QLatin1String("feed")].toString(), QStringLiteral("polling"));
    m_server->cli({"SET", "a:lock", "tok", "PX", "60000"});
    QCOMPARE(feed.event(QStringLiteral("acquired"))[QLatin1String("key")].toString(),
             QStringLiteral("a:lock"));
}

/// As home-made locks are released, and as a counter begins.
void TestCliWatch::tellsTheEndOfALockThatBecameNone()
{
    FeedMode feed(*m_server,
                  {QStringLiteral("--json"), QStringLiteral("--pattern"), QStringLiteral("lock:*")});
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    const auto next = [&] {
        const QJsonObject event = feed.event();
        return nameOf(event) + u' ' + event[QLatin1String("owner")].toString();
    };
    m_server->cli({"SET", "lock:v", "owner-1", "PX", "50000"});
    QCOMPARE(next(), QStringLiteral("acquired owner-1"));
    m_server->cli({"SET", "lock:v", "unlocked"});
    QCOMPARE(next(), QStringLiteral("overwritten owner-1"));
    m_server->cli({"SET", "lock:v", "owner-2", "PX", "50000"});
    QCOMPARE(next(), QStringLiteral("acquired owner-2"));
    m_server->cli({"DEL", "lock:v"});
    QCOMPARE(next(), QStringLiteral("released owner-2"));
}

void TestCliWatch::tellsWhoCameAndWent()
{
    FeedMode feed(*m_server,
                  {QStringLiteral("--json"), QStringLiteral("--pattern"), QStringLiteral("lock:*")});
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    const auto next = [&] {
        const QJsonObject event = feed.event();
        return nameOf(event) + u' ' + event[QLatin1String("owner")].toString().right(1);
    };
    const QByteArray first = "f47ac10b-58cc-4372-a567-0e02b2c3d479:1";
    const QByteArray second = "f47ac10b-58cc-4372-a567-0e02b2c3d479:2";
    m_server->cli({"EVAL",
                   "redis.call('hset', KEYS[1], 'mode', 'read', ARGV[1], 1) "
                   "redis.call('pexpire', KEYS[1], 60000)",
                   "1", "lock:rw", first});
    QCOMPARE(next(), QStringLiteral("acquired 1"));
    m_server->cli({"HSET", "lock:rw", second, "1"});
    QCOMPARE(next(), QStringLiteral("acquired 2"));
    m_server->cli({"HINCRBY", "lock:rw", second, "1"});
    QCOMPARE(next(), QStringLiteral("reentered 2"));
    m_server->cli({"HDEL", "lock:rw", second});
    QCOMPARE(next(), QStringLiteral("released 2"));
    m_server->cli({"DEL", "lock:rw"});
    QCOMPARE(next(), QStringLiteral("released 1"));
}

/// Nobody has released these locks.
void TestCliWatch::tellsASwap()
{
    for (int i = 0; i < 4; ++i)
        m_server->cli({"SET", "lock:" + QByteArray::number(i), "tok", "PX", "60000"});
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    for (int i = 0; i < 4; ++i)
        QCOMPARE(nameOf(feed.event()), QStringLiteral("found"));
    m_server->cli({"SWAPDB", "0", "9"});
    QStringList names;
    QJsonObject swapped;
    for (int i = 0; i < 5; ++i) {
        const QJsonObject event = feed.event();
        names << nameOf(event);
        if (names.last() == QStringLiteral("swapped"))
            swapped = event;
    }
    names.sort();
    const QString renamed = QStringLiteral("renamed"); // they are in another database
    QCOMPARE(names, (QStringList{renamed, renamed, renamed, renamed, QStringLiteral("swapped")}));
    QCOMPARE(swapped[QLatin1String("locks")].toInteger(), 4);
    QCOMPARE(swapped[QLatin1String("cause")].toString(), QStringLiteral("swap"));
}

void TestCliWatch::forPeopleInColumns()
{
    m_server->cli({"SET", "lock:\x1b[2J", "tok", "EX", "60"});
    FeedMode feed(*m_server, {});
    const QByteArray ready = feed.line();
    QVERIFY2(ready.contains("ready") && ready.contains("locks: 1, at "), ready.constData());
    const QByteArray found = feed.line();
    QCOMPARE(found.indexOf("found"), ready.indexOf("ready"));
    QVERIFY2(found.contains("lock:\\x1b[2J") && found.contains("tok") && !found.contains('\x1b'),
             found.constData());
}

void TestCliWatch::endsOnSignal_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
}

void TestCliWatch::endsOnSignal()
{
    QFETCH(int, signal);
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    QCOMPARE(::kill(static_cast<pid_t>(feed.process().processId()), signal), 0);
    QCOMPARE(feed.end(), 0);
    QCOMPARE(feed.process().readAllStandardError(), "");
}

void TestCliWatch::endsAfterDuration()
{
    QElapsedTimer timer;
    timer.start();
    const Ran ran = CliProgram::on(*m_server, {"watch", "--json", "--duration", "0.4"});
    VERIFY_EXIT(ran, 0);
    QVERIFY(timer.elapsed() >= 400);
    QCOMPARE(ran.out.count('\n'), 1);
    QCOMPARE(ran.err, "");
}

void TestCliWatch::endsWithItsReader()
{
    m_server->cli({"MSET", "lock:1", "x", "lock:2", "x"});
    const Ran ran =
        runProgram(QStringLiteral("bash"),
                   {"-c", "\"$0\" -s \"$1\" watch --json | head -n 1; exit ${PIPESTATUS[0]}",
                    QFile::encodeName(CliProgram::path()), QFile::encodeName(m_server->socketPath())});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(ran.out.count('\n'), 1);
    QCOMPARE(ran.err, "");
}

void TestCliWatch::tellsLossAndReturnOfTheServer()
{
    m_server->cli({"SET", "lock:1", "x"});
    FeedMode feed(*m_server);
    QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
    QCOMPARE(nameOf(feed.event()), QStringLiteral("found"));
    // Which of its two connections goes first, and what the feed says of it meanwhile, is chance.
    m_server->kill();
    QVERIFY(!feed.event(QStringLiteral("disconnected")).isEmpty());
    m_server->start();
    QVERIFY(!feed.event(QStringLiteral("reconnected")).isEmpty());
    QCOMPARE(feed.event(QStringLiteral("flushed"))[QLatin1String("cause")].toString(),
             QStringLiteral("restart"));
    QCOMPARE(feed.event(QStringLiteral("flushed"))[QLatin1String("key")].toString(),
             QStringLiteral("lock:1"));
    m_server->cli({"SET", "lock:2", "x"});
    QCOMPARE(feed.event(QStringLiteral("acquired"))[QLatin1String("key")].toString(),
             QStringLiteral("lock:2"));
}

void TestCliWatch::saysThatItWasNeverReady_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("the sweep does not end") << QByteArray() << QByteArray("Give a longer --duration");
    QTest::newRow("it is refused") << QByteArray("-BUSY Redis is busy running a script.\r\n")
                                   << QByteArray("running another client's script");
}

/// Who waits for changes must not take silence for quiet.
void TestCliWatch::saysThatItWasNeverReady()
{
    QFETCH(QByteArray, reply);
    QFETCH(QByteArray, reason);
    FakePeer peer;
    peer.on("SCAN", reply.isEmpty() ? FakePeer::Answer().hold() : FakePeer::Answer(reply));
    const Ran ran = CliProgram::companions(
        {"-h", "127.0.0.1", "-p", QByteArray::number(peer.port()), "watch", "--duration", "0.5"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("ended before the first reading"), ran.err.constData());
    QVERIFY2(ran.err.contains(reason), ran.err.constData());
}

void TestCliWatch::endsWhereTheServerIsNotThere()
{
    m_server->stop();
    const Ran ran = CliProgram::on(*m_server, {"watch"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("Check the server"), ran.err.constData());
}

void TestCliWatch::demoShowsLocksAndLeavesNothing()
{
    QTemporaryDir temporary(QStringLiteral("/tmp/lockscope-test-XXXXXX"));
    const QStringList environment{QStringLiteral("TMPDIR=") + temporary.path()};
    const Ran ran = CliProgram::run({"--demo", "list", "--json"}, environment);
    VERIFY_EXIT(ran, 0);
    QVERIFY(jsonIn(ran.out)[QLatin1String("locks")].toArray().size() > 10);
    QTRY_COMPARE(QDir(temporary.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());

    const Ran missing = CliProgram::run({"--demo", "list"}, {QStringLiteral("PATH=/nonexistent")});
    VERIFY_EXIT(missing, 3);
    QVERIFY2(missing.err.contains("install"), missing.err.constData());
}

QTEST_GUILESS_MAIN(TestCliWatch)
#include "tst_cliwatch.moc"
