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
};

QTEST_GUILESS_MAIN(ServerListTest)
#include "tst_serverlist.moc"
