// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/infowatch.h"

#include "core/redis/connection.h"
#include "tests/support/login.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

class InfoWatchTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void tellsWhatTheServerSays();
    void asksNoMoreWhereItIsForbidden();
    void isNotToldOfAnotherConnection();

private:
    RedisServer m_server;
};

void InfoWatchTest::tellsWhatTheServerSays()
{
    Connection connection(m_server.socketAddress());
    connection.open();
    QTRY_COMPARE(connection.state(), Link::State::Ready);
    QVERIFY(m_server.cli({"SET", "a", "1"}).startsWith("OK"));
    InfoWatch watch(connection, nullptr);
    QByteArrayList costs;
    connect(&watch, &InfoWatch::countersTold, this, [&costs](const QByteArray &info) { costs << info; });
    QSignalSpy keys(&watch, &InfoWatch::keysCounted), leases(&watch, &InfoWatch::fieldLeasesTold);
    QVERIFY(!watch.isAsking());
    watch.begin();
    watch.countKeys();
    QVERIFY(watch.isAsking());
    QTRY_COMPARE(keys.size(), 1);
    QCOMPARE(keys[0][0].toLongLong(), 1);
    QCOMPARE(leases.size(), 1);
    QVERIFY(costs.value(0).contains("cmdstat_set:calls=1"));
    QTRY_VERIFY(costs.size() > 1); // by itself
    watch.halt();
    QVERIFY(!watch.isAsking());
}

void InfoWatchTest::asksNoMoreWhereItIsForbidden()
{
    Login login(m_server);
    login.change({"-info"});
    Connection connection(login.address());
    connection.open();
    QTRY_COMPARE(connection.state(), Link::State::Ready);
    InfoWatch watch(connection, nullptr);
    QSignalSpy reported(&watch, &InfoWatch::countersTold), forbidden(&watch, &InfoWatch::countersForbidden);
    watch.begin();
    QTRY_COMPARE(forbidden.size(), 1);
    QVERIFY(!watch.isAsking());
    login.change({"+info"});
    watch.ask();
    QTRY_COMPARE(reported.size(), 1);
    QVERIFY(watch.isAsking());
}

void InfoWatchTest::isNotToldOfAnotherConnection()
{
    Connection connection(m_server.socketAddress());
    connection.open();
    QTRY_COMPARE(connection.state(), Link::State::Ready);
    InfoWatch watch(connection, nullptr);
    QSignalSpy keys(&watch, &InfoWatch::keysCounted), leases(&watch, &InfoWatch::fieldLeasesTold);
    watch.begin();
    watch.countKeys();
    watch.begin(); // what was asked before does not count
    QTRY_COMPARE(leases.size(), 1);
    QCOMPARE(keys.size(), 0);
}

QTEST_GUILESS_MAIN(InfoWatchTest)
#include "tst_infowatch.moc"
