// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/serverwrites.h"

#include "core/family/filecompanions.h"
#include "core/redis/info.h"
#include "core/redis/readyfuture.h"
#include "core/redis/whendone.h"

#include <QPromise>
#include <QSet>

#include <memory>

namespace lockscope {

namespace {

/// The number of error replies with this first word.
qint64 errorsIn(const QByteArray &info, const QByteArray &word)
{
    constexpr QByteArrayView head = "count=";
    const QByteArray field = infoField(info, "errorstat_" + word);
    return field.startsWith(head) ? field.mid(head.size()).toLongLong() : 0;
}

std::optional<ErrorKind> refusalIn(const QByteArray &info)
{
    const qint64 most = infoNumber(info, "maxmemory").value_or(0);
    if (most > 0 && infoNumber(info, "used_memory").value_or(most) >= most)
        return ErrorKind::OutOfMemory;
    if (infoField(info, "rdb_last_bgsave_status") == "err" ||
        infoField(info, "aof_last_write_status") == "err")
        return ErrorKind::PersistenceFailed;
    if (infoNumber(info, "min_slaves_good_slaves") == 0)
        return ErrorKind::NoReplicas;
    return std::nullopt;
}

} // namespace

void ServerWrites::add(const QByteArray &info)
{
    const std::optional<qint64> most = infoNumber(info, "maxmemory");
    // Redis before 6.2 does not count errors, and later ones stop at too many kinds.
    const bool hasCounts =
        !infoField(info, "total_error_replies").isEmpty() && !info.contains("errorstat_ERRORSTATS_");
    const bool hasLimits = most != 0 || !infoField(info, "min_slaves_good_slaves").isEmpty();
    areCounted = areCounted && (hasCounts || !hasLimits);
    if (!refusal)
        refusal = refusalIn(info);
    mayEvict = mayEvict || (most != 0 && infoField(info, "maxmemory_policy") != "noeviction");
    refusals[infoField(info, "run_id")] +=
        errorsIn(info, "OOM") + errorsIn(info, "NOREPLICAS") + errorsIn(info, "MISCONF");
}

bool ServerWrites::areUnrefusedSince(const ServerWrites &before) const
{
    return !before.refusal && !refusal && before.areCounted && areCounted && before.refusals == refusals;
}

QFuture<Result<ServerWrites>> readServerWrites(Link &connection, const QList<Lock> &locks)
{
    QSet<Link *> servers;
    for (const Lock &lock : locks) {
        servers.insert(&connection.forKey(lock.key().bytes));
        for (const GoneHolder &holder : lock.companions->heartbeat.gone)
            servers.insert(&connection.forKey(heartbeatKey(lock, holder.owner)));
    }
    if (servers.isEmpty())
        return readyFuture(Result<ServerWrites>(ServerWrites()));
    struct Pending
    {
        QPromise<Result<ServerWrites>> promise;
        Result<ServerWrites> writes;
        qsizetype left = 0;
    };
    const auto reading = std::make_shared<Pending>();
    reading->left = servers.size();
    reading->promise.start();
    const QFuture<Result<ServerWrites>> future = reading->promise.future();
    for (Link *server : std::as_const(servers)) {
        server->send({"INFO"}).then([reading](const Result<Reply> &info) {
            if (!info)
                reading->writes = tl::unexpected(info.error());
            else if (reading->writes)
                reading->writes->add(info->text);
            if (--reading->left > 0)
                return;
            reading->promise.addResult(reading->writes);
            reading->promise.finish();
        });
    }
    return future;
}

} // namespace lockscope
