// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal program says of keys and commands that its login is refused.
#include "tests/support/login.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

using namespace lockscope;

namespace {

constexpr int lineTimeoutMs = 20'000;

} // namespace

class TestCliPermissions : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void listSaysWhatItCouldNotRead_data()
    {
        QTest::addColumn<QByteArrayList>("rules");
        QTest::addColumn<int>("unreadable");
        QTest::addColumn<QByteArray>("asks");
        const auto row = [](const char *name, const QByteArrayList &rules, int unreadable,
                            const QByteArray &asks) {
            QTest::newRow(name) << rules << unreadable << knownRules({asks}).first();
        };
        row("some keys", {"~lock:h*"}, 2, "ACL SETUSER mo %R~lock:* %R~*:lock %R~redisson_lock_*\n");
        row("all keys", {}, 4, "ACL SETUSER mo %R~lock:* %R~*:lock\n");
        row("texts", {"~*", "-getrange"}, 2, "ACL SETUSER mo +getrange\n");
        row("times", {"~*", "-pttl"}, 4, "ACL SETUSER mo +pttl\n");
        row("texts and keys", {"~lock:*", "-getrange"}, 2,
            "ACL SETUSER mo %R~*:lock %R~redisson_lock_* +getrange\n");
    }
    void listSaysWhatItCouldNotRead()
    {
        QFETCH(const QByteArrayList, rules);
        QFETCH(const int, unreadable);
        QFETCH(const QByteArray, asks);
        RedisServer server;
        fill(server);
        Login login(server, rules);

        const Ran json = CliProgram::on(server, login.options() + QByteArrayList{"list", "--json"});
        VERIFY_EXIT(json, 3);
        const QJsonObject list = jsonIn(json.out);
        QCOMPARE(list[QStringLiteral("unreadable")].toInt(-1), unreadable);
        QCOMPARE(list[QStringLiteral("locks")].toArray().size(), 4 - unreadable);
        QVERIFY2(json.err.endsWith(asks), json.err.constData());

        const Ran text = CliProgram::on(server, login.options() + QByteArrayList{"list"});
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.err.contains("Unreadable keys: " + QByteArray::number(unreadable)),
                 text.err.constData());
        QVERIFY2(!text.err.contains("No locks at"), text.err.constData());
        QVERIFY2(text.err.contains(QByteArray::number(unreadable) + " keys cannot be read: no permission.") &&
                     text.err.contains(asks),
                 text.err.constData());
        QCOMPARE(text.out.contains("lock:h1"), unreadable < 4);
        // The rule is what is missing, no more and no less.
        const QByteArrayList rule = asks.trimmed().split(' ').sliced(3);
        login.change(rule);
        // What stands beside them is asked for only when they are known.
        if (!rules.contains("~*"))
            login.change({"%R~redisson_lock_*"});
        const Ran after = CliProgram::on(server, login.options() + QByteArrayList{"list", "--json"});
        VERIFY_EXIT(after, 0);
        QCOMPARE(jsonIn(after.out)[QStringLiteral("unreadable")].toInt(-1), 0);
        QCOMPARE(jsonIn(after.out)[QStringLiteral("locks")].toArray().size(), 4);
    }

    /// Whether the holder lives is not known then.
    void checkSaysWhichHeartbeatsItCouldNotRead()
    {
        RedisServer server;
        server.cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        server.cli({"ZADD", "allSessions", "1700000000", "7"});
        Login login(server, {"~lockf*", "+time"});
        const QByteArrayList check =
            login.options() + QByteArrayList{"--pattern", "lockf*", "check", "--json"};
        const Ran unread = CliProgram::on(server, check);
        VERIFY_EXIT(unread, 3);
        QVERIFY2(unread.err.endsWith(knownRules({"ACL SETUSER mo %R~*allSessions\n"}).first()),
                 unread.err.constData());
        login.change({"%R~*allSessions"});
        const Ran read = CliProgram::on(server, check);
        VERIFY_EXIT(read, 1);
        QVERIFY2(read.out.contains("\"possible\":[\"never-ends\"]"), read.out.constData());
    }

    void searchSaysWhatItCouldNotRead()
    {
        RedisServer server;
        fill(server);
        server.cli({"MSET", "a", "1", "b", "2"});
        server.cli({"PEXPIRE", "lock:h1", "600000"}); // Redisson's, as likely as not
        Login login(server, {"~lock:*"});
        const Ran json = CliProgram::on(server, login.options() + QByteArrayList{"search", "--json"});
        VERIFY_EXIT(json, 3);
        const QJsonObject found = jsonIn(json.out);
        QCOMPARE(found[QStringLiteral("unreadable")].toInt(-1), 3);
        QCOMPARE(found[QStringLiteral("complete")], QJsonValue(false));
        QCOMPARE(found[QStringLiteral("locks")], QJsonValue(QJsonArray()));
        QCOMPARE(found[QStringLiteral("likely")].toArray().size(), 1);
        QCOMPARE(found[QStringLiteral("likely")][0][QStringLiteral("key")],
                 QJsonValue(QStringLiteral("lock:h1")));
        QVERIFY2(json.err.endsWith(knownRules({"ACL SETUSER mo %R~*\n"}).first()), json.err.constData());
        const Ran text = CliProgram::on(server, login.options() + QByteArrayList{"search"});
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.err.contains("Unreadable keys: 3."), text.err.constData());

        login.change({"~*"});
        const Ran all = CliProgram::on(server, login.options() + QByteArrayList{"search", "--json"});
        VERIFY_EXIT(all, 0);
        QCOMPARE(jsonIn(all.out)[QStringLiteral("unreadable")].toInt(-1), 0);
        QCOMPARE(jsonIn(all.out)[QStringLiteral("complete")], QJsonValue(true));

        login.change({"-getrange"});
        const Ran hashes = CliProgram::on(server, login.options() + QByteArrayList{"search", "--json"});
        VERIFY_EXIT(hashes, 3);
        QCOMPARE(jsonIn(hashes.out)[QStringLiteral("unreadable")].toInt(-1), 4);
        QVERIFY2(hashes.err.endsWith("ACL SETUSER mo +getrange\n"), hashes.err.constData());
    }

    /// A hash is known without its being read as a text, and the other way round.
    void getReadsWhatItMay()
    {
        RedisServer server;
        fill(server);
        Login login(server, {"~lock:*", "~redisson_lock_*", "-getrange"});
        const auto get = [&](const QByteArray &key) {
            return CliProgram::on(server, login.options() + QByteArrayList{"get", key, "--json"});
        };
        const Ran hash = get("lock:h1");
        VERIFY_EXIT(hash, 0);
        const Ran text = get("lock:t1");
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.err.contains("Request +getrange"), text.err.constData());
        const Ran key = get("t2:lock");
        VERIFY_EXIT(key, 3);
        QVERIFY2(key.err.contains("may not access a key"), key.err.constData());
    }

    /// A fair lock whose queue may not be read is told as what it may be, and that it may be more.
    void whatStandsBesideMayBeForbidden()
    {
        RedisServer server;
        fillCompanions(server);
        Login login(server, {"%R~lock:*"});
        const auto run = [&](const QByteArrayList &words) {
            return CliProgram::on(server, login.options() + words);
        };
        const QByteArray asks = knownRules({"ACL SETUSER mo %R~redisson_lock_*\n"}).first();
        const Ran got = run({"get", "lock:fair", "--json"});
        VERIFY_EXIT(got, 3);
        QVERIFY(!jsonIn(got.out).contains(QStringLiteral("waiters")));
        QVERIFY2(got.err.endsWith(asks), got.err.constData());
        const Ran explained = run({"get", "lock:fair", "--explain"});
        VERIFY_EXIT(explained, 3);
        QVERIFY2(explained.out.contains("Waiters: unknown, since the companion keys cannot be read"),
                 explained.out.constData());
        QVERIFY2(!explained.out.contains("at least") && !explained.out.contains("wakes one"),
                 explained.out.constData());

        const Ran list = run({"list", "--json"});
        VERIFY_EXIT(list, 3);
        const QJsonObject all = jsonIn(list.out);
        QCOMPARE(all[QStringLiteral("complete")], QJsonValue(false));
        QCOMPARE(all[QStringLiteral("locks")].toArray().size(), 2);
        QVERIFY(!all[QStringLiteral("locks")][0].toObject().contains(QStringLiteral("waiters")));
        QVERIFY2(
            list.err.contains("No permission for companion keys of 2 locks") &&
                list.err.endsWith(knownRules({"ACL SETUSER mo %R~redisson_lock_* %R~{*}:timeout\n"}).first()),
            list.err.constData());
        const Ran permits = run({"list", "--pattern", "lock:permits"});
        VERIFY_EXIT(permits, 3);
        QVERIFY2(!permits.err.contains("No locks at"), permits.err.constData());

        // The rules that it asks for are all that it lacks.
        login.change(list.err.trimmed().split(' ').last(2));
        const Ran permitted = run({"list", "--json"});
        VERIFY_EXIT(permitted, 0);
        const Ran whole = run({"get", "lock:fair", "--json"});
        VERIFY_EXIT(whole, 0);
        QCOMPARE(jsonIn(whole.out)[QStringLiteral("family")], QJsonValue(QStringLiteral("redisson-fair")));
        QCOMPARE(jsonIn(whole.out)[QStringLiteral("waiters")][QStringLiteral("count")], QJsonValue(2));
    }

    void searchSaysWhatItCouldNotReadBeside_data()
    {
        QTest::addColumn<QByteArray>("command");
        for (const char *command : {"exists", "lrange"})
            QTest::newRow(command) << QByteArray(command);
    }
    void searchSaysWhatItCouldNotReadBeside()
    {
        QFETCH(const QByteArray, command);
        RedisServer server;
        fillCompanions(server);
        Login login(server, {"~*", '-' + command});
        const Ran json = CliProgram::on(server, login.options() + QByteArrayList{"search", "--json"});
        VERIFY_EXIT(json, 3);
        QCOMPARE(jsonIn(json.out)[QStringLiteral("complete")], QJsonValue(false));
        QVERIFY2(json.err.endsWith("ACL SETUSER mo +" + command + '\n'), json.err.constData());
        const Ran text = CliProgram::on(server, login.options() + QByteArrayList{"search"});
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.err.contains("Keys with unreadable companion keys: 1."), text.err.constData());
        login.change({'+' + command});
        const Ran all = CliProgram::on(server, login.options() + QByteArrayList{"search", "--json"});
        VERIFY_EXIT(all, 0);
        QCOMPARE(jsonIn(all.out)[QStringLiteral("complete")], QJsonValue(true));
    }

    /// What decides what would be ended may not be read: a number may be a semaphore, a hash a fair lock.
    void nothingIsSentForWhatIsNotKnown()
    {
        CliProgram program;
        RedisServer server;
        fillCompanions(server);
        server.cli({"ACL", "SETUSER", "q", "on", ">p", "resetkeys", "%R~lock:*", "~lock:*", "&*", "+@all"});
        for (const QByteArrayList &of :
             {QByteArrayList{"lock:permits", "3"}, QByteArrayList{"lock:fair", owner}}) {
            const Ran refused = CliProgram::on(
                server, {"--user", "q", "-a", "p", "force-expire", of[0], "--expect-owner", of[1]});
            VERIFY_EXIT(refused, 3);
            QVERIFY2(refused.err.contains("nothing was sent") &&
                         refused.err.contains(knownRules({"ACL SETUSER q %R~"}).first()),
                     refused.err.constData());
            QCOMPARE(server.cli({"EXISTS", of[0]}), "1");
        }
    }

    void watchTellsOfPermissions()
    {
        RedisServer server;
        fill(server);
        Login login(server, {"~lock:*"});
        QProcess watch;
        watch.start(CliProgram::path(), {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--user"),
                                         QStringLiteral("mo"), QStringLiteral("-a"), QStringLiteral("p"),
                                         QStringLiteral("watch"), QStringLiteral("--json")});
        QList<QJsonObject> events;
        const auto next = [&](const QString &name) {
            while (true) {
                const bool there = QTest::qWaitFor([&] { return watch.canReadLine(); }, lineTimeoutMs);
                if (!there)
                    return QJsonObject();
                events << jsonIn(keptJson("watch", watch.readLine()));
                if (events.last()[QLatin1String("event")] == name)
                    return events.last();
            }
        };
        QCOMPARE(next(QStringLiteral("ready"))[QStringLiteral("locks")].toInt(), 3);
        QCOMPARE(next(QStringLiteral("unreadable"))[QStringLiteral("count")].toInt(), 1);

        login.change({"resetkeys", "~lock:h*"});
        const QJsonObject forbidden = next(QStringLiteral("forbidden"));
        QCOMPARE(forbidden[QStringLiteral("command")].toString(), QStringLiteral("pttl"));
        QCOMPARE(forbidden[QStringLiteral("what")].toString(), QStringLiteral("key"));
        QVERIFY(forbidden[QStringLiteral("at")].isDouble());
        QCOMPARE(next(QStringLiteral("unreadable"))[QStringLiteral("count")].toInt(), 2);
        login.change({"-hscan"});
        const QJsonObject command = next(QStringLiteral("forbidden"));
        QCOMPARE(command[QStringLiteral("command")].toString(), QStringLiteral("hscan"));
        QCOMPARE(command[QStringLiteral("what")].toString(), QStringLiteral("command"));

        login.change({"~*", "+hscan"});
        server.cli({"CLIENT", "KILL", "USER", "mo"}); // another connection tries at once
        QVERIFY(!next(QStringLiteral("permitted")).isEmpty());
        while (events.last()[QLatin1String("count")] != 0 ||
               events.last()[QLatin1String("event")] != QStringLiteral("unreadable"))
            QVERIFY(!next(QStringLiteral("unreadable")).isEmpty());
        for (const QJsonObject &event : std::as_const(events)) {
            const QString name = event[QStringLiteral("event")].toString();
            QVERIFY2(name != QStringLiteral("released") && name != QStringLiteral("vanished") &&
                         name != QStringLiteral("acquired"),
                     qPrintable(name));
        }
        watch.kill();
        watch.waitForFinished();
    }

private:
    inline static const QByteArray owner = "b983c153-7421-469a-addb-44fb92259a1b:1";

    /// A fair lock with two that wait, and a semaphore of which a permit is given out.
    static void fillCompanions(const RedisServer &server)
    {
        server.cli({"HSET", "lock:fair", owner, "1"});
        server.cli({"PEXPIRE", "lock:fair", "600000"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:fair}", owner + '2', owner + '3'});
        server.cli({"SET", "lock:permits", "3"});
        server.cli({"ZADD", "{lock:permits}:timeout", "1995319763000", "0123456789abcdef"});
    }
    static void fill(const RedisServer &server)
    {
        server.cli({"HSET", "lock:h1", owner, "1"});
        server.cli({"HSET", "lock:h2", owner, "1"});
        server.cli({"SET", "lock:t1", "c3ab8ff1-3720-4e8a-bd90-47dd3898f9c8"});
        server.cli({"SET", "t2:lock", "c3ab8ff1-3720-4e8a-bd90-47dd3898f9c8"});
    }
};

QTEST_GUILESS_MAIN(TestCliPermissions)
#include "tst_clipermissions.moc"
