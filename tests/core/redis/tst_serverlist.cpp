// SPDX-License-Identifier: GPL-3.0-or-later
// A list of servers that somebody pasted.
#include "core/redis/serverlist.h"

#include <QtTest>

using namespace lockscope;

class ServerListTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void readsNamesAndAddresses()
    {
        const auto lines = parseServerList(QStringLiteral("# ours\n\n  orders = rediss://ops:@db:6380/2\r\n"
                                                          "localhost:7001\n"
                                                          "redis://db?ssh=ops%40bastion\n"
                                                          "far=redis://db?ssh=ops%40bastion\n"));
        QCOMPARE(lines.size(), 4);
        QVERIFY(std::ranges::all_of(lines, [](const ServerLine &line) { return line.server.has_value(); }));
        QCOMPARE(lines[0].number, 3);
        QCOMPARE(lines[0].server->name, QStringLiteral("orders"));
        QCOMPARE(lines[0].server->address.toDisplayString(), QStringLiteral("db:6380/2 (TLS)"));
        QCOMPARE(lines[1].server->address.port, 7001);
        QCOMPARE(lines[2].server->name, QString());
        QCOMPARE(lines[2].server->address.sshHost, QStringLiteral("ops@bastion"));
        QCOMPARE(lines[3].server->name, QStringLiteral("far"));
    }

    void leavesPasswordsOut()
    {
        const auto lines = parseServerList(
            QStringLiteral("redis://:canary@db\nredis://u:canary@db:x\na = http://u:canary@db"));
        QVERIFY(lines[0].hadPassword);
        QVERIFY(lines[0].server->address.password.isEmpty());
        for (const ServerLine &line : lines.sliced(1)) {
            QVERIFY(!line.server);
            QCOMPARE(line.server.error().kind, ErrorKind::InvalidArgument);
            QVERIFY2(!line.server.error().text().contains("canary"), line.server.error().text().constData());
        }
    }

    void readsGroupsAndProtection()
    {
        const auto lines = parseServerList(
            QStringLiteral("a = redis://a\n[shop, \u65b0]\nb = redis://b/2\tproduction  read-only\n"
                           "[::1]\n[\"x%5D\"]\n/run/r.sock staging\nc = redis://c produktion\n"
                           "redis://d staging production\n/run/my r.sock\ninclude others/ \n"
                           "redis://e?proxy=http%3A%2F%2Fu%3Acanary%40p%3A1\n"));
        QCOMPARE(lines.size(), 9);
        QCOMPARE(lines[0].server->group, QString());
        QCOMPARE(lines[1].server->group, QStringLiteral("shop, \u65b0"));
        QCOMPARE(lines[1].server->environment, Environment::Production);
        QVERIFY(lines[1].server->readOnly);
        QCOMPARE(lines[1].server->address.database, 2);
        QCOMPARE(lines[2].server->address.host, QStringLiteral("::1")); // no group
        QCOMPARE(lines[3].server->group, QStringLiteral("x]"));
        QCOMPARE(lines[3].server->environment, Environment::Staging);
        for (const int at : {4, 5, 6}) // a word that is not known protects nothing
            QVERIFY(!lines[at].server);
        QVERIFY(lines[4].server.error().text().contains("read-only"));
        QVERIFY(!lines[7].server);
        QCOMPARE(lines[7].included, QStringLiteral("others/"));
        QVERIFY(lines[8].hadPassword);
        QVERIFY(lines[8].server->address.proxyPassword.isEmpty());
    }

    void whatIsWrittenReadsBackEqual()
    {
        QList<StoredServer> servers;
        const QStringList uris{
            QStringLiteral("redis://h"),
            QStringLiteral("rediss://ann:@[::1]:7000/3"),
            QStringLiteral("unix:///run/my%20r.sock?db=2"),
            QStringLiteral("rediss-sentinel://s1:1,s2:2/orders%2F%231/4?sentinel-user=x&replica"),
            QStringLiteral("redis-redlock://a:1,b:2,c:3"),
            QStringLiteral("redis://h?ssh=ops%40bastion"),
            QStringLiteral("redis://h?proxy=socks5%3A%2F%2Fops%40p%3A1080")};
        const QStringList names{QString(),
                                QStringLiteral("orders 2 (eu)"),
                                QStringLiteral("a=b"),
                                QStringLiteral("include x"),
                                QStringLiteral("# \"q\" 100%"),
                                QStringLiteral("[x]"),
                                QStringLiteral("\u9501 redis://x?y\n")};
        for (int at = 0; at < uris.size(); ++at) {
            StoredServer server{names[at], ServerAddress::parse(uris[at]).value(), at % 2 == 0,
                                environments[size_t(at % 4)]};
            server.group = at < 3 ? QString() : at < 5 ? QStringLiteral("::1") : QStringLiteral("shop = [1]");
            servers.append(server);
        }
        servers.first().address.password = "canary";
        const QString text = serverListText(servers);
        QVERIFY2(!text.contains(QStringLiteral("canary")), qPrintable(text));
        servers.first().address.password.clear();
        QList<StoredServer> read;
        for (const ServerLine &line : parseServerList(text)) {
            QVERIFY2(line.server, qPrintable(text));
            read.append(*line.server);
        }
        QCOMPARE(read, servers);
    }
};

QTEST_GUILESS_MAIN(ServerListTest)
#include "tst_serverlist.moc"
