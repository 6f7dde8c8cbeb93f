// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/serverfitness.h"

#include "core/base/printable.h"
#include "core/redis/info.h"
#include "core/redis/login.h"
#include "core/words/durations.h"
#include "core/words/servermessages.h"
#include "core/words/texts.h"

#include <QLocale>
#include <QVersionNumber>

#include <algorithm>
#include <chrono>

namespace lockscope {

namespace {

using Level = ServerFinding::Level;
using std::chrono::milliseconds;

constexpr double fullShare = 0.9;             // of memory, of clients
constexpr qint64 longForkMs = 500;            // shorter leases are rare
constexpr qint64 longestTime = 1'000'000'000; // s
constexpr qint64 farBehindS = 10;             // a replica; the usual min-replicas-max-lag
constexpr qint64 mostReplicas = 64;
constexpr qsizetype longestReplica = 512; // bytes: addresses may be host names
constexpr qint64 freshlyStartedS = 300;   // longer leases are rare

QString secondsInWords(qint64 seconds)
{
    return describe(milliseconds(std::clamp<qint64>(seconds, 0, longestTime) * 1000));
}

class Judgement
{
public:
    Judgement(const QByteArray &info, qint64 nowS)
        : m_info(info), m_server(serverInfoFrom(info, info)), m_nowS(nowS)
    {
    }

    QList<ServerFinding> findings()
    {
        eviction();
        memory();
        persistence();
        replication();
        clients();
        pauses();
        version();
        std::ranges::stable_sort(m_findings, {}, &ServerFinding::level);
        return m_findings;
    }

private:
    QByteArray field(QByteArrayView name) const { return infoField(m_info, name); }
    /// Absent also where it is negative, which none of these can be.
    std::optional<qint64> number(QByteArrayView name) const
    {
        const auto number = infoNumber(m_info, name);
        return number && *number >= 0 ? number : std::nullopt;
    }

    void add(const char *check, Level level, const QString &text, const QString &reason = {},
             const QString &advice = {})
    {
        m_findings.append({check, level, text, reason, advice});
    }
    void addUnknown(const char *check) { add(check, Level::Unknown, Texts::tr("INFO does not tell it.")); }

    void eviction()
    {
        const QByteArray policy = field("maxmemory_policy");
        const auto limit = number("maxmemory");
        if (isOneOf({"garnet"}))
            return add("eviction", Level::Unknown, Texts::tr("INFO does not tell it."),
                       Texts::tr("Without --storage-tier, a full Garnet drops its oldest keys, locks too."));
        if (policy.isEmpty() || !limit)
            return addUnknown("eviction");
        const bool mayEvict = *limit > 0 && policy != "noeviction";
        if (!mayEvict)
            return add("eviction", Level::Good,
                       Texts::tr("No key is evicted (%1).")
                           .arg(*limit > 0 ? printable(policy) : QStringLiteral("maxmemory 0")));
        QString text =
            policy.startsWith("volatile")
                ? Texts::tr("A full server evicts keys with an expiry (%1).").arg(printable(policy))
                : Texts::tr("A full server evicts any key (%1).").arg(printable(policy));
        if (const auto evicted = number("evicted_keys"); evicted && *evicted > 0)
            text += u' ' + Texts::tr("Evicted since its start: %1.").arg(QLocale().toString(*evicted));
        add("eviction", Level::Risk, text,
            Texts::tr("An evicted lock can be acquired while its holder works."),
            Texts::tr("Set maxmemory-policy noeviction, or keep locks on a server of their own."));
    }

    void memory()
    {
        const auto used = number("used_memory"), limit = number("maxmemory");
        const auto resident = number("used_memory_rss"), total = number("total_system_memory");
        if (!used || !limit)
            return addUnknown("memory");
        const bool isLimited = *limit > 0;
        if (!isLimited && (!resident || !total || *total <= 0))
            return addUnknown("memory");
        const double share = isLimited ? double(*used) / double(*limit) : double(*resident) / double(*total);
        const QString text = (isLimited ? Texts::tr("%1% of maxmemory is used.")
                                        : Texts::tr("The server uses %1% of the machine's memory."))
                                 .arg(qRound(100 * share));
        if (share < fullShare)
            return add("memory", Level::Good, text);
        if (isLimited && field("maxmemory_policy") != "noeviction") // told above
            return add("memory", Level::Note, text, Texts::tr("The server evicts keys, or refuses writes."));
        add("memory", Level::Risk, text,
            isLimited ? Texts::tr("Without memory, no lock is acquired.")
                      : Texts::tr("The system may end the server, and its locks with it."),
            isLimited ? Texts::tr("Raise maxmemory, or delete data.") : Texts::tr("Set maxmemory."));
    }

