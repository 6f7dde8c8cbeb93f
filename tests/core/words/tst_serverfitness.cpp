// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/serverfitness.h"

#include <QHash>
#include <QtTest>

#include <algorithm>

using namespace lockscope;

namespace {

using Level = ServerFinding::Level;

using Fields = QHash<QByteArray, QByteArray>;

constexpr qint64 nowS = 1'790'000'000;

/// INFO of a server without a fault, but for what is changed; an empty value: the field is missing.
QByteArray infoWith(const Fields &changed = {})
{
    Fields fields{{"redis_version", "7.2.4"},
                  {"uptime_in_seconds", "86400"},
                  {"connected_clients", "20"},
                  {"maxclients", "10000"},
                  {"used_memory", "1000000"},
                  {"used_memory_rss", "2000000"},
                  {"total_system_memory", "8000000000"},
                  {"maxmemory", "100000000"},
                  {"maxmemory_policy", "noeviction"},
                  {"loading", "0"},
                  {"rdb_changes_since_last_save", "12"},
                  {"rdb_last_save_time", "1789999940"},
                  {"rdb_last_bgsave_status", "ok"},
                  {"aof_enabled", "1"},
                  {"aof_last_write_status", "ok"},
                  {"evicted_keys", "0"},
                  {"latest_fork_usec", "310"},
                  {"role", "master"},
                  {"connected_slaves", "1"},
                  {"slave0", "ip=10.0.0.2,port=6379,state=online,offset=123456789012,lag=1"},
                  {"min_slaves_good_slaves", "1"}};
    for (auto at = changed.begin(); at != changed.end(); ++at)
        fields[at.key()] = at.value();
    QByteArray text = "# Server\r\n";
    for (auto at = fields.begin(); at != fields.end(); ++at) {
        if (!at.value().isEmpty())
            text += at.key() + ':' + at.value() + "\r\n";
    }
    return text;
}

} // namespace

class ServerFitnessTest : public QObject
{
    Q_OBJECT

private slots:
    void aFitServer()
    {
        for (const ServerFinding &finding : judgeServer(infoWith(), nowS)) {
            if (finding.check == "replication") { // whether the replicas are enough is not told
                QVERIFY(finding.level == Level::Note);
                continue;
            }
            QVERIFY2(finding.level == Level::Good, finding.check);
            QVERIFY(finding.reason.isEmpty() && finding.advice.isEmpty() && !finding.text.isEmpty());
        }
    }

    void eachFault_data()
    {
        QTest::addColumn<Fields>("changed");
        QTest::addColumn<QByteArray>("check");
        QTest::addColumn<Level>("level");
        const auto row = [](const char *name, const Fields &changed, const QByteArray &check, Level level) {
            QTest::newRow(name) << changed << check << level;
        };
        row("any key", {{"maxmemory_policy", "allkeys-lru"}}, "eviction", Level::Risk);
        row("keys with expiry", {{"maxmemory_policy", "volatile-ttl"}}, "eviction", Level::Risk);
        row("no limit", {{"maxmemory_policy", "allkeys-lru"}, {"maxmemory", "0"}}, "eviction", Level::Good);
        row("no policy told", {{"maxmemory_policy", ""}}, "eviction", Level::Unknown);
        row("full", {{"used_memory", "95000000"}}, "memory", Level::Risk);
        row("full machine", {{"maxmemory", "0"}, {"used_memory_rss", "7900000000"}}, "memory", Level::Risk);
        row("a machine of unknown size", {{"maxmemory", "0"}, {"total_system_memory", ""}}, "memory",
            Level::Unknown);
        row("no AOF", {{"aof_enabled", "0"}}, "persistence", Level::Risk);
        row("failed write", {{"aof_last_write_status", "err"}}, "persistence", Level::Risk);
        row("failed snapshot", {{"rdb_last_bgsave_status", "err"}}, "persistence", Level::Risk);
        row("loading", {{"loading", "1"}}, "loading", Level::Risk);
        row("restarted", {{"aof_enabled", "0"}, {"uptime_in_seconds", "20"}}, "restart", Level::Note);
        row("no replica", {{"connected_slaves", "0"}, {"min_slaves_good_slaves", ""}}, "replication",
            Level::Note);
        row("no min-replicas", {{"min_slaves_good_slaves", ""}}, "replication", Level::Risk);
        row("too few replicas", {{"min_slaves_good_slaves", "0"}}, "replication", Level::Risk);
        row("a late replica",
            {{"slave0", "ip=" + QByteArray(60, 'a') + ".example,port=6379,state=online,offset=1,lag=80"}},
            "replication", Level::Risk);
        row("a replica", {{"role", "slave"}, {"master_link_status", "up"}}, "replication", Level::Note);
        row("a lost replica", {{"role", "slave"}, {"master_link_status", "down"}}, "replication",
            Level::Risk);
        row("a replica that syncs", {{"slave0", "ip=10.0.0.2,port=6379,state=wait_bgsave,offset=0,lag=0"}},
            "replication", Level::Risk);
        row("two primaries", {{"role", "active-replica"}}, "replication", Level::Risk);
        row("full, but it evicts", {{"used_memory", "99000000"}, {"maxmemory_policy", "allkeys-lru"}},
            "eviction", Level::Risk);
        row("many clients", {{"connected_clients", "9500"}}, "clients", Level::Risk);
        row("long fork", {{"latest_fork_usec", "900000"}}, "pauses", Level::Risk);
        row("old", {{"redis_version", "2.6.9"}}, "version", Level::Risk);
        row("without tracking", {{"redis_version", "5.0.7"}}, "version", Level::Note);
        row("no version", {{"redis_version", ""}}, "version", Level::Unknown);
    }

