// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/token-fenced/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class TokenFencedScript : public ScriptTest
{
    Q_OBJECT

public:
    TokenFencedScript() : ScriptTest("token-fenced", {"lock", "lock:fence"}) {}

private slots:
    void fencesGrow()
    {
        const Words first = acquire({"t", "30"});
        QCOMPARE(first.size(), 5);
        QCOMPARE(first[0], R"("acquired")");
        QCOMPARE(first[1], "1");
        QVERIFY(isTtl(first[2].toLongLong(), 30'000));
        const qint64 fence = first[4].toLongLong();
        QVERIFY2(fence > 1'700'000'000'000'000, first[4]); // the clock, in microseconds
        QCOMPARE(m_server.cli({"GET", "lock"}), "t");
        QCOMPARE(m_server.cli({"GET", "lock:fence"}).toLongLong(), fence);

        const Words refused = acquire({"u", "30"});
        QCOMPARE(refused[0], R"("held-by-other")");
        QCOMPARE(refused[1], "-1");
        QCOMPARE(refused[4], "-1");
        QCOMPARE(m_server.cli({"GET", "lock"}), "t");
        QCOMPARE(m_server.cli({"GET", "lock:fence"}).toLongLong(), fence);

        m_server.lines({"DEL lock"});
        QVERIFY(acquire({"u", "30"})[4].toLongLong() > fence);
        m_server.lines({"DEL lock", "SET lock:fence 8000000000000000"}); // a clock that was set back since
        QCOMPARE(acquire({"u", "30"})[4], "8000000000000001");
        m_server.lines({"FLUSHALL"});
        QVERIFY(acquire({"u", "30"})[4].toLongLong() > fence);
    }

    void theFenceHasAnEnd()
    {
        acquire({"t", "0.5"});
        QVERIFY(number("PTTL lock") <= 500);
        QVERIFY(isTtl(number("PTTL lock:fence"), 86'400'000));
    }

    void aFullServerGivesNothingAway()
    {
        m_server.lines({"CONFIG SET maxmemory 1"});
        const Words refused = acquire({"t", "30"});
        m_server.lines({"CONFIG SET maxmemory 0"});
        QVERIFY2(refused.join(' ').contains("OOM "), refused.join(' '));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void otherTypesAreLeftAlone()
    {
        m_server.lines({"HSET lock a 1"});
        QCOMPARE(acquire({"t", "30"})[0], R"("wrong-type")");
        m_server.lines({"DEL lock", "HSET lock:fence a 1"});
        QCOMPARE(acquire({"t", "30"})[0], R"("wrong-type")");
        QCOMPARE(m_server.cli({"DBSIZE"}), "1");
        m_server.lines({"DEL lock:fence", "SET lock:fence text"}); // not a number: the clock
        QCOMPARE(acquire({"t", "30"})[0], R"("acquired")");
    }

    void badArguments_data()
    {
        QTest::addColumn<Words>("keys");
        QTest::addColumn<Words>("arguments");
        const Words keys{"lock", "lock:fence"};
        QTest::newRow("no keys") << Words{} << Words{"t", "30"};
        QTest::newRow("one key") << Words{"lock"} << Words{"t", "30"};
        QTest::newRow("another's fence") << Words{"lock", "lock2:fence"} << Words{"t", "30"};
        QTest::newRow("an empty name") << Words{"", ":fence"} << Words{"t", "30"};
        QTest::newRow("no lease") << keys << Words{"t"};
        QTest::newRow("too many") << keys << Words{"t", "30", "named"};
        QTest::newRow("an empty token") << keys << Words{"", "30"};
        QTest::newRow("a lease of nothing") << keys << Words{"t", "0"};
        QTest::newRow("a lease in words") << keys << Words{"t", "long"};
    }
    void badArguments()
    {
        QFETCH(Words, keys);
        QFETCH(Words, arguments);
        const Words answer = m_server.lines({call("acquire", arguments, keys)});
        QVERIFY2(answer.join(' ').startsWith("ERROR"), answer.join(' '));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

private:
    /// The parts of the answer.
    Words acquire(const Words &arguments) { return answer("acquire", arguments).split(','); }
    qint64 number(const QByteArray &command) { return m_server.lines({command}).front().toLongLong(); }
};

QTEST_GUILESS_MAIN(TokenFencedScript)
#include "tst_tokenfenced.moc"