    void persistence()
    {
        if (number("loading").value_or(0) != 0)
            add("loading", Level::Risk, Texts::tr("The server is loading its data."),
                Texts::tr("Until then no lock is acquired or renewed."));
        const bool isDragonfly = isOneOf({"dragonfly"});
        // Garnet tells no more of it than whether there is one.
        const bool hasNone =
            isDragonfly || (isOneOf({"garnet"}) && infoNumber(m_info, "aof_memory_size") == -1);
        const auto hasAof = hasNone ? std::optional<qint64>(0) : number("aof_enabled");
        if (!hasAof)
            return addUnknown("persistence");
        const QByteArray save = field("rdb_last_bgsave_status"), write = field("aof_last_write_status");
        if (save == "err" || (*hasAof != 0 && write == "err"))
            return add("persistence", Level::Risk, Texts::tr("The last write to disk failed."),
                       Texts::tr("The server may refuse writes: no lock is acquired or renewed."),
                       Texts::tr("Read the server's log."));
        if (*hasAof != 0)
            return add(
                "persistence", Level::Good,
                Texts::tr(
                    "The append-only file is on. A crash forgets about 2 s with appendfsync everysec."));
        const auto savedAt = number(isDragonfly ? "last_success_save" : "rdb_last_save_time");
        const auto changes =
            number(isDragonfly ? "rdb_changes_since_last_success_save" : "rdb_changes_since_last_save");
        const QString text =
            savedAt && changes
                ? Texts::tr("No append-only file. A crash now forgets %1 changes, those of the last %2.")
                      .arg(QLocale().toString(*changes),
                           secondsInWords(std::max<qint64>(m_nowS - std::min(*savedAt, m_nowS), 0)))
                : Texts::tr("No append-only file: a crash forgets what came after the last snapshot.");
        add("persistence", Level::Risk, text,
            Texts::tr("A forgotten lock can be acquired while its holder works."),
            hasNone
                ? Texts::tr("Restart a crashed server only after the longest lease.")
                : Texts::tr("Set appendonly yes, or restart a crashed server only after the longest lease."));
        if (const auto uptime = number("uptime_in_seconds"); uptime && *uptime < freshlyStartedS)
            add("restart", Level::Note, Texts::tr("Started %1 ago.").arg(secondsInWords(*uptime)),
                Texts::tr("Locks from before it may be forgotten while their holders work."));
    }

    void replication()
    {
        const QByteArray role = field("role");
        if (role.isEmpty())
            return addUnknown("replication");
        if (role == "active-replica")
            return add("replication", Level::Risk,
                       Texts::tr("Two servers take writes (%1).").arg(printable(role)),
                       Texts::tr("Each can give the same lock to another holder."),
                       Texts::tr("Use one primary for locks."));
        if (m_server.isReplica()) {
            const bool isUp = field("master_link_status") == "up";
            return add("replication", isUp ? Level::Note : Level::Risk,
                       isUp ? Texts::tr("This is a replica.")
                            : Texts::tr("This replica has lost its primary."),
                       Texts::tr("Its locks are those of a moment ago."), Texts::tr("Ask the primary."));
        }
        const qint64 replicas = number("connected_slaves").value_or(0);
        const auto needed = number("min_slaves_good_slaves"); // told only if min-replicas-to-write is set
        if (needed && *needed == 0)
            return add("replication", Level::Risk, Texts::tr("Too few replicas are in reach."),
                       Texts::tr("The server refuses writes: no lock is acquired or renewed."),
                       Texts::tr("Bring replicas back, or lower min-replicas-to-write."));
        if (replicas == 0)
            return add("replication", Level::Note, Texts::tr("No replica."),
                       Texts::tr("While this server is away, no lock is acquired or renewed."));
        qint64 lag = 0, inSync = 0;
        for (qint64 i = 0; i < std::min<qint64>(replicas, mostReplicas); ++i) {
            const QByteArray replica = infoField(m_info, "slave" + QByteArray::number(i), longestReplica);
            const qsizetype at = replica.indexOf("lag=");
            if (at < 0 || !(replica.contains("state=online") || replica.contains("state=stable_sync")))
                continue;
            ++inSync;
            lag = std::max(lag, replica.mid(at + 4).toLongLong());
        }
        QString text = Texts::tr("Replicas: %1, in sync: %2")
                           .arg(QLocale().toString(replicas), QLocale().toString(inSync));
        const bool isLagATime = !isOneOf({"dragonfly", "garnet"}); // but a distance in their logs
        text += inSync > 0 && isLagATime
                    ? Texts::tr("; the farthest was heard of %1 ago.").arg(secondsInWords(lag))
                    : QStringLiteral(".");
        const QString reason =
            Texts::tr("Replication is asynchronous: a failover can forget a lock that is held.");
        // How many are needed INFO does not tell.
        if (needed && lag < farBehindS && inSync == std::min<qint64>(replicas, mostReplicas))
            return add("replication", Level::Note, text, reason);
        add("replication", Level::Risk, text, reason,
            needed ? Texts::tr("See why the replica is behind.")
            : !isLagATime
                ? Texts::tr("Check fencing tokens where two holders must not be.")
                : Texts::tr("Set min-replicas-to-write 1, which limits that but does not end it. Check "
                            "fencing tokens where two holders must not be."));
    }

