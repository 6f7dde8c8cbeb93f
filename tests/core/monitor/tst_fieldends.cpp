// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes whose fields may have ends of their own, before a server as Redis is from 7.4 on: what is read twice, and no oftener.
#include "core/monitor/lockmonitor.h"

#include "tests/support/hostileserver.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;

class TestFieldEnds : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Whose fields were to be asked for their ends (from Redis 7.4 on) when it was overwritten.
    void aHashThatBecameAString()
    {
        HostileServer server;
        server.on("COMMAND", "*1\r\n*1\r\n$5\r\nhpttl\r\n");
        server.on("PTTL", ":-1\r\n");
        server.on("HPTTL", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
        server.once("HSCAN",
                    "*2\r\n$1\r\n0\r\n*2\r\n$38\r\n6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7\r\n$1\r\n1\r\n");
        MonitorOptions options;
        options.listens = false;
        Watcher watcher(server.address(), options);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty()); // it is read once more, not for ever
        QCOMPARE(server.commands("HPTTL").size(), 1);
        QCOMPARE(watcher.locks.value("lock:1").lock.type, KeyType::String);
    }

    /// Another owner at each look, and the ends of its fields to be asked for: what is not known is said.
    void ownersThatChangeFasterThanTheyAreRead()
    {
        HostileServer server;
        server.on("COMMAND", "*1\r\n*1\r\n$5\r\nhpttl\r\n");
        server.on("PTTL", ":-1\r\n");
        server.on("HPTTL", "*1\r\n:30000\r\n");
        for (int i = 10; i < 99; ++i)
            server.once("HSCAN", "*2\r\n$1\r\n0\r\n*2\r\n$39\r\n6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:" +
                                     QByteArray::number(i) + "\r\n$1\r\n1\r\n");
        MonitorOptions options;
        options.listens = false;
        Watcher watcher(server.address(), options);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        QCOMPARE(server.commands("HPTTL").size(), 1);
        QCOMPARE(watcher.locks.value("lock:1").lock.leaseOf, LeaseOf::Unknown);
        QVERIFY(!watcher.locks.value("lock:1").problems().testFlag(Problem::NoExpiry));
    }
};

QTEST_GUILESS_MAIN(TestFieldEnds)
#include "tst_fieldends.moc"
