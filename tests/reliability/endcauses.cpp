// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/endcauses.h"
#include "tests/reliability/await.h"

#include <QDateTime>
#include <QUuid>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// As Python's uuid1() makes them: redis-py's tokens tell when.
QByteArray timeUuid(int process)
{
    constexpr qint64 gregorianToUnixMs = 12'219'292'800'000;
    const auto ticks = quint64(QDateTime::currentMSecsSinceEpoch() + gregorianToUnixMs) * 10'000;
    const auto hex = [](quint64 value, int digits) {
        return QByteArray::number(value, 16).rightJustified(digits, '0');
    };
    return hex(ticks & 0xffffffff, 8) + hex((ticks >> 32) & 0xffff, 4) + hex(0x1000 | (ticks >> 48), 4) +
           "9a3c" + QByteArray::number(process).rightJustified(12, '0');
}

QByteArray base64Of(int bytes)
{
    QByteArray random;
    while (random.size() < bytes)
        random += QUuid::createUuid().toRfc4122();
    return random.first(bytes).toBase64();
}

QByteArray threadOf(int thread)
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + ':' + QByteArray::number(thread);
}

QByteArray addedAt(const char *host)
{
    return "ADDED:" + QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toLatin1() + '@' + host;
}

const QByteArray likeALibrary =
    "if redis.call('type', KEYS[1]).ok == 'hash' then redis.call('hincrby', KEYS[1], ARGV[1], -1) "
    "elseif redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "return redis.call('del', KEYS[1])";

QByteArrayList keysOf(const QList<EndCase> &locks)
{
    QByteArrayList keys;
    for (const EndCase &lock : locks)
        keys << lock.key;
    return keys;
}

void releaseByScript(EndStage &stage, const QList<EndCase> &locks)
{
    for (const EndCase &lock : locks)
        std::ignore = stage.send(lock.key, {"EVAL", likeALibrary, "1", lock.key, lock.form.owner});
}

void forceExpire(EndStage &stage, const QList<EndCase> &locks)
{
    for (const EndCase &lock : locks) {
        QByteArrayList words{"force-expire", lock.key, "--expect-owner", lock.form.owner};
        if (lock.form.isShared)
            words << "--expect-owner" << lock.form.other;
        const Ran ran = stage.cli(words);
        if (ran.exitCode != 0)
            qWarning("force-expire %s: %s%s", lock.key.constData(), ran.out.constData(), ran.err.constData());
    }
}

