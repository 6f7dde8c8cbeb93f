// SPDX-License-Identifier: GPL-3.0-or-later
// After changes of every kind a monitor holds what another client reads from the server, key by key.
#include "core/monitor/lockmonitor.h"

#include "tests/support/faultproxy.h"
#include "tests/support/lockwriter.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/truth.h"
#include "tests/support/watcher.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestTruth : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void holdsWhatTheServerHas_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<bool>("listens");
        QTest::addColumn<bool>("upheaves");
        QTest::addColumn<QByteArray>("cut");
        const QStringList notifies{QStringLiteral("--notify-keyspace-events"), QStringLiteral("KA")};
        QTest::newRow("tracking") << QStringList() << true << false << QByteArray();
        QTest::newRow("tracking, upheavals") << QStringList() << true << true << QByteArray();
        QTest::newRow("notifications, upheavals") << notifies << true << true << QByteArray();
        QTest::newRow("polling, upheavals") << QStringList() << false << true << QByteArray();
        QTest::newRow("the feed is cut") << QStringList() << true << false << QByteArray("lockscope:feed");
        QTest::newRow("the reader is cut") << QStringList() << true << true << QByteArray("lockscope");
        QTest::newRow("the reader is cut, polling")
            << QStringList() << false << true << QByteArray("lockscope");
    }

    void holdsWhatTheServerHas()
    {
        QFETCH(QStringList, settings);
        QFETCH(bool, listens);
        QFETCH(bool, upheaves);
        QFETCH(QByteArray, cut);
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        const RedisServer server(settings);
        MonitorOptions options;
        options.listens = listens;
        options.share = 0.2; // so that a scan is soon through
        Watcher watcher(server.socketAddress(), options);
        LockWriter writer({.server = server.socketAddress(),
                           .seed = seed,
                           .locks = 1000,
                           .perSecond = 3000,
                           .upheaval = upheaves ? 500ms : 0ms});
        for (int i = 0; i < 3; ++i) {
            QTest::qWait(400);
            cutClients(server, cut);
        }
        writer.stop();
        QVERIFY2(writer.failure().isEmpty(), writer.failure().constData());
        QVERIFY(writer.changes() > 100);
        const TimePoint stopped = Clock::now();
        QTRY_VERIFY_WITH_TIMEOUT(watcher.sweptSince >= stopped, 20'000);
        const QByteArrayList differences =
            differencesFromTruth(server.socketAddress(), options.patterns, watcher.held());
        qInfo("%lld changes, %lld locks", writer.changes(), qint64(watcher.locks.size()));
        QVERIFY(!watcher.locks.isEmpty());
        QVERIFY2(differences.isEmpty(), differences.mid(0, 10).join('\n').constData());
    }

    /// Without the help of scans: what the monitor says of its age holds, also over a feed that is cut.
    void isAsOldAsItSays_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QByteArray>("cut");
        QTest::newRow("tracking") << QStringList() << QByteArray();
        QTest::newRow("the feed is cut") << QStringList() << QByteArray("lockscope:feed");
        QTest::newRow("the reader is cut") << QStringList() << QByteArray("lockscope");
        QTest::newRow("notifications")
            << QStringLiteral(
                   "--notify-keyspace-events KA --user default on nopass ~* &* +@all -client|tracking")
                   .split(QLatin1Char(' '))
            << QByteArray();
    }

    void isAsOldAsItSays()
    {
        QFETCH(QStringList, settings);
        QFETCH(QByteArray, cut);
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        const RedisServer server(settings);
        MonitorOptions options;
        options.patterns = {"lock:*", "lock_*"};
        options.scanInterval = 1h;
        Watcher watcher(server.socketAddress(), options);
        QTRY_VERIFY(watcher.sweptSince > TimePoint());
        LockWriter writer({.server = server.socketAddress(), .seed = seed, .locks = 1000, .perSecond = 3000});
        for (int i = 0; i < 2; ++i) {
            QTest::qWait(300);
            cutClients(server, cut);
        }
        QTest::qWait(300);
        writer.stop();
        QVERIFY2(writer.failure().isEmpty(), writer.failure().constData());
        const TimePoint stopped = Clock::now();
        QHash<QByteArray, Lock> then;
        onTold<DataConfirmed>(watcher.monitor, &watcher, [&](TimePoint at) {
            if (at >= stopped && then.isEmpty())
                then = watcher.held();
        });
        QTRY_VERIFY_WITH_TIMEOUT(!then.isEmpty(), 20'000);
        if (cut.isEmpty())
            QVERIFY(watcher.sweptSince < stopped); // no scan has helped
        const QByteArrayList differences =
            differencesFromTruth(server.socketAddress(), options.patterns, then);
        QVERIFY2(differences.isEmpty(), differences.mid(0, 10).join('\n').constData());
    }

    /// What a slow connection tells late may have happened before the heartbeat that was asked meanwhile.
    void isNoNewerThanWhatIsUnread()
    {
        constexpr int many = 4000;
        const RedisServer server;
        server.cli({"EVAL", "for i = 1, 4000 do redis.call('set', 'lock:' .. i, 'a') end", "0"});
        FaultProxy proxy(server.socketAddress());
        MonitorOptions options;
        options.patterns = {"lock:*"};
        options.scanInterval = 1h;
        options.share = 0.02; // so that what is told is not read at once
        options.firstScanShare = 1;
        Watcher watcher(proxy.address(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), many, 20'000);
        QTRY_VERIFY(watcher.sweptSince > TimePoint());
        proxy.setWeather({.delay = 400ms});
        QTest::qWait(1500); // heartbeats are asked every second, and answered after 0.8 from now on
        ToldSpy<DataConfirmed> answered(watcher.monitor);
        QVERIFY(answered.wait());
        watcher.events.clear();
        server.cli({"EVAL", "for i = 1, 4000 do redis.call('set', 'lock:' .. i, 'b') end", "0"});
        const TimePoint changed = Clock::now();
        const auto read = [&watcher] { // events wait for counters, the picture does not
            return std::ranges::count_if(watcher.locks, [](const WatchedLock &each) {
                return each.lock.owners.value(0).owner == OwnerId("b");
            });
        };
        qsizetype readThen = many;
        onTold<DataConfirmed>(watcher.monitor, &watcher, [&](TimePoint at) {
            if (at > changed)
                readThen = std::min<qsizetype>(readThen, read());
        });
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), many, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.confirmedAt > changed, 20'000);
        QCOMPARE(readThen, many);
    }

private:
    static void cutClients(const RedisServer &server, const QByteArray &name)
    {
        for (const QByteArray &line : server.cli({"CLIENT", "LIST"}).split('\n')) {
            if (line.contains(" name=" + name + ' '))
                server.cli({"CLIENT", "KILL", "ID", line.sliced(3, line.indexOf(' ') - 3)});
        }
    }
};

QTEST_GUILESS_MAIN(TestTruth)
#include "tst_truth.moc"
