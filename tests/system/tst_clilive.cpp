// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program on servers that are large, flushed, or without end.
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;

namespace {

/// `watch --json` as it goes on; its lines are read one at a time.
class FeedMode
{
public:
    explicit FeedMode(const RedisServer &server)
    {
        m_process.start(CliProgram::path(),
                        {QStringLiteral("-s"), server.socketPath(), QStringLiteral("watch"),
                         QStringLiteral("--json"), QStringLiteral("--share"), QStringLiteral("100")});
    }
    ~FeedMode()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    FeedMode(const FeedMode &) = delete;
    FeedMode &operator=(const FeedMode &) = delete;

    /// The next one; empty where none comes.
    QJsonObject event()
    {
        const bool there = QTest::qWaitFor(
            [&] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; }, 30'000);
        return there ? jsonIn(keptJson("watch", m_process.readLine())) : QJsonObject();
    }

private:
    QProcess m_process;
};

QString nameOf(const QJsonObject &event)
{
    return event[QLatin1String("event")].toString();
}

QString keyOf(const QJsonObject &event)
{
    return event[QLatin1String("key")].toString();
}

void fill(const RedisServer &server, int locks)
{
    server.cli({"EVAL",
                "for i = 1, ARGV[1] do redis.call('set', 'lock:' .. i, "
                "string.format('%08x-58cc-4372-a567-0e02b2c3d479', i), 'PX', 3600000) end",
                "0", QByteArray::number(locks)});
}

QByteArray bulk(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

/// A server whose SCAN never comes round.
void neverComeRound(FakePeer &peer)
{
    peer.on("SCAN", "*2\r\n$1\r\n7\r\n*1\r\n" + bulk("lock:a"));
    peer.on("PTTL", ":-1\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", "$1\r\nt\r\n");
}

QList<QByteArray> at(const FakePeer &peer, const QList<QByteArray> &words)
{
    return QList<QByteArray>{"-h", "127.0.0.1", "-p", QByteArray::number(peer.port())} + words;
}

} // namespace

class TestCliLive : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_cli.emplace();
    }
    void cleanup() { m_cli.reset(); }

    /// What was there is told when there is time: it is much, and its reader may be slow.
    void whatHappensGoesBeforeWhatWasThere()
    {
        constexpr int many = 3000; // far more than a pipe holds
        const RedisServer server;
        fill(server, many);
        FeedMode feed(server);
        QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
        server.cli({"SET", "lock:new", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PX", "60000"});
        server.cli({"DEL", "lock:17"}); // its beginning has to come before its end
        int found = 0;
        int foundBeforeNew = -1;
        QStringList of17;
        while (found < many || foundBeforeNew < 0 || of17.size() < 2) {
            const QJsonObject event = feed.event();
            QVERIFY(!event.isEmpty());
            if (keyOf(event) == QStringLiteral("lock:new"))
                foundBeforeNew = found;
            else
                found += nameOf(event) == QStringLiteral("found");
            if (keyOf(event) == QStringLiteral("lock:17"))
                of17 << nameOf(event);
        }
        QVERIFY2(foundBeforeNew < many, QByteArray::number(foundBeforeNew).constData());
        QCOMPARE(of17, (QStringList{QStringLiteral("found"), QStringLiteral("released")}));
    }

    /// From "ready" on, what lives for a second and a half is told, with its end.
    void shortLivesAreTold()
    {
        constexpr int made = 100;
        const RedisServer server;
        fill(server, 3000);
        FeedMode feed(server);
        QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
        server.cli({"EVAL",
                    "for i = 1, 100 do redis.call('set', 'lock:short' .. i, "
                    "string.format('%08x-58cc-4372-a567-0e02b2c3d479', i), 'PX', 1000 + 5 * i) end",
                    "0"});
        QHash<QString, QStringList> told;
        for (int gone = 0; gone < made;) {
            const QJsonObject event = feed.event();
            QVERIFY2(!event.isEmpty(), QByteArray::number(gone).constData());
            if (!keyOf(event).startsWith(QStringLiteral("lock:short")))
                continue;
            told[keyOf(event)] << nameOf(event);
            gone += told[keyOf(event)].size() == 2;
        }
        for (const QStringList &events : std::as_const(told))
            QCOMPARE(events, (QStringList{QStringLiteral("acquired"), QStringLiteral("expired")}));
    }

    void aFlushIsAnEvent()
    {
        const RedisServer server;
        fill(server, 300);
        FeedMode feed(server);
        QCOMPARE(nameOf(feed.event()), QStringLiteral("ready"));
        for (int i = 0; i < 300; ++i)
            QCOMPARE(nameOf(feed.event()), QStringLiteral("found"));
        server.cli({"FLUSHALL"});
        const QJsonObject flushed = feed.event();
        QCOMPARE(nameOf(flushed), QStringLiteral("flushed"));
        QCOMPARE(flushed[QLatin1String("locks")].toInteger(), 300);
        QCOMPARE(flushed[QLatin1String("cause")].toString(), QStringLiteral("flush"));
        QVERIFY(flushed[QLatin1String("at")].toInteger() > 0);
        for (int i = 0; i < 300; ++i)
            QCOMPARE(nameOf(feed.event()), QStringLiteral("flushed"));
    }

    void aListWithoutEndSaysSo()
    {
        FakePeer peer;
        neverComeRound(peer);
        const Ran ran = CliProgram::companions(at(peer, {"list", "--json"}));
        VERIFY_EXIT(ran, 3);
        const QJsonObject list = jsonIn(ran.out);
        QCOMPARE(list[QLatin1String("complete")], QJsonValue(false));
        QVERIFY2(ran.err.contains("cannot complete") && ran.err.contains("cursor 7 twice"),
                 ran.err.constData());
        QVERIFY(peer.commands("SCAN").size() < 10);
        const Ran text = CliProgram::companions(at(peer, {"list"}));
        VERIFY_EXIT(text, 3);
        QVERIFY(text.err.contains("locks may be missing"));
    }

    void theOthersSaySoToo_data()
    {
        QTest::addColumn<QByteArray>("verb");
        QTest::newRow("watch") << QByteArray("watch");
        QTest::newRow("search") << QByteArray("search");
    }
    void theOthersSaySoToo()
    {
        QFETCH(QByteArray, verb);
        FakePeer peer;
        neverComeRound(peer);
        const Ran ran = CliProgram::companions(at(peer, {verb, "--json"}));
        VERIFY_EXIT(ran, 3);
        QVERIFY2(ran.err.contains("cannot complete"), ran.err.constData());
        if (verb == "search")
            QCOMPARE(jsonIn(ran.out)[QLatin1String("complete")], QJsonValue(false));
        QVERIFY(peer.commands("SCAN").size() < 10);
    }

    /// What was read before it is gone, and is not listed.
    void aFlushDuringAList()
    {
        const RedisServer server;
        fill(server, 20'000);
        auto listing = std::async(std::launch::async, [&server] {
            return CliProgram::on(server, {"list", "--json", "--share", "1"});
        });
        QTRY_VERIFY_WITH_TIMEOUT(server.cli({"INFO", "commandstats"}).contains("cmdstat_pttl"), 20'000);
        server.cli({"EVAL", "redis.call('flushall') redis.call('set', 'lock:new', 'x', 'PX', 60000)", "0"});
        const Ran ran = listing.get();
        VERIFY_EXIT(ran, 0);
        const QJsonArray locks = jsonIn(ran.out)[QLatin1String("locks")].toArray();
        QCOMPARE(locks.size(), 1);
        QCOMPARE(keyOf(locks[0].toObject()), QStringLiteral("lock:new"));
    }

    void aShareIsTaken()
    {
        const RedisServer server;
        fill(server, 500);
        for (const QByteArray share : {"0.1", "5", "100"}) {
            const Ran ran = CliProgram::on(server, {"list", "--json", "--share", share});
            VERIFY_EXIT(ran, 0);
            QCOMPARE(jsonIn(ran.out)[QLatin1String("locks")].toArray().size(), 500);
        }
        VERIFY_EXIT(CliProgram::on(server, {"search", "--json", "--share", "50"}), 0);
        for (const QByteArray share : {"0", "101", "-5", "x", "1e1", ""})
            VERIFY_EXIT(CliProgram::on(server, {"list", "--share", share}), 2);
        VERIFY_EXIT(CliProgram::on(server, {"get", "lock:1", "--share", "5"}), 2);
    }

private:
    std::optional<CliProgram> m_cli;
};

QTEST_GUILESS_MAIN(TestCliLive)
#include "tst_clilive.moc"
