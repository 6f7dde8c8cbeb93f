// SPDX-License-Identifier: GPL-3.0-or-later
// A lock in sight that changes all the time, over a slow link: the rest gets its turns all the same.
#include "core/monitor/lockmonitor.h"

#include "tests/support/faultproxy.h"
#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QProcess>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestStarvation : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theRestGetsItsTurns_data()
    {
        QTest::addColumn<QList<LockKey>>("visible");
        QTest::newRow("in sight") << QList<LockKey>{LockKey("lock:other"), LockKey("lock:busy")};
        QTest::newRow("chosen") << QList<LockKey>{LockKey("lock:busy")};
    }
    void theRestGetsItsTurns()
    {
        QFETCH(const QList<LockKey>, visible);
        RedisServer server;
        server.cli({"EVAL",
                    "for i=1,30000 do redis.call('set', 'noise:'..i, i) end "
                    "for i=1,500 do redis.call('hset', 'lock:'..i, 'u:1', 1) end",
                    "0"});
        QProcess writer; // some three hundred times a second
        writer.setStandardOutputFile(QProcess::nullDevice());
        writer.start(QStringLiteral("redis-cli"),
                     {QStringLiteral("-s"), server.socketAddress().socketPath, QStringLiteral("-r"),
                      QStringLiteral("-1"), QStringLiteral("-i"), QStringLiteral("0.003"),
                      QStringLiteral("INCR"), QStringLiteral("lock:busy")});
        QVERIFY(writer.waitForStarted());
        FaultProxy proxy(server.socketAddress());
        proxy.setWeather({.delay = 12ms});
        Watcher watcher(proxy.address(), {.scanInterval = 1h, .waitersInterval = 100ms});
        watcher.monitor.setVisible(visible);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 40'000);
        QTRY_VERIFY(watcher.confirmedAt > watcher.sweptSince);
        QCOMPARE(watcher.locks.size(), 501);
        QCOMPARE(writer.state(), QProcess::Running);
        writer.kill();
        writer.waitForFinished();
    }
};

QTEST_GUILESS_MAIN(TestStarvation)
#include "tst_starvation.moc"
