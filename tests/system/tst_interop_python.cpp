// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that redis-py itself takes, waits for and gives back, as lockscope-cli sees and ends them.
#include "tests/system/interop/driver.h"
#include "tests/system/interop/listing.h"
#include "tests/system/interop/lookout.h"

using namespace lockscope;

namespace {

const QByteArray key = "lock:order:8812";

std::unique_ptr<Driver> client(const RedisServer &server, const QString &mode, const QString &lease)
{
    return pythonDriver("redis_py.py", {server.socketPath(), QString::fromLatin1(key), mode, lease});
}

} // namespace

class TestInteropPython : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void isListed_data();
    void isListed();
    void forceExpireHandsItOver_data();
    void forceExpireHandsItOver();
    void anExtensionIsSeen();

private:
    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestInteropPython::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
}

void TestInteropPython::isListed_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("lease");
    QTest::newRow("blocking, with a timeout") << QStringLiteral("hold") << QStringLiteral("30");
    QTest::newRow("blocking, without") << QStringLiteral("hold") << QStringLiteral("endless");
    QTest::newRow("one try, with a timeout") << QStringLiteral("try") << QStringLiteral("30");
    QTest::newRow("one try, without") << QStringLiteral("try") << QStringLiteral("endless");
}

void TestInteropPython::isListed()
{
    QFETCH(const QString, mode);
    QFETCH(const QString, lease);
    const auto holder = client(m_server, mode, lease);
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    QCOMPARE(m_server.cli({"GET", key}), held.value(2));

    const qint64 before = m_server.cli({"PTTL", key}).toLongLong();
    const QJsonArray locks = locksUnder(m_server, "*");
    const qint64 after = m_server.cli({"PTTL", key}).toLongLong();
    VERIFY_ONLY_LOCK(locks, key, "redis-py", QList<ToldOwner>({{held.value(2), 1}}));
    // Without a timeout it never ends, which is what most of its users have.
    const QJsonObject lock = locks[0].toObject();
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
    QVERIFY(!lock.contains(QLatin1String("waiters")));
    if (lease == QStringLiteral("endless")) {
        QCOMPARE(after, -1);
        QVERIFY(lock[QLatin1String("ttl_ms")].isNull());
    } else {
        QVERIFY2(isTimeLeft(lock, before, after), compact(locks).constData());
    }
    const Ran one = CliProgram::on(m_server, {"get", key, "--json"});
    VERIFY_EXIT(one, 0);
    QCOMPARE(jsonIn(one.out)[QLatin1String("family")].toString(), QStringLiteral("redis-py"));
}

void TestInteropPython::forceExpireHandsItOver_data()
{
    QTest::addColumn<QString>("lease");
    QTest::newRow("with a timeout") << QStringLiteral("60");
    QTest::newRow("without") << QStringLiteral("endless");
}

void TestInteropPython::forceExpireHandsItOver()
{
    QFETCH(const QString, lease);
    const auto holder = client(m_server, QStringLiteral("hold"), lease);
    const QByteArray token = holder->line().value(2);
    const auto waiter = client(m_server, QStringLiteral("wait"), lease);
    QCOMPARE(waiter->line().value(0), "waiting");

    QCOMPARE(forceExpired(m_server, key, {"8b1f0c5ee5e911f1a7ae02fc00000001"}), "owner-changed");
    QCOMPARE(m_server.cli({"GET", key}), token);

    const QByteArray said = saidOfHolder(m_server, key, "redis-py");
    Lookout lookout(m_server, {"GET", key}, token);
    QTRY_VERIFY(lookout.isLooking());
    QCOMPARE(forceExpired(m_server, key, {token}), "expired");
    const QByteArrayList woken = waiter->line();
    QCOMPARE(woken.value(0), "woken");
    const auto end = lookout.end();
    QVERIFY(end);
    qInfo("redis-py: its waiter had the lock %.1f ms after it was ended",
          millisecondsBetween(*end, momentOf(woken.value(3))));

    const QByteArray release = holder->answerTo("release");
    QCOMPARE(release, "failed LockNotOwnedError");
    QCOMPARE(seenOfHolder(release, m_server.cli({"GET", key}) == woken.value(2)), said);
    QCOMPARE(waiter->answerTo("release"), "released " + key);
}

void TestInteropPython::anExtensionIsSeen()
{
    const auto holder = client(m_server, QStringLiteral("hold"), QStringLiteral("30"));
    QCOMPARE(holder->line().value(0), "held");
    const auto feed = watchFeed(m_server, QStringLiteral("lock:*"));
    QVERIFY(!nextEvent(*feed, "found").isEmpty());
    QCOMPARE(holder->answerTo("extend 60"), "extended " + key);
    QVERIFY(nextEvent(*feed, "renewed")[QLatin1String("ttl_ms")].toInteger() > 60'000);
    QCOMPARE(holder->answerTo("release"), "released " + key);
    QVERIFY(!nextEvent(*feed, "released").isEmpty());
}

QTEST_GUILESS_MAIN(TestInteropPython)
#include "tst_interop_python.moc"
