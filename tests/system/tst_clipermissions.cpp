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
                            const QByteArray &asks) { QTest::newRow(name) << rules << unreadable << asks; };
        row("some keys", {"~lock:h*"}, 2, "ACL SETUSER mo %R~lock:* %R~*:lock\n");
        row("all keys", {}, 4, "ACL SETUSER mo %R~lock:* %R~*:lock\n");
        row("texts", {"~*", "-getrange"}, 2, "ACL SETUSER mo +getrange\n");
        row("times", {"~*", "-pttl"}, 4, "ACL SETUSER mo +pttl\n");
        row("texts and keys", {"~lock:*", "-getrange"}, 2, "ACL SETUSER mo %R~*:lock +getrange\n");
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
        QVERIFY2(text.out.contains("Unreadable keys: " + QByteArray::number(unreadable)),
                 text.out.constData());
        QVERIFY2(!text.out.contains("No locks at"), text.out.constData());
        QVERIFY2(text.err.contains(QByteArray::number(unreadable) + " keys cannot be read: no permission.") &&
                     text.err.endsWith(asks),
                 text.err.constData());
        QCOMPARE(text.out.contains("lock:h1"), unreadable < 4);
        // The rule is what is missing, no more and no less.
        const QByteArrayList rule = asks.trimmed().split(' ').sliced(3);
        login.change(rule);
        const Ran after = CliProgram::on(server, login.options() + QByteArrayList{"list", "--json"});
        VERIFY_EXIT(after, 0);
        QCOMPARE(jsonIn(after.out)[QStringLiteral("unreadable")].toInt(-1), 0);
        QCOMPARE(jsonIn(after.out)[QStringLiteral("locks")].toArray().size(), 4);
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
        QVERIFY2(json.err.endsWith("ACL SETUSER mo %R~*\n"), json.err.constData());
        const Ran text = CliProgram::on(server, login.options() + QByteArrayList{"search"});
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.out.contains("Unreadable keys: 3."), text.out.constData());

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
        Login login(server, {"~lock:*", "-getrange"});
        const auto get = [&](const QByteArray &key) {
            return CliProgram::on(server, login.options() + QByteArrayList{"get", key, "--json"});
        };
        const Ran hash = get("lock:h1");
        VERIFY_EXIT(hash, 0);
        const Ran text = get("lock:t1");
        VERIFY_EXIT(text, 3);
        QVERIFY2(text.err.contains("Ask for +getrange"), text.err.constData());
        const Ran key = get("t2:lock");
        VERIFY_EXIT(key, 3);
        QVERIFY2(key.err.contains("may not access a key"), key.err.constData());
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
                events << jsonIn(watch.readLine());
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
    static void fill(const RedisServer &server)
    {
        const QByteArray owner = "b983c153-7421-469a-addb-44fb92259a1b:1";
        server.cli({"HSET", "lock:h1", owner, "1"});
        server.cli({"HSET", "lock:h2", owner, "1"});
        server.cli({"SET", "lock:t1", "c3ab8ff1-3720-4e8a-bd90-47dd3898f9c8"});
        server.cli({"SET", "t2:lock", "c3ab8ff1-3720-4e8a-bd90-47dd3898f9c8"});
    }
};

QTEST_GUILESS_MAIN(TestCliPermissions)
#include "tst_clipermissions.moc"
