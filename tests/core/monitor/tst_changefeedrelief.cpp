// SPDX-License-Identifier: GPL-3.0-or-later
// The change feed on a password that ends: another connection takes over, and nothing is missed.
#include "core/monitor/changefeed.h"

#include "tests/support/feedlistener.h"
#include "tests/support/tokenservice.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestChangeFeedRelief : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void missesNothing_data();
    void missesNothing();
    void staysWhereItIsRefused();
};

void TestChangeFeedRelief::missesNothing_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QList<QByteArray>>("patterns");
    QTest::addColumn<FeedMode>("mode");
    QTest::newRow("tracking") << QStringList() << QList<QByteArray>{"lock:*"} << FeedMode::Tracking;
    QTest::newRow("by key") << QStringList() << QList<QByteArray>{"*:0"} << FeedMode::KeyedTracking;
    QTest::newRow("notifications") << words("--notify-keyspace-events KA") << QList<QByteArray>{"*:*"}
                                   << FeedMode::Notifications;
}

void TestChangeFeedRelief::missesNothing()
{
    QFETCH(const QStringList, settings);
    QFETCH(const QList<QByteArray>, patterns);
    QFETCH(const FeedMode, mode);
    const RedisServer server(settings);
    TokenService service(server, 2s);
    if (mode == FeedMode::Notifications) // its user may not track
        server.cli({"ACL", "SETUSER", "cloud", "-client|tracking"});
    FeedListener listener(service.address(), patterns);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{mode});

    // A writer that changes another key all the time, until the feed has moved twice and the old tokens have ended.
    const bool isByKey = mode == FeedMode::KeyedTracking;
    int written = 0;
    const auto write = [&] {
        const QByteArray key = isByKey ? "lock:0" : "lock:" + QByteArray::number(++written);
        if (isByKey && !listener.read(key))
            return false;
        server.cli({"SET", key, "1"});
        return !isByKey || listener.isPushed(key, ++written);
    };
    while (service.tokens().size() < 4) {
        QVERIFY(write());
        QTest::qWait(10);
    }
    QTRY_COMPARE(clientLine(server, "lockscope:feed").count(" name=lockscope:feed "), 1);
    service.cutOlderThan(service.tokens()[2]);
    for (int i = 0; i < 5; ++i)
        QVERIFY(write());
    QVERIFY(listener.catchUp());
    for (int i = 1; !isByKey && i <= written; ++i)
        QVERIFY2(listener.isPushed("lock:" + QByteArray::number(i)), QByteArray::number(i).constData());
    QVERIFY(!listener.incident());
    QCOMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.gapDetected.size(), 0);
    QCOMPARE(listener.routes(), QList<FeedMode>{mode});
    QVERIFY(service.accepted() > 2);
}

/// Where the second connection may not subscribe, the first is heard to its end, and then the loss is told.
void TestChangeFeedRelief::staysWhereItIsRefused()
{
    const RedisServer server;
    TokenService service(server, 2s);
    FeedListener listener(service.address(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    service.rewrite = [asBefore = service.rewrite](const QByteArrayList &command, bool speaksResp3) {
        return command[0] == "SUBSCRIBE"
                   ? RewritingProxy::refusal("NOPERM no permissions to access a channel")
                   : asBefore(command, speaksResp3);
    };
    QTRY_COMPARE_WITH_TIMEOUT(service.count("SUBSCRIBE"), 2, 30'000);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
    QVERIFY(!listener.incident());
    service.cutOlderThan(service.tokens().last());
    QTRY_COMPARE(listener.gapDetected.size(), 1);
}

QTEST_GUILESS_MAIN(TestChangeFeedRelief)
#include "tst_changefeedrelief.moc"