    void clients()
    {
        const auto connected = number("connected_clients"), most = number("maxclients");
        if (!connected || !most || *most <= 0)
            return addUnknown("clients");
        const QString text = Texts::tr("%1 of %2 clients are connected.")
                                 .arg(QLocale().toString(*connected), QLocale().toString(*most));
        if (double(*connected) < fullShare * double(*most))
            return add("clients", Level::Good, text);
        add("clients", Level::Risk, text,
            Texts::tr("A holder that reconnects may be refused, and cannot renew."),
            Texts::tr("Raise maxclients, or close unused connections."));
    }

    void pauses()
    {
        const auto fork = number("latest_fork_usec");
        if (!fork)
            return addUnknown("pauses");
        if (*fork == 0)
            return add("pauses", Level::Good, Texts::tr("No fork since the start."));
        const QString text =
            Texts::tr("The last fork stopped the server for %1.").arg(describe(milliseconds(*fork / 1000)));
        if (*fork / 1000 < longForkMs)
            return add("pauses", Level::Good, text);
        add("pauses", Level::Risk, text,
            Texts::tr("Renewals come late: short leases end while their holders work."),
            Texts::tr("Use leases of several times that, and turn transparent huge pages off."));
    }

    void version()
    {
        const QVersionNumber version =
            QVersionNumber::fromString(QString::fromLatin1(field("redis_version")));
        if (version.isNull())
            return addUnknown("version");
        const QString name = productText(m_server);
        if (isOneOf({"dragonfly"}))
            return add(
                "version", Level::Note, name,
                Texts::tr("It tracks no prefixes and notifies of expiries alone: Lockscope polls. Scripts "
                          "that read keys which they are not given are refused."));
        if (isOneOf({"garnet"}))
            return add(
                "version", Level::Note, name,
                Texts::tr("It has neither client tracking nor notifications: Lockscope polls. Actions are "
                          "scripts, and refused unless it was started with --lua."));
        if (!isOneOf({"redis", "valkey", "keydb"}))
            return add("version", Level::Note, name,
                       Texts::tr("Lockscope does not know how it differs from Redis."));
        if (version < QVersionNumber(2, 6, 12))
            return add(
                "version", Level::Risk, name,
                Texts::tr(
                    "SET takes no NX with PX: a crash between SETNX and EXPIRE leaves a lock for ever."),
                Texts::tr("Upgrade the server."));
        if (version < QVersionNumber(3, 2))
            return add("version", Level::Risk, name, Texts::tr("Replicas show locks that have expired."),
                       Texts::tr("Upgrade the server."));
        if (version < QVersionNumber(6, 0))
            return add(
                "version", Level::Note, name,
                Texts::tr("It has no client tracking: Lockscope needs keyspace notifications, or polls."),
                Texts::tr("Upgrade the server."));
        add("version", Level::Good, name);
    }

    bool isOneOf(std::initializer_list<QByteArrayView> names) const
    {
        return std::ranges::find(names, QByteArrayView(m_server.name)) != names.end();
    }

    const QByteArray m_info;
    const ServerInfo m_server;
    const qint64 m_nowS;
    QList<ServerFinding> m_findings;
};

} // namespace

QString levelInWords(ServerFinding::Level level)
{
    switch (level) {
    case Level::Risk:
        return Texts::tr("risk", "of a server");
    case Level::Note:
        return Texts::tr("note", "of a server");
    case Level::Unknown:
        return Texts::tr("unknown");
    case Level::Good:
        break;
    }
    return Texts::tr("good", "of a server");
}

QList<ServerFinding> judgeServer(const QByteArray &info, qint64 nowS)
{
    return Judgement(info, nowS).findings();
}

} // namespace lockscope