/// Whoever waits for the end of a lease has the lock at once.
void takeAfterExpiry(EndStage &stage, const QList<EndCase> &locks)
{
    for (const EndCase &lock : locks) {
        std::ignore = runUntil([&] { return !stage.exists(lock.key); }, 20s);
        stage.write(lock.key, filledIn(lock.form.writes, lock, 600'000, true));
    }
}

std::function<void(EndStage &, const QList<EndCase> &)> evictBy(const char *policy)
{
    return [policy](EndStage &stage, const QList<EndCase> &locks) { stage.evict(keysOf(locks), policy); };
}

std::function<void(EndStage &, const QList<EndCase> &)> onEachPrimary(const QByteArrayList &command)
{
    return [command](EndStage &stage, const QList<EndCase> &) { stage.onEach(command); };
}

} // namespace

QList<EndForm> endForms()
{
    const QByteArray waiter = threadOf(9);
    return {
        {"redsync", "lock:", {"SET %K %O PX %L"}, base64Of(16), base64Of(16)},
        {"redis-py", "lock:", {"SET %K %O PX %L"}, timeUuid(1), timeUuid(2)},
        {"redisson", "lock:", {"HSET %K %O 1", "PEXPIRE %K %L"}, threadOf(1), threadOf(2)},
        {"redisson-fair",
         "lock:",
         {"HSET %K %O 1", "PEXPIRE %K %L", "RPUSH redisson_lock_queue:{%K} " + waiter,
          "ZADD redisson_lock_timeout:{%K} 99999999999999 " + waiter},
         threadOf(1),
         threadOf(2)},
        {"shedlock", "job-lock:default:", {"SET %K %O PX %L"}, addedAt("one"), addedAt("two")},
        {"read-write",
         "lock:",
         {"HSET %K mode read %O 1 %P 1", "PEXPIRE %K %L", "SET {%K}:%O:rwlock_timeout:1 1 PX %L",
          "SET {%K}:%P:rwlock_timeout:1 1 PX %L"},
         threadOf(1),
         threadOf(2),
         true,
         true},
        {"python-redis-lock", "lock:", {"SET %K %O PX %L"}, base64Of(18), base64Of(18)},
        {"no lease",
         "lock:",
         {"SET %K %O"},
         QUuid::createUuid().toByteArray(QUuid::WithoutBraces),
         QUuid::createUuid().toByteArray(QUuid::WithoutBraces),
         false},
    };
}

QByteArrayList filledIn(const QByteArrayList &lines, const EndCase &lock, int leaseMs, bool isNext)
{
    QByteArrayList filled = lines;
    const EndForm &form = lock.form;
    // Of several readers neither stays.
    const QByteArray owner = !isNext ? form.owner : form.isShared ? form.other + '3' : form.other;
    const QByteArray other = isNext && form.isShared ? form.other + '4' : form.other;
    for (QByteArray &line : filled)
        line.replace("%K", lock.key)
            .replace("%O", owner)
            .replace("%P", other)
            .replace("%L", QByteArray::number(leaseMs));
    return filled;
}

QList<EndCause> endCauses()
{
    using Wants = EndCause::Wants;
    using Kind = EndCause::Kind;
    return {
        {.name = "DEL", .truth = "released", .lines = {"DEL %K"}},
        {.name = "UNLINK", .truth = "released", .lines = {"UNLINK %K"}},
        {.name = "PEXPIRE 0", .truth = "released", .lines = {"PEXPIRE %K 0"}},
        {.name = "EXPIREAT, in the past", .truth = "released", .lines = {"EXPIREAT %K 1"}},
        {.name = "a library's release", .truth = "released", .deed = releaseByScript},
        {.name = "its lease", .truth = "expired", .kind = Kind::Expires},
        {.name = "a shortened lease", .truth = "expired", .lines = {"PEXPIRE %K 60"}},
        {.name = "a lease shortened by SET",
         .truth = "expired",
         .lines = {"SET %K %O PX 60"},
         .wants = Wants::String},
        {.name = "evicted, volatile-lru",
         .truth = "evicted",
         .deed = evictBy("volatile-lru"),
         .wants = Wants::Lease},
        {.name = "evicted, allkeys-random", .truth = "evicted", .deed = evictBy("allkeys-random")},
        {.name = "FLUSHALL", .truth = "flushed", .deed = onEachPrimary({"FLUSHALL"})},
        {.name = "FLUSHDB", .truth = "flushed", .deed = onEachPrimary({"FLUSHDB", "ASYNC"})},
        {.name = "restart without data",
         .truth = "flushed",
         .deed = [](EndStage &stage, const QList<EndCase> &) { stage.restartEmpty(); },
         .where = EndCause::OnOne,
         .isLast = true},
        {.name = "a document in its place",
         .truth = "overwritten",
         .lines = {R"(SET %K {"some":"document","of":[1,2,3]})"}},
        {.name = "a list in its place",
         .truth = "overwritten",
         .lines = {"RPUSH other:{%K} 2 1", "SORT other:{%K} STORE %K"}},
        {.name = "another renamed to it",
         .truth = "overwritten",
         .lines = {R"(SET other:{%K} {"some":"document","of":[1,2,3]})", "RENAME other:{%K} %K"}},
        {.name = "RENAME", .truth = "renamed", .lines = {"RENAME %K gone:{%K}"}},
        {.name = "MOVE", .truth = "renamed", .lines = {"MOVE %K 3"}, .where = EndCause::NoCluster},
        {.name = "SWAPDB",
         .truth = "renamed",
         .deed = onEachPrimary({"SWAPDB", "0", "1"}),
         .where = EndCause::NoCluster},
        {.name = "force-expire", .truth = "forced", .deed = forceExpire, .where = EndCause::NoCluster},
        {.name = "failover",
         .truth = "failover",
         .deed = [](EndStage &stage, const QList<EndCase> &) { stage.failOver(); },
         .where = EndCause::OnGroup,
         .isLast = true},
        {.name = "handed on, DEL", .truth = "released", .lines = {"DEL %K"}, .kind = Kind::Handed},
        {.name = "handed on, PEXPIRE 0",
         .truth = "released",
         .lines = {"PEXPIRE %K 0"},
         .kind = Kind::Handed},
        {.name = "handed on, RENAME",
         .truth = "renamed",
         .lines = {"RENAME %K gone:{%K}"},
         .kind = Kind::Handed},
        {.name = "handed on, SET", .truth = "overwritten", .kind = Kind::Handed, .wants = Wants::String},
        {.name = "handed on, its lease", .truth = "expired", .deed = takeAfterExpiry, .kind = Kind::Expires},
        {.name = "one reader leaves",
         .truth = "released",
         .lines = {"HDEL %K %P"},
         .kind = Kind::OneLeaves,
         .wants = Wants::Shared},
    };
}

} // namespace lockscope
