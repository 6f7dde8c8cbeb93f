// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blockingconnection.h"
#include "tests/support/scripttest.h"

using namespace lockscope;
using namespace std::chrono_literals;

/// lua/redisson/ on a real server, in the form for Redis 7 and in the one for Redis 6: what Redisson's clients answer
/// and leave.
class RedissonScripts : public ScriptTest
{
    Q_OBJECT

public:
    RedissonScripts() : ScriptTest("redisson") {}

private slots:
    void steps_data()
    {
        QTest::addColumn<Words>("before");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Words>("arguments");
        QTest::addColumn<QByteArray>("reply"); // "left": what is left of a minute
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<qint64>("ttl");
        const Words once{"HSET lock a:1 1", "PEXPIRE lock 60000"};
        const Words twice{"HSET lock a:1 2", "PEXPIRE lock 60000"};
        const Words mine{"30000", "a:1"};
        const Words theirs{"30000", "b:1"};
        const auto row = [](const char *name, const Words &before, const QByteArray &script,
                            const Words &arguments, const QByteArray &reply, const QByteArray &after,
                            qint64 ttl) {
            QTest::newRow(name) << before << script << arguments << reply << after << ttl;
        };
        // clang-format off
        row("acquire: free",        {},                 "acquire", mine,   "NULL", R"("a:1","1")", 30'000);
        row("acquire: own",         once,               "acquire", mine,   "NULL", R"("a:1","2")", 30'000);
        row("acquire: another's",   once,               "acquire", theirs, "left", R"("a:1","1")", 60'000);
        row("acquire: no expiry",   {"HSET lock a:1 1"}, "acquire", theirs, "-1",  R"("a:1","1")", -1);
        row("release: last level",  once,               "release", mine,   "1",    "",             -2);
        row("release: one of two",  twice,              "release", mine,   "0",    R"("a:1","1")", 30'000);
        row("release: another's",   once,               "release", theirs, "NULL", R"("a:1","1")", 60'000);
        row("release: free",        {},                 "release", mine,   "NULL", "",             -2);
        row("renew: own",           once,               "renew",   mine,   "1",    R"("a:1","1")", 30'000);
        row("renew: another's",     once,               "renew",   theirs, "0",    R"("a:1","1")", 60'000);
        row("renew: free",          {},                 "renew",   mine,   "0",    "",             -2);
        // clang-format on
    }

    void steps()
    {
        QFETCH(const Words, before);
        QFETCH(const QByteArray, script);
        QFETCH(const Words, arguments);
        QFETCH(const QByteArray, reply);
        QFETCH(const QByteArray, after);
        QFETCH(const qint64, ttl);
        const Words out = m_server.lines(Words{"FLUSHALL"} + before +
                                         Words{call(script, arguments), "HGETALL lock", "PTTL lock"});
        const QByteArray answer = out[out.size() - 3];
        if (reply == "left")
            QVERIFY2(isTtl(answer.toLongLong(), 60'000), answer);
        else
            QCOMPARE(answer, reply);
        QCOMPARE(out[out.size() - 2], after);
        QVERIFY2(isTtl(out.last().toLongLong(), ttl), out.last());
    }

    void badArguments()
    {
        const Words present{"HSET lock a:1 1", "PEXPIRE lock 60000"};
        for (const QByteArray script : {"acquire", "release", "renew"}) {
            for (const QByteArray lease :
                 {"", "0", "-1", "1.5", "abc", "nan", "1e3", " 1", "1000000000000000"})
                verifyRefused(present, call(script, {lease, "a:1"}), "ERR lease must be");
            verifyRefused(present, call(script, {"30000", ""}), "ERR usage");
            verifyRefused(present, call(script, {"30000"}), "ERR usage");
            verifyRefused(present, call(script, {"30000", "a:1", "x"}), "ERR usage");
            verifyRefused(present, call(script, {"30000", "a:1"}, {""}), "ERR usage");
            const ScriptRun token = m_server.run({"SET lock t"}, call(script, {"30000", "a:1"}));
            QVERIFY2(isCause(token.reply, "WRONGTYPE "), token.reply);
            QCOMPARE(token.dumpAfter, token.dumpBefore);
        }
    }

    void noPermissionToExpire()
    {
        const ScriptRun run = m_server.run(userWith("-pexpire"), call("acquire", {"30000", "a:1"}));
        QVERIFY2(run.reply.startsWith("ERROR"), run.reply);
        QCOMPARE(run.keys, 0);
    }

    void releaseWakesTheWaiters()
    {
        for (const auto &[key, channel] :
             {std::pair<QByteArray, QByteArray>{"lock", "redisson_lock__channel:{lock}"},
              {"l{tag}", "redisson_lock__channel:l{tag}"}}) {
            BlockingConnection ear(m_server.socketAddress(), BlockingConnection::Options{});
            QVERIFY(ear.open() && ear.subscribe(channel));
            const Words out = m_server.lines({"FLUSHALL", call("acquire", {"30000", "a:1"}, {key}),
                                              call("acquire", {"30000", "a:1"}, {key}),
                                              call("release", {"30000", "a:1"}, {key})});
            QCOMPARE(out.last(), "0");
            const auto none = ear.nextMessage(std::chrono::steady_clock::now() + 20ms);
            QVERIFY(none && !*none);
            QCOMPARE(m_server.lines({call("release", {"30000", "a:1"}, {key})})[0], "1");
            const auto message = ear.nextMessage(std::chrono::steady_clock::now() + 20s);
            QVERIFY(message && *message);
            QCOMPARE((*message)->text, "0");
        }
    }

    void refusedPublishDoesNotHideTheEnd()
    {
        const ScriptRun run =
            m_server.run(Words{"HSET lock a:1 1"} + silent(), call("release", {"30000", "a:1"}));
        QCOMPARE(run.reply, "1");
        QCOMPARE(run.keys, 0);
    }
};

QTEST_GUILESS_MAIN(RedissonScripts)
#include "tst_redisson.moc"
