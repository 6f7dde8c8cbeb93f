// SPDX-License-Identifier: GPL-3.0-or-later
// list --filter, and how each verb's JSON says that a lock stands.
#include "tests/system/cliprogram.h"

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

QStringList keysIn(const QJsonObject &list)
{
    QStringList keys;
    for (const QJsonValue &lock : list["locks"_L1].toArray())
        keys << lock["key"_L1].toString();
    return keys;
}

} // namespace

class TestCliFilter : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void initTestCase()
    {
        m_server.cli({"HSET", "lock:a", "web-1:7", "1"});
        m_server.cli({"PEXPIRE", "lock:a", "60000"});
        m_server.cli({"HSET", "lock:b", "3b2c1a09-8f7e-4d6c-9b5a-493827160504:7", "none"}); // no count
        m_server.cli({"PEXPIRE", "lock:b", "600000"});
        m_server.cli({"SET", "job:lock", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PX", "600000"});
        m_server.cli({"SET", "lock:c", "ADDED:2020-01-01T00:00:00.000Z@host", "PX", "600000"});
    }

    void onlyWhatMatchesIsListed_data()
    {
        QTest::addColumn<QByteArrayList>("options");
        QTest::addColumn<QStringList>("keys");
        const auto row = [](const QByteArray &filter, const QStringList &keys, QByteArrayList more = {}) {
            QTest::newRow((filter + more.join(' ')).constData())
                << more + QByteArrayList{"--filter", filter} << keys;
        };
        row("", {u"job:lock"_s, u"lock:a"_s, u"lock:b"_s, u"lock:c"_s});
        row("state:held", {u"job:lock"_s, u"lock:a"_s, u"lock:c"_s});
        row("state:corrupt", {u"lock:b"_s});
        row("state:stalled", {});
        row("owner:web-*", {u"lock:a"_s});
        row("owner:*:7 -state:held", {u"lock:b"_s});
        row("key:*lock", {u"job:lock"_s});
        row("ADDED", {u"lock:c"_s});
        row("-added", {u"lock:a"_s, u"lock:b"_s}, {"--pattern", "lock:*"});
        row("ttl<2m", {u"lock:a"_s});
        row("held>1h", {u"lock:c"_s}); // which stands in it; of the others nothing is known
        row("held<1h", {});
        row("node:127", {}); // it is no cluster
    }
    void onlyWhatMatchesIsListed()
    {
        QFETCH(QByteArrayList, options);
        const Ran ran = CliProgram::on(m_server, QByteArrayList{"list", "--json"} + options);
        VERIFY_EXIT(ran, 0);
        QTEST(keysIn(jsonIn(ran.out)), "keys");
    }

    void theTextIsOfTheSameLocks()
    {
        Ran ran = CliProgram::on(m_server, {"list", "--filter", "owner:web-*"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.out.contains("lock:a") && !ran.out.contains("lock:b"), ran.out);
        QVERIFY2(ran.err.contains("1 lock (0 with problems)"), ran.err);
        ran = CliProgram::on(m_server, {"list", "--filter", "state:stalled"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.err.contains("match the filter (other locks: 4)"), ran.err);
    }

    void onlyTheFirstAreListed()
    {
        Ran ran = CliProgram::on(m_server, {"list", "--json", "--limit", "2"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(keysIn(jsonIn(ran.out)), (QStringList{u"job:lock"_s, u"lock:a"_s}));
        QCOMPARE(jsonIn(ran.out)[u"omitted"].toInt(), 2);
        ran = CliProgram::on(m_server, {"list", "--limit", "3"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.out.contains("lock:b") && !ran.out.contains("lock:c"), ran.out);
        QVERIFY2(ran.err.contains("4 locks (1 with problems)"), ran.err);
        QVERIFY2(ran.err.contains("Omitted by --limit: 1."), ran.err);
    }

    void nonsenseIsRefused_data()
    {
        QTest::addColumn<QByteArrayList>("options");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QByteArrayList &options, const char *says) {
            QTest::newRow(name) << options << QByteArray(says);
        };
        row("state", {"list", "--filter", "state:stuck"}, "“stuck” is unknown. Try deadlock, ");
        row("quote", {"list", "--filter", "a \"b"}, "A quotation mark is not closed.");
        row("no value", {"list", "--filter", "owner:"}, "“owner:” needs a value.");
        row("no UTF-8", {"list", "--filter", "owner:\xff"}, "--filter takes UTF-8, other bytes as");
        row("no limit", {"list", "--limit", "0"}, "--limit takes a whole number");
        row("another verb", {"check", "--filter", "owner:a"}, "does not take '--filter'");
    }
    void nonsenseIsRefused()
    {
        QFETCH(QByteArrayList, options);
        QFETCH(QByteArray, says);
        const Ran ran = CliProgram::on(m_server, options);
        VERIFY_EXIT(ran, 2);
        QVERIFY2(ran.err.contains(says), ran.err);
        QVERIFY2(ran.out.isEmpty(), ran.out);
    }

    /// Of a document under a lock's name it is that it may be one.
    void eachVerbSaysTheState()
    {
        QCOMPARE(m_server.cli({"SET", "lock:text", "{\"title\":\"A document\",\"pages\":12}"}), "OK");
        const QJsonObject list = jsonIn(CliProgram::on(m_server, {"list", "--all", "--json"}).out);
        QCOMPARE(list["locks"_L1].toArray().size(), 5);
        QJsonObject states;
        for (const QJsonValue &lock : list["locks"_L1].toArray())
            states[lock["key"_L1].toString()] = lock["state"_L1];
        QCOMPARE(states, (QJsonObject{{u"lock:a"_s, u"held"_s},
                                      {u"lock:b"_s, u"corrupt"_s},
                                      {u"job:lock"_s, u"held"_s},
                                      {u"lock:text"_s, u"possible"_s},
                                      {u"lock:c"_s, u"held"_s}}));
        const QJsonObject corrupt = jsonIn(CliProgram::on(m_server, {"get", "lock:b", "--json"}).out);
        QCOMPARE(corrupt["state"_L1].toString(), u"corrupt"_s);
        QVERIFY(!corrupt.contains("held_at_least_ms"_L1) && !corrupt.contains("node"_L1));
        const QJsonObject since = jsonIn(CliProgram::on(m_server, {"get", "lock:c", "--json"}).out);
        QVERIFY(since["held_at_least_ms"_L1].toInteger() > qint64(5) * 365 * 86'400'000);
        QCOMPARE(since["held_at_most_ms"_L1], since["held_at_least_ms"_L1]);
        const QJsonObject check = jsonIn(CliProgram::on(m_server, {"check", "--json"}).out);
        QCOMPARE(check["findings"_L1][0]["lock"_L1]["state"_L1].toString(), u"corrupt"_s);
        const QJsonObject search = jsonIn(CliProgram::on(m_server, {"search", "--json"}).out);
        QVERIFY2(search["likely"_L1][0]["state"_L1].isString(), QJsonDocument(search).toJson());
        QCOMPARE(m_server.cli({"DEL", "lock:text"}), "1");
    }

private:
    const CliProgram m_program;
    RedisServer m_server;
};

QTEST_GUILESS_MAIN(TestCliFilter)
#include "tst_clifilter.moc"
