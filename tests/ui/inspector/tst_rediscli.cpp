// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/rediscli.h"

#include "tests/support/familyliteral.h"
#include "tests/support/redisserver.h"
#include "tests/support/sshserver.h"
#include "tests/ui/samplelocks.h"

#include <QProcess>
#include <QTcpServer>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

/// Pastes lines into a shell, as a user would.
QByteArray pasted(const QString &lines)
{
    QProcess shell;
    shell.setWorkingDirectory(QDir::tempPath()); // wherever it is pasted
    // What is for Redis 6 needs a little more than POSIX says.
    const bool isForBash = lines.contains(QLatin1String("<("));
    shell.start(isForBash ? QStringLiteral("/bin/bash") : QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"), lines});
    shell.waitForFinished();
    return shell.readAllStandardOutput() + shell.readAllStandardError();
}

/// What the line that ends a lock prints: outcome, holds, time left.
const QByteArray expired = "expired\n1\n-2\n";

} // namespace

class RedisCliTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void throughAnSshHost()
    {
        SshServer ssh;
        ServerAddress address = m_server.tcpAddress();
        address.sshHost = ssh.host() + QStringLiteral(":22");
        m_server.cli({"SET", "lock:a", "one", "PX", "60000"});
        Lock lock;
        lock.address.key = LockKey("lock:a");
        lock.type = KeyType::String;
        const QString text = redisCliFor({address}, lock);
        const QString open = QStringLiteral("ssh -N -L 16379:127.0.0.1:%1 -p 22 %2")
                                 .arg(QString::number(m_server.port()), ssh.host());
        QCOMPARE(text.section(u'\n', 0, 1), QStringLiteral("# First, in another terminal:\n# ") + open);
        QVERIFY(text.contains(QStringLiteral("\nredis-cli -h 127.0.0.1 -p 16379 GET lock:a\n")));
        // It works so; the port is one for both lines, whichever it is.
        QTcpServer probe;
        QVERIFY(probe.listen(QHostAddress::LocalHost));
        const QString port = QString::number(probe.serverPort());
        probe.close();
        QProcess tunnel;
        tunnel.startCommand(
            QString(open).replace(QStringLiteral("16379"), port).remove(QStringLiteral("-p 22 ")));
        QTRY_COMPARE_WITH_TIMEOUT(pasted(QString(text).replace(QStringLiteral("16379"), port)).left(4),
                                  "one\n", 20'000);
        tunnel.kill();
        tunnel.waitForFinished();
        m_server.cli({"FLUSHALL"});
    }

    void quoting_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << QByteArray("lock:a-b_c/7") << QStringLiteral("GET lock:a-b_c/7");
        QTest::newRow("blank") << QByteArray("lock a") << QStringLiteral("GET 'lock a'");
        QTest::newRow("empty") << QByteArray("") << QStringLiteral("GET ''");
        QTest::newRow("quote") << QByteArray("it's") << QStringLiteral("GET 'it'\\''s'");
        QTest::newRow("glob and variable")
            << QByteArray("lock:*$HOME`id`") << QStringLiteral("GET 'lock:*$HOME`id`'");
        QTest::newRow("letters of the world")
            << QByteArray("lock:\xc3\xa9") << QStringLiteral("GET 'lock:é'");
        QTest::newRow("bytes") << QByteArray("a\xff\0'\"\\\n", 7)
                               << QStringLiteral("--quoted-input GET '\"a\\xff\\x00\\x27\\\"\\\\\\x0a\"'");
        QTest::newRow("bidi") << QByteArray("a\xe2\x80\xae")
                              << QStringLiteral("--quoted-input GET '\"a\\xe2\\x80\\xae\"'");
    }
    void quoting()
    {
        QFETCH(QByteArray, key);
        QFETCH(QString, shown);
        const QString line = redisCliLine(m_server.socketAddress(), {"GET", key});
        QVERIFY2(line.endsWith(shown), qPrintable(line));
        // The proof: a value written under exactly these bytes is found.
        QCOMPARE(pasted(redisCliLine(m_server.socketAddress(), {"SET", key, "found"})), QByteArray("OK\n"));
        QCOMPARE(pasted(line), QByteArray("found\n"));
        QCOMPARE(m_server.cli({"dbsize"}), QByteArray("1"));
        QCOMPARE(m_server.cli({"strlen", "none"}), QByteArray("0"));
        m_server.cli({"flushall"});
    }

    void connection()
    {
        ServerAddress address;
        address.transport = ServerAddress::Transport::Tls;
        address.host = QStringLiteral("db one");
        address.database = 3;
        address.user = "ops";
        address.password = "secret";
        address.caFile = QStringLiteral("/etc/ca.pem");
        const QString line = redisCliLine(address, {"PTTL", "k"});
        QCOMPARE(
            line,
            QStringLiteral(
                "redis-cli -h 'db one' -p 6379 -n 3 --tls --cacert /etc/ca.pem --user ops --askpass PTTL k"));
        QVERIFY(!line.contains(QStringLiteral("secret")));
    }

    /// For Redis 7, and for Redis 6, which a later one takes as well.
    void aPasteOnlyReads_data()
    {
        QTest::addColumn<int>("major");
        for (const int major : {6, 7}) {
            if (major <= RedisServer::majorVersion())
                QTest::addRow("for Redis %d", major) << major;
        }
    }
    void aPasteOnlyReads()
    {
        QFETCH(int, major);
        m_server.cli({"hset", "lock:a", "web 1", "2"});
        const WatchedLock lock = endless(reentrant("lock:a", 20s, "web 1", 2));
        const QString text = redisCliFor(target(major), lock.lock);
        QCOMPARE(pasted(text), QByteArray("web 1\n2\n-1\n"));
        QCOMPARE(m_server.cli({"exists", "lock:a"}), QByteArray("1"));

        // Without its "#", the last line ends the lock as seen, and nothing else.
        const QString end = text.section(u'\n', -1).mid(2);
        m_server.cli({"hset", "lock:a", "web 1", "3"});
        pasted(end);
        QCOMPARE(m_server.cli({"exists", "lock:a"}), QByteArray("1"));
        m_server.cli({"hset", "lock:a", "web 1", "2"});
        QCOMPARE(pasted(end), QByteArray("expired\n2\n-2\n"));
        QCOMPARE(m_server.cli({"exists", "lock:a"}), QByteArray("0"));
    }

    void aBinaryTokenIsEndedToo_data() { aPasteOnlyReads_data(); }
    void aBinaryTokenIsEndedToo()
    {
        QFETCH(int, major);
        const QByteArray owner("t\xfe\0k", 4);
        QCOMPARE(pasted(redisCliLine(m_server.socketAddress(), {"SET", "lock:\xff", owner})),
                 QByteArray("OK\n"));
        const WatchedLock lock = endless(token("lock:\xff", 20s, owner));
        const QString end = redisCliFor(target(major), lock.lock).section(u'\n', -1).mid(2);
        QCOMPARE(pasted(end), expired);
        QCOMPARE(m_server.cli({"dbsize"}), QByteArray("0"));
    }

    /// A key of another slot would make the cluster refuse the script.
    void keysOfOtherSlotsAreLeftOut()
    {
        WatchedLock lock = endless(token("lockf42", 20s));
        lock.lock.family = "juicefs"_family;
        lock.lock.type = KeyType::Hash;
        lock.lock.owners = {{OwnerId("7_0F"), "W", 1, HoldMode::Write}};
        QVERIFY(redisCliFor(target(), lock.lock).contains(QStringLiteral("locked7")));
        QVERIFY(
            !redisCliFor({m_server.socketAddress(), true}, lock.lock).contains(QStringLiteral("locked7")));
    }

    void whatIsNoLockIsOnlyLookedAt()
    {
        WatchedLock lock = endless(reentrant("lock:q"));
        lock.lock.family = "unknown"_family;
        lock.lock.type = KeyType::Other;
        const QString text = redisCliFor(target(), lock.lock);
        QVERIFY(text.contains(QStringLiteral("TYPE lock:q")));
        QVERIFY(!text.contains(QStringLiteral("eval")));
    }

private:
    RedisCliTarget target(int major = 7) const { return {m_server.socketAddress(), false, major}; }

    RedisServer m_server;
};

QTEST_MAIN(RedisCliTest)
#include "tst_rediscli.moc"
