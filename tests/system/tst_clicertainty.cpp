// SPDX-License-Identifier: GPL-3.0-or-later
// What list and get say of how sure a family is, and what list keeps back.
#include "core/family/recognize.h"
#include "tests/support/nonlocks.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

using namespace lockscope;

namespace {

QJsonObject lockIn(const QJsonObject &list, const QString &key)
{
    for (const QJsonValue &lock : list[QLatin1String("locks")].toArray()) {
        if (lock[QLatin1String("key")].toString() == key)
            return lock.toObject();
    }
    return {};
}

QByteArray quoted(const QByteArrayList &command)
{
    QByteArray line;
    for (const QByteArray &word : command)
        line += "\"\\x" + word.toHex('/').replace("/", "\\x") + "\" ";
    return line.replace("\"\\x\"", "\"\"");
}

} // namespace

class TestCliCertainty : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
    }

    void eachLockSaysHowSureItIs()
    {
        const QByteArray uuid = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10";
        m_server.cli({"SET", "{hangfire}:lock:a", uuid, "PX", "60000"});
        m_server.cli({"HSET", "lock:redisson", uuid + ":7", "1"});
        m_server.cli({"PEXPIRE", "lock:redisson", "30000"});
        m_server.cli({"SET", "redlock:a", uuid, "PX", "60000"});
        m_server.cli({"HSET", "lock:node", uuid + ':' + uuid, "1"});
        m_server.cli({"PEXPIRE", "lock:node", "30000"});
        m_server.cli(
            {"SET", "a:lock", "FRkIIOYgEe+brAmcfVZlDA==", "PX", "60000"}); // an old UUID of version 1
        const Ran ran = CliProgram::on(m_server, {"list", "--json", "--pattern", "*"});
        VERIFY_EXIT(ran, 0);
        const QJsonObject list = jsonIn(ran.out);
        const auto is = [&](const char *key) {
            const QJsonObject lock = lockIn(list, QLatin1String(key));
            QByteArray text = lock[QLatin1String("family")].toString().toLatin1() + ' ' +
                              lock[QLatin1String("certainty")].toString().toLatin1();
            for (const char *field : {"evidence", "candidates"}) {
                if (!lock.contains(QLatin1String(field)))
                    continue;
                text += QByteArray(" ") + field;
                for (const QJsonValue &name : lock[QLatin1String(field)].toArray())
                    text += ' ' + name.toString().toLatin1();
            }
            return text;
        };
        QCOMPARE(is("{hangfire}:lock:a"), "hangfire certain evidence content name lease");
        QCOMPARE(is("lock:redisson"), "redisson likely evidence content lease");
        QCOMPARE(is("redlock:a"), "token ambiguous evidence candidates redlock-net pottery");
        QCOMPARE(is("lock:node"), "node-redisson likely evidence content lease");
        QCOMPARE(is("a:lock"), "token ambiguous evidence candidates node-redis-warlock");
        const QJsonObject one = jsonIn(CliProgram::on(m_server, {"get", "lock:redisson", "--json"}).out);
        QCOMPARE(one[QLatin1String("certainty")].toString(), QStringLiteral("likely"));
    }

    void whatLooksLikeNoLockIsCounted()
    {
        m_server.cli({"SET", "lock:a", "token-1", "PX", "60000"});
        m_server.cli({"SET", "lock:door", "unlocked"});
        m_server.cli({"PFADD", "lock:visitors", "ann"});
        m_server.cli({"RPUSH", "lock:queue", "a"});
        const QJsonObject list = jsonIn(CliProgram::on(m_server, {"list", "--json"}).out);
        QCOMPARE(list[QLatin1String("hidden")].toInteger(), 1);
        QCOMPARE(list[QLatin1String("possible")].toInteger(), 2);
        QCOMPARE(list[QLatin1String("locks")].toArray().size(), 3);
        const QJsonObject all = jsonIn(CliProgram::on(m_server, {"list", "--json", "--all"}).out);
        QCOMPARE(all[QLatin1String("hidden")].toInteger(), 1);
        QCOMPARE(all[QLatin1String("locks")].toArray().size(), 4);
        for (const char *key : {"lock:door", "lock:visitors", "lock:queue"}) {
            const QJsonObject lock = lockIn(all, QLatin1String(key));
            QCOMPARE(lock[QLatin1String("family")].toString(), QStringLiteral("unknown"));
            QVERIFY(lock[QLatin1String("owners")].toArray().isEmpty());
        }
        QCOMPARE(lockIn(all, QStringLiteral("lock:queue"))[QLatin1String("standing")].toString(),
                 QStringLiteral("possible"));
        QVERIFY(lockIn(all, QStringLiteral("lock:door"))[QLatin1String("problems")].toArray().isEmpty());
        const QByteArray text = CliProgram::on(m_server, {"list"}).err;
        QVERIFY2(text.contains("1 lock (0 with problems)") && text.contains("Possible locks: 2.") &&
                     text.contains("--all"),
                 text.constData());
        const QByteArray whole = CliProgram::on(m_server, {"list", "--all"}).err;
        QVERIFY2(whole.contains("1 lock (0 with problems)") && whole.contains("Probably no locks: 1 key."),
                 whole.constData());
    }

    void noneOfThousandsIsCertainOrAnAlarm()
    {
        constexpr int rounds = 30;
        const quint32 seed = std::random_device()();
        qInfo("seed %u", seed);
        NonLocks source(seed, QDateTime::currentMSecsSinceEpoch());
        const int keys = NonLocks::kinds() * rounds;
        QByteArrayList lines;
        for (int i = 0; i < keys; ++i) {
            const SampleKey sample = source.next();
            lines << quoted({"DEL", sample.key.bytes}) << quoted(sample.writes);
            if (sample.ttl)
                lines << quoted({"PEXPIRE", sample.key.bytes, QByteArray::number(sample.ttl->count())});
        }
        m_server.cli({}, lines.join('\n') + '\n');
        const int size = m_server.cli({"DBSIZE"}).toInt();
        QVERIFY2(size > 2000, QByteArray::number(size).constData()); // some names were drawn twice
        const Ran ran = CliProgram::on(m_server, {"list", "--json", "--all", "--pattern", "*"});
        VERIFY_EXIT(ran, 0);
        const QJsonObject list = jsonIn(ran.out);
        QCOMPARE(list[QLatin1String("locks")].toArray().size(), size);
        for (const QJsonValue &lock : list[QLatin1String("locks")].toArray()) {
            const QByteArray what = QJsonDocument(lock.toObject()).toJson(QJsonDocument::Compact);
            QVERIFY2(lock[QLatin1String("certainty")].toString() != QLatin1String("certain"),
                     what.constData());
            const QJsonArray problems = lock[QLatin1String("problems")].toArray();
            const bool isAlarm = !problems.isEmpty() && problems != QJsonArray{QStringLiteral("wrong-type")};
            QVERIFY2(!isAlarm, what.constData());
        }
        QVERIFY(list[QLatin1String("hidden")].toInteger() + list[QLatin1String("possible")].toInteger() >
                size / 2);
    }

    void homeMadeLocksAreListed()
    {
        const QList<SampleKey> locks = homeMadeLocks(QDateTime::currentMSecsSinceEpoch());
        for (const SampleKey &sample : locks) {
            m_server.cli({"FLUSHALL"});
            m_server.cli({}, quoted(sample.writes) + '\n');
            if (sample.ttl)
                m_server.cli({"PEXPIRE", sample.key.bytes, QByteArray::number(sample.ttl->count())});
            const QJsonObject list =
                jsonIn(CliProgram::on(m_server, {"list", "--json", "--pattern", "*"}).out);
            QVERIFY2(list[QLatin1String("locks")].toArray().size() == 1, sample.kind.constData());
        }
    }

private:
    RedisServer m_server;
};

QTEST_GUILESS_MAIN(TestCliCertainty)
#include "tst_clicertainty.moc"
