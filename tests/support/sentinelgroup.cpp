// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentinelgroup.h"

#include <QFile>
#include <QtTest>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int sentinels = 3;

QStringList always()
{
    return {QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0"),
            QStringLiteral("--repl-ping-replica-period"), QStringLiteral("1")};
}

} // namespace

SentinelGroup::SentinelGroup(const Settings &settings)
{
    m_servers.push_back(std::make_unique<RedisServer>(always() + settings.servers));
    for (int i = 0; i < settings.replicas; ++i) {
        const QStringList follows{QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                                  QString::number(server(0).port())};
        m_servers.push_back(std::make_unique<RedisServer>(always() + follows + settings.servers));
    }
    if (!waitUntilInStep())
        qFatal("a replica did not come up");
    const QByteArray watched = QByteArray(name.data(), name.size());
    for (int i = 0; i < sentinels; ++i) {
        QFile file(m_files.filePath(QStringLiteral("sentinel%1.conf").arg(i)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no configuration can be written");
        QByteArrayList lines{"sentinel monitor " + watched + " 127.0.0.1 " +
                                 QByteArray::number(server(0).port()) + " 2",
                             "sentinel down-after-milliseconds " + watched + " 1000",
                             "sentinel failover-timeout " + watched + " 4000"};
        file.write((lines + settings.sentinels).join('\n') + '\n');
        file.close();
        m_sentinels.push_back(
            std::make_unique<RedisServer>(QStringList{file.fileName(), QStringLiteral("--sentinel")}));
    }
    const bool isUp = QTest::qWaitFor(
        [&] {
            return std::ranges::all_of(m_sentinels, [&](const auto &sentinel) {
                const QByteArray said = sentinel->cli({"SENTINEL", "MASTER", watched});
                return said.startsWith("NOAUTH") ||
                       (said.contains("num-other-sentinels\n" + QByteArray::number(sentinels - 1) + '\n') &&
                        said.contains("num-slaves\n" + QByteArray::number(settings.replicas) + '\n'));
            });
        },
        patience);
    if (!isUp)
        qFatal("the Sentinels did not come up");
}

ServerAddress SentinelGroup::address() const
{
    ServerAddress address;
    for (const auto &sentinel : m_sentinels)
        address.sentinels.append(NodeAddress{QStringLiteral("127.0.0.1"), sentinel->port()});
    address.primaryName = QString::fromUtf8(name.data(), name.size());
    return address;
}

int SentinelGroup::primaryOf(const RedisServer &sentinel) const
{
    const QByteArray said = sentinel.cli({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name.toByteArray()});
    for (size_t i = 0; i < m_servers.size(); ++i) {
        if (said.endsWith('\n' + QByteArray::number(m_servers[i]->port())))
            return int(i);
    }
    return -1;
}

int SentinelGroup::primary() const
{
    return primaryOf(*m_sentinels.front());
}

bool SentinelGroup::failOver()
{
    const int before = primary();
    const bool isAccepted = QTest::qWaitFor(
        [&] {
            return sentinel(0).cli({"SENTINEL", "FAILOVER", name.toByteArray()}) == "OK";
        },
        patience);
    return isAccepted && QTest::qWaitFor([&] { return primary() >= 0 && primary() != before; }, patience);
}

bool SentinelGroup::waitUntilPrimary(int index, int timeoutMs) const
{
    return QTest::qWaitFor(
        [&] {
            return std::ranges::all_of(m_sentinels,
                                       [&](const auto &each) { return primaryOf(*each) == index; });
        },
        timeoutMs);
}

bool SentinelGroup::waitUntilInStep(int timeoutMs) const
{
    return QTest::qWaitFor(
        [&] {
            return std::ranges::all_of(m_servers, [](const auto &each) {
                const QByteArray info = each->cli({"INFO", "replication"});
                return info.contains("role:master") || info.contains("master_link_status:up");
            });
        },
        timeoutMs);
}

} // namespace lockscope
