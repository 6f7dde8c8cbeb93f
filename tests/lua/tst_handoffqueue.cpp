// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/handoffcalls.h"

using namespace lockscope;
using namespace std::chrono_literals;

/// To whom lua/handoff/ hands a lock over, and what operators need besides: on a real server, in the form for Redis 7 and in the
/// one for Redis 6.
class HandoffQueueScripts : public HandoffTest
{
    Q_OBJECT

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words held{"HSET lock a 1", "PEXPIRE lock 60000", "RPUSH lock:handoff:queue b c",
                         "HSET lock:handoff:waiters b '9000000000000 30000' c '9000000000000 30000'"};
        const Words look{"LRANGE lock:handoff:queue 0 -1", "HKEYS lock:handoff:waiters"};
        // clang-format off
        row("the head",     "remove-waiter", {held, {"b"}, R"("removed",-1)", 60'000, look, {R"("c")", R"("c")"}});
        row("the last",     "remove-waiter", {held, {"c"}, R"("removed",-1)", 60'000, look, {R"("b")", R"("b")"}});
        row("of a free lock", "remove-waiter", {held + Words{"DEL lock"}, {"b"}, R"("removed",-1)", -2, look, {R"("c")", R"("c")"}});
        row("not there",    "remove-waiter", {held, {"d"}, R"("not-waiting",-1)", 60'000});
        row("no queue",     "remove-waiter", {{}, {"b"}, R"("not-waiting",-1)", -2});
        row("a string",     "remove-waiter", {{"SET lock a"}, {"b"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("another's key", "remove-waiter", {{"SET lock:handoff:queue a"}, {"b"}, R"("wrong-type",-1)", -2, {}, {}, ":handoff:queue holds a string"});
        // clang-format on
    }
    void calls() { verifyCall(); }

    void badArguments()
    {
        verifyUsage("remove-waiter", {"b"}, {{}, {"b", "c"}}, {{"lock"}, {}});
        verifyError("remove-waiter", {""}, "waiter");
    }

    /// Its message would give it the lock, so none is sent to find out.
    void aListeningWaiterStays()
    {
        Listener waiter(m_server, "SUBSCRIBE", "lock:handoff:wake:b");
        const QByteArray call = this->call("remove-waiter", {"b"});
        const Words out = m_server.lines({"FLUSHALL", call, "RPUSH lock:handoff:queue b",
                                          "HSET lock:handoff:waiters b '9000000000000 30000'", call,
                                          "LLEN lock:handoff:queue"});
        QCOMPARE(out[1], R"("not-waiting",-1,-2,"")");
        QCOMPARE(out[4], R"("still-listens",-1,-2,"")");
        QCOMPARE(out[5], "1");
        QVERIFY(waiter.heardNothing());
    }

    /// As a release would: the first that hears of it gets the lock, and those before it are passed.
    void theQueueOfALockThatIsGoneIsWoken()
    {
        const QByteArray wake = call("wake", {});
        verifyUsage("wake", {}, {{"b"}}, {{"lock"}, {}});
        Listener waiter(m_server, "SUBSCRIBE", "lock:handoff:wake:c");
        const Words queued{"RPUSH " + queue + " b c",
                           "HSET " + waiters + " b '9000000000000 30000' c '9000000000000 30000'"};
        const Words out =
            m_server.lines(Words{"FLUSHALL", wake, "HSET lock a 1"} + queued +
                           Words{wake, "DEL lock", wake, "HGETALL lock", "EXISTS " + queue + ' ' + waiters});
        QCOMPARE(out[1], R"("not-waiting",-1,-2,"")");
        QCOMPARE(out[5], R"("held-by-other",-1,-1,"")");
        QVERIFY2(out[7].startsWith(R"("woken",-1,)") && out[7].endsWith(R"("first in the queue: c")"),
                 out[7]);
        QCOMPARE(out[8], R"("c","1")");
        QCOMPARE(out[9], "0");
        QVERIFY(waiter.heard(1).first().endsWith(" 30000"));
    }

    /// For an operator, who does not know how often: a level more, and never fewer.
    void theNextLevel()
    {
        const auto acquire = [this](const QByteArray &owner) {
            return call("acquire", {owner, "30", "", "next"});
        };
        const Words out =
            m_server.lines({"FLUSHALL", acquire("a"), acquire("a"), acquire("b"), "HSET lock a 7",
                            acquire("a"), "HGET lock a", "HSET lock a 999999999999999", acquire("a")});
        QVERIFY2(out[1].startsWith(R"("acquired",1,)"), out[1]);
        QVERIFY2(out[2].startsWith(R"("reentered",2,)"), out[2]);
        QVERIFY2(out[3].startsWith(R"("held-by-other",-1,)"), out[3]);
        QVERIFY2(out[5].startsWith(R"("reentered",8,)"), out[5]);
        QCOMPARE(out[6], R"("8")");
        QVERIFY2(out[8].startsWith(R"("bad-count",-1,)"), out[8]);
    }

    void handsOverInOrder()
    {
        const auto b = listen("b");
        const auto c = listen("c");
        const qint64 first = run("acquire", {"a", "30", "", "1"})[4].toLongLong();
        run("acquire", {"b", "20", "100", "1"});
        run("acquire", {"c", "40", "100", "1"});
        QVERIFY(run("release", {"a", "", "1"})[0] == "\"released\"");
        const Words grant = heard(*b).split(' ');
        QVERIFY(grant[0].toLongLong() > first);
        QCOMPARE(grant.value(1), "20000");
        QCOMPARE(m_server.lines({"HGETALL lock"})[0], R"("b","1")");
        QCOMPARE(m_server.lines({"GET " + fence})[0], '"' + grant[0] + '"');
        // Nobody barges in, neither the one who was first nor another.
        QCOMPARE(run("acquire", {"a", "30", "", "1"})[0], "\"held-by-other\"");
        // The same acquisition again is told the token that was handed over.
        QCOMPARE(run("acquire", {"b", "20", "", "1"})[4], grant[0]);
        QVERIFY(run("force-expire", {"", "b", "1"})[0] == "\"expired\"");
        QVERIFY(heard(*c).split(' ')[0].toLongLong() > grant[0].toLongLong());
        QCOMPARE(m_server.lines({"HGETALL lock", "EXISTS " + queue + ' ' + waiters}),
                 (Words{R"("c","1")", "0"}));
        QVERIFY(heard(*b, 1ms).isEmpty());
    }

    void passesTheDead()
    {
        auto b = listen("b");
        const auto c = listen("c");
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        run("acquire", {"c", "30", "100", "1"});
        b->close();
        QTRY_COMPARE(m_server.lines({"PUBSUB NUMSUB lock:handoff:wake:b"})[0], "\"lock:handoff:wake:b\",0");
        run("release", {"a", "", "1"});
        QVERIFY(!heard(*c).isEmpty());
        QCOMPARE(m_server.lines({"HGETALL lock"})[0], R"("c","1")");
    }

    void silentWaiterDelaysByItsDeadlineAlone()
    {
        const auto b = listen("b"); // hears, and does nothing
        const auto c = listen("c");
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "0.3", "1"});
        run("acquire", {"c", "30", "100", "1"});
        run("release", {"a", "", "1"});
        QVERIFY(!heard(*b).isEmpty());
        QVERIFY(m_server.lines({"PTTL lock"})[0].toLongLong() <= 300);
        QTRY_COMPARE(run("acquire", {"c", "30", "100", "1"})[0], "\"acquired\"");
    }

    void deadHolderDelaysByItsLeaseAlone()
    {
        const auto b = listen("b");
        run("acquire", {"a", "0.2", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        // Whoever comes first after the end sets it off, and the one who waited gets it.
        QTRY_VERIFY(m_server.lines({"EXISTS lock"})[0] == "0");
        QCOMPARE(run("acquire", {"c", "30", "", "1"})[0], "\"held-by-other\"");
        QVERIFY(!heard(*b).isEmpty());
        QCOMPARE(m_server.lines({"HGETALL lock"})[0], R"("b","1")");
    }

    void grantsNoMoreThanTheDeadline()
    {
        const auto b = listen("b");
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "10", "1"});
        run("release", {"a", "", "1"});
        const qint64 lease = heard(*b).split(' ').value(1).toLongLong();
        QVERIFY2(lease > 0 && lease <= 10'000, QByteArray::number(lease));
    }

    void passesThoseWhoseTimeIsUp_data()
    {
        QTest::addColumn<QByteArray>("script");
        for (const char *script : {"release", "acquire", "force-expire"})
            QTest::newRow(script) << QByteArray(script);
    }

    /// It still listens, and is not even told: a lease that has ended would be handed over.
    void passesThoseWhoseTimeIsUp()
    {
        QFETCH(const QByteArray, script);
        const auto c = listen("c");
        const auto d = listen("d");
        run("acquire", {"a", "30", "", "1"});
        m_server.lines({"RPUSH " + queue + " c", "HSET " + waiters + " c '1 30000'"}); // up since 1970
        QCOMPARE(run("acquire", {"d", "30", "100", "1"})[1], "2");
        if (script == "acquire")
            m_server.lines({"DEL lock"});
        run(script, freeing(script));
        QVERIFY(!heard(*d).isEmpty());
        QCOMPARE(m_server.lines({"HGETALL lock", "EXISTS " + queue + ' ' + waiters}),
                 (Words{R"("d","1")", "0"}));
        m_server.lines({"PUBLISH lock:handoff:wake:c last"});
        QCOMPARE(heard(*c), "last"); // and nothing before it
    }

    void lastTryTakesWhatWasHandedOver()
    {
        const auto b = listen("b");
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        run("release", {"a", "", "1"});
        QCOMPARE(run("acquire", {"b", "30", "", "1"})[0], "\"acquired\"");
    }
};

QTEST_GUILESS_MAIN(HandoffQueueScripts)
#include "tst_handoffqueue.moc"
