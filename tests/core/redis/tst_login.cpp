// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/login.h"

#include "core/redis/almostredis.h"
#include "core/words/servermessages.h"

#include <QtTest>

using namespace lockscope;

class TestLogin : public QObject
{
    Q_OBJECT

private slots:
    void serversAreKnownByTheirInfo_data();
    void serversAreKnownByTheirInfo();
};

void TestLogin::serversAreKnownByTheirInfo_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<int>("major");
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *what, const QByteArray &info, const QByteArray &name,
                        const QByteArray &version, int major, const QByteArray &mode, const QString &text) {
        QTest::newRow(what) << info << name << version << major << mode << text;
    };
    row("Redis 6",
        "# "
        "Server\r\nredis_version:6.0.16\r\nredis_git_sha1:0\r\nredis_mode:standalone\r\ngcc_version:10.2."
        "1\r\n",
        "redis", "6.0.16", 6, "standalone", QStringLiteral("Redis 6.0.16"));
    row("Redis 8",
        "# "
        "Server\r\nredis_version:8.0.2\r\nredis_build_id:b52b\r\nredis_mode:cluster\r\ngcc_version:14.2."
        "0\r\n",
        "redis", "8.0.2", 8, "cluster", QStringLiteral("Redis 8.0.2 cluster"));
    row("Valkey",
        "# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n"
        "valkey_release_stage:ga\r\nserver_mode:standalone\r\ngcc_version:14.2.0\r\n",
        "valkey", "8.1.1", 7, "standalone", QStringLiteral("Valkey 8.1.1"));
    row("a cluster of Valkey",
        "# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n"
        "server_mode:cluster\r\n",
        "valkey", "8.1.1", 7, "cluster", QStringLiteral("Valkey 8.1.1 cluster"));
    row("one with a version of its own",
        "# Server\r\nredis_version:7.4.0\r\ndragonfly_version:df-v1.27\r\nredis_mode:standalone\r\n",
        "dragonfly", "df-v1.27", 7, "standalone", QStringLiteral("Dragonfly df-v1.27"));
    row("KeyDB",
        "# Server\r\nredis_version:6.3.4\r\nredis_mode:standalone\r\ngcc_version:12.2.0\r\n"
        "executable:/usr/local/bin/keydb-server\r\nfeatures:cluster_mget\r\n",
        "keydb", "6.3.4", 6, "standalone", QStringLiteral("KeyDB 6.3.4"));
    row("Garnet", "# Server\r\ngarnet_version:1.0.84\r\nredis_version:7.4.3\r\nredis_mode:cluster\r\n",
        "garnet", "1.0.84", 7, "cluster", QStringLiteral("Garnet 1.0.84 cluster"));
    row("one that may not be asked", "NOPERM this user has no permissions to run the 'info' command", "", "",
        0, "", QString());
    row("nothing", "", "", "", 0, "", QString());
    row("a hostile name",
        "redis_version:7.0.0\nserver_name:\x1b[2J" + QByteArray(500, 'x') + "\nredis_mode:standalone\n",
        "\x1b[2j" + QByteArray(20, 'x'), "7.0.0", 7, "standalone",
        QStringLiteral("\\x1b[2j") + QString(20, u'x') + QStringLiteral(" 7.0.0"));
}

void TestLogin::serversAreKnownByTheirInfo()
{
    QFETCH(const QByteArray, info);
    const ServerInfo server = serverInfoFrom(info, "# Replication\r\nrole:master\r\nconnected_slaves:2\r\n");
    QTEST(server.name, "name");
    QTEST(server.version, "version");
    QTEST(server.major, "major");
    QTEST(server.mode, "mode");
    QCOMPARE(server.role, "master");
    QCOMPARE(server.replicas, 2);
    QTEST(productText(server), "text");
    QCOMPARE(isRedis7(server), server.major >= 7 && (server.name == "redis" || server.name == "valkey"));
    QVERIFY(serverInfoFrom(info, "role:replica\r\n").isReplica()); // as Dragonfly may call it
}

QTEST_GUILESS_MAIN(TestLogin)
#include "tst_login.moc"
