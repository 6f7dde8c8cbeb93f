// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/servercounters.h"

#include "core/redis/info.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockscope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view statHead = "cmdstat_";
constexpr std::array renaming{"rename"sv, "renamenx"sv, "move"sv, "migrate"sv};
/// Commands that may delete keys, besides those of modules (with a dot). An expiry in the past deletes at
/// once, and the last element takes its key with it.
constexpr std::array deleting{"del"sv,
                              "unlink"sv,
                              "getdel"sv,
                              "getex"sv,
                              "expire"sv,
                              "pexpire"sv,
                              "expireat"sv,
                              "pexpireat"sv,
                              "restore"sv,
                              "copy"sv,
                              "sort"sv,
                              "bitop"sv,
                              "eval"sv,
                              "evalsha"sv,
                              "fcall"sv,
                              "hdel"sv,
                              "hgetdel"sv,
                              "hgetex"sv,
                              "hsetex"sv,
                              "hexpire"sv,
                              "hpexpire"sv,
                              "hexpireat"sv,
                              "hpexpireat"sv,
                              "lpop"sv,
                              "rpop"sv,
                              "blpop"sv,
                              "brpop"sv,
                              "lmpop"sv,
                              "blmpop"sv,
                              "lmove"sv,
                              "blmove"sv,
                              "rpoplpush"sv,
                              "brpoplpush"sv,
                              "lrem"sv,
                              "ltrim"sv,
                              "srem"sv,
                              "spop"sv,
                              "smove"sv,
                              "sinterstore"sv,
                              "sunionstore"sv,
                              "sdiffstore"sv,
                              "zrem"sv,
                              "zpopmin"sv,
                              "zpopmax"sv,
                              "bzpopmin"sv,
                              "bzpopmax"sv,
                              "zmpop"sv,
                              "bzmpop"sv,
                              "delex"sv,
                              "delifeq"sv,
                              "zremrangebyscore"sv,
                              "zremrangebyrank"sv,
                              "zremrangebylex"sv,
                              "zrangestore"sv,
                              "zinterstore"sv,
                              "zunionstore"sv,
                              "zdiffstore"sv,
                              "geosearchstore"sv,
                              "georadius"sv,
                              "georadiusbymember"sv};

bool isAmong(std::string_view name, std::span<const std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

/// "cmdstat_name:calls=12,…"
void count(std::string_view line, ServerCounters &counters)
{
    const size_t end = line.find(":calls=");
    if (end == line.npos)
        return;
    const std::string_view name = line.substr(statHead.size(), end - statHead.size());
    const std::string_view rest = line.substr(end + ":calls="sv.size());
    const qint64 calls =
        QByteArrayView(rest).first(qsizetype(std::min(rest.find(','), rest.size()))).toLongLong();
    if (name == "flushall" || name == "flushdb")
        counters.flushes += calls;
    else if (name == "swapdb")
        counters.swaps += calls;
    else if (isAmong(name, renaming))
        counters.renames += calls;
    else if (isAmong(name, deleting) || name.find('.') != name.npos)
        counters.deletions += calls;
}

ServerCounters::Evicts evictsBy(const QByteArray &policy)
{
    if (policy == "noeviction")
        return ServerCounters::Evicts::Nothing;
    return policy.startsWith("volatile-") ? ServerCounters::Evicts::KeysWithTtl
                                          : ServerCounters::Evicts::AnyKey;
}

} // namespace

std::span<const QByteArrayView> ServerCounters::question(bool takesSections)
{
    static constexpr std::array<QByteArrayView, 5> some{"INFO", "server", "stats", "memory", "commandstats"};
    static constexpr std::array<QByteArrayView, 2> all{"INFO", "all"};
    return takesSections ? std::span<const QByteArrayView>(some) : all;
}

ServerCounters ServerCounters::from(const QByteArray &info, TimePoint at)
{
    ServerCounters counters;
    counters.at = at;
    counters.expired = infoNumber(info, "expired_keys").value_or(0);
    counters.evicted = infoNumber(info, "evicted_keys").value_or(0);
    counters.policy = infoField(info, "maxmemory_policy");
    counters.countsCommands = info.contains("\ncmdstat_info:"); // which our login has sent
    // Where it isn't told how much is too much, it may be.
    if (infoNumber(info, "maxmemory").value_or(1) > 0)
        counters.evicts = evictsBy(counters.policy);
    const std::string_view text(info.constData(), size_t(info.size()));
    for (size_t line = text.find(statHead); line != text.npos; line = text.find(statHead, line + 1))
        count(text.substr(line, text.find('\n', line) - line), counters);
    return counters;
}

} // namespace lockscope