    void eachFault()
    {
        QFETCH(const Fields, changed);
        QFETCH(const QByteArray, check);
        QFETCH(const Level, level);
        const auto findings = judgeServer(infoWith(changed), nowS);
        QVERIFY(std::ranges::is_sorted(findings, {}, &ServerFinding::level));
        for (const ServerFinding &finding : findings) {
            const bool isIt = finding.check == check;
            // Without an append-only file both are told.
            const bool goesWith = check == "restart" && finding.check == "persistence";
            const bool evicts = finding.check == "memory" && changed.contains("maxmemory_policy") &&
                                changed.contains("used_memory");
            if (evicts) {
                QVERIFY(finding.level == Level::Note);
                continue;
            }
            const Level usual = finding.check == "replication" ? Level::Note : Level::Good;
            QVERIFY2(finding.level == (isIt ? level : goesWith ? Level::Risk : usual), finding.check);
            QCOMPARE(finding.reason.isEmpty(),
                     finding.level == Level::Good || finding.level == Level::Unknown);
        }
        QVERIFY(std::ranges::find(findings, check, &ServerFinding::check) != findings.end());
    }

    /// No more is claimed of others than INFO tells.
    void otherServers_data()
    {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<QString>("product");
        QTest::addColumn<Level>("version");
        QTest::addColumn<Level>("eviction");
        QTest::addColumn<Level>("persistence");
        QTest::newRow("KeyDB") << infoWith({{"redis_version", "6.3.4"}, {"mvcc_depth", "0"}})
                               << QStringLiteral("KeyDB 6.3.4") << Level::Good << Level::Good << Level::Good;
        QTest::newRow("Dragonfly") << infoWith(
                                          {{"dragonfly_version", "df-v1.38.0"},
                                           {"aof_enabled", ""},
                                           {"last_success_save", "1789999000"},
                                           {"rdb_changes_since_last_success_save", "12"},
                                           {"min_slaves_good_slaves", ""},
                                           {"slave0", "ip=10.0.0.2,port=6379,state=stable_sync,lag=4711"}})
                                   << QStringLiteral("Dragonfly df-v1.38.0") << Level::Note << Level::Good
                                   << Level::Risk;
        QTest::newRow("Garnet") << infoWith({{"garnet_version", "1.0.84"},
                                             {"aof_enabled", ""},
                                             {"aof_memory_size", "-1"},
                                             {"maxmemory", ""}})
                                << QStringLiteral("Garnet 1.0.84") << Level::Note << Level::Unknown
                                << Level::Risk;
        QTest::newRow("another") << infoWith({{"kvrocks_version", "2.9"}}) << QStringLiteral("Kvrocks 2.9")
                                 << Level::Note << Level::Good << Level::Good;
    }

    void otherServers()
    {
        QFETCH(const QByteArray, info);
        const auto findings = judgeServer(info, nowS);
        const auto found = [&findings](const QByteArray &check) {
            const auto at = std::ranges::find(findings, check, &ServerFinding::check);
            return at == findings.end() ? ServerFinding() : *at;
        };
        QTEST(found("version").text, "product");
        QTEST(found("version").level, "version");
        QTEST(found("eviction").level, "eviction");
        QTEST(found("persistence").level, "persistence");
        QVERIFY(!found("persistence").advice.contains(QStringLiteral("appendonly")));
        const QString replicas = found("replication").text;
        QVERIFY2(replicas.startsWith(QStringLiteral("Replicas: 1, in sync: 1")), qPrintable(replicas));
        QVERIFY2(!replicas.contains(QStringLiteral("h ago")), qPrintable(replicas)); // a lag that is no time
    }

    void nothingIsKnown()
    {
        for (const QByteArray &info :
             {QByteArray(), QByteArray("maxmemory:x\r\nrole\r\n:\r\n"), QByteArray(5000, '\xff'),
              QByteArray("maxmemory:-1\r\nused_memory:-5\r\nconnected_clients:-1\r\nmaxclients:10\r\nlatest_"
                         "fork_usec:-1\r\n")}) {
            for (const ServerFinding &finding : judgeServer(info, nowS))
                QVERIFY2(finding.level == Level::Unknown, finding.check);
        }
    }
};

QTEST_GUILESS_MAIN(ServerFitnessTest)
#include "tst_serverfitness.moc"
