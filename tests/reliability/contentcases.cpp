// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of keys that are no lock, hardly one, or more than anybody should read.
#include "tests/reliability/await.h"
#include "tests/reliability/inputcase.h"
#include "tests/support/lockwriter.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Commands = std::vector<QByteArrayList>;

/// These contents, seen by the monitor and by the commands.
std::function<void(InputProbe &)> holding(const Commands &commands, const QByteArray &key = "lock:a")
{
    return [=](InputProbe &probe) {
        const ServerAddress server = probe.server(commands).socketAddress();
        probe.watch(server);
        probe.commands(probe.bySocket(), key);
        for (const char *family : {"reentrant", "token", "redisson"}) {
            probe.command(probe.bySocket() + QByteArrayList{"--json", "acquire", key, "--owner", "me",
                                                            "--lease", "9", "--family", family});
            probe.command(probe.bySocket() + QByteArrayList{"--json", "force-expire", key, "--expect-owner",
                                                            "nobody", "--family", family});
        }
    };
}

/// Keys that change while they are read.
void churn(InputProbe &probe)
{
    const ServerAddress server = probe.server().socketAddress();
    LockWriter writer({.server = server, .seed = 7, .locks = 300, .perSecond = 4000, .upheaval = 300ms});
    probe.watch(server, {"*"}, 2s, false);
    probe.command(probe.bySocket() + QByteArrayList{"--json", "list"});
    writer.stop();
    probe.check(writer.failure().isEmpty(), "the writer failed: " + writer.failure());
}

} // namespace

std::vector<InputCase> contentCases()
{
    Commands everyType{{"LPUSH", "lock:list", "x"},          {"SADD", "lock:set", "x"},
                       {"ZADD", "lock:zset", "1", "x"},      {"XADD", "lock:stream", "*", "a", "b"},
                       {"SET", "lock:string", "x"},          {"HSET", "lock:hash", "a", "b"},
                       {"PFADD", "lock:hll", "a"},           {"SETBIT", "lock:bits", "100000", "1"},
                       {"GEOADD", "lock:geo", "1", "1", "x"}};
    Commands counts;
    int number = 0;
    for (const char *count :
         {"abc", "1.0", " 1", "", "1e3", "0x1", "+1", "\xff", "-1", "0", "9223372036854775807",
          "-9223372036854775808", "99999999999999999999999", "1\n"})
        counts.push_back({"HSET", "lock:" + QByteArray::number(number++), "me", count});
    return {
        {"B15", "every other type under a lock's name",
         [everyType](InputProbe &probe) {
             holding(everyType, "lock:stream")(probe);
             for (const char *key : {"lock:list", "lock:set", "lock:zset", "lock:hll"})
                 probe.command(probe.bySocket() + QByteArrayList{"--json", "get", key});
         },
         true},
        {"B16", "a hash with several fields",
         holding({{"HSET", "lock:a", "x", "1", "y", "2", "z", "3", "mode", "read"}})},
        {"B17", "counts that are none", holding(counts, "lock:0")},
        {"B18", "counts of 0 and below",
         holding({{"HSET", "lock:a", "me", "0"}, {"HSET", "lock:b", "me", "-5"}})},
        {"B19", "the greatest count", holding({{"HSET", "lock:a", "me", "9223372036854775807"}})},
        {"B20", "owners that are empty, of 100 MB, of control characters",
         [](InputProbe &probe) {
             probe.server({{"SET", "lock:a", ""},
                           {"HSET", "lock:b", "", "1"},
                           {"HSET", "lock:c", QByteArray("\x1b[2J\r\n\0\x7f", 8), "1"},
                           {"EVAL", "redis.call('hset', 'lock:d', string.rep('x', 100000000), 1)", "0"}});
             probe.watch(probe.server().socketAddress());
             probe.commands(probe.bySocket(), "lock:d");
             probe.commands(probe.bySocket(), "lock:c");
         }},
        {"B21", "no expiry", holding({{"SET", "lock:a", "x"}, {"HSET", "lock:b", "me", "1"}})},
        {"B22", "an expiry beyond all calendars",
         holding({{"SET", "lock:a", "x"},
                  {"PEXPIRE", "lock:a", "9000000000000000000"},
                  {"SET", "lock:b", "x", "PX", "1"}}),
         true},
        {"B23", "leases of a millisecond", churn},
        {"B24", "keys that go while they are read", churn},
        {"B25", "a hash of a million fields",
         [](InputProbe &probe) {
             probe.server(
                 {{"EVAL", "for i = 1, 1000000 do redis.call('hset', 'lock:a', 'f' .. i, i) end", "0"}});
             probe.watch(probe.server().socketAddress());
             probe.commands(probe.bySocket(), "lock:a");
         }},
        {"B26", "a string of 256 MB",
         [](InputProbe &probe) {
             probe.server({{"SETRANGE", "lock:a", "268435455", "x"}});
             probe.watch(probe.server().socketAddress());
             probe.commands(probe.bySocket(), "lock:a");
         }},
        {"B27", "keys that change their type while they are read", churn, true},
        {"B28", "100,000 locks",
         [](InputProbe &probe) {
             probe.server({{"DEBUG", "POPULATE", "100000", "lock", "30"}});
             const QByteArrayList seen = probe.watch(probe.server().socketAddress(), {"lock:*"}, 60s);
             probe.check(seen.size() == 100'000, QByteArray::number(seen.size()) + " of 100,000 are shown");
             probe.command(probe.bySocket() + QByteArrayList{"--json", "list"}, {}, 60s);
         }},
        {"B29", "a pattern that matches everything",
         [](InputProbe &probe) {
             probe.server({{"DEBUG", "POPULATE", "20000", "anything", "30"}});
             probe.watch(probe.server().socketAddress(), {"*"}, 30s);
             probe.command(probe.bySocket() + QByteArrayList{"--json", "--pattern", "*", "list"}, {}, 30s);
         }},
        {"B30", "one name in several databases",
         [](InputProbe &probe) {
             probe.server({{"SET", "lock:a", "zero"}, {"SELECT", "1"}, {"SET", "lock:a", "one"}});
             probe.check(
                 probe.command(probe.bySocket() + QByteArrayList{"-n", "1", "--json", "get", "lock:a"})
                     .out.contains("one"),
                 "the database is mistaken");
             probe.command(probe.bySocket() + QByteArrayList{"-n", "99", "list"});
         }},
        {"B31", "fields with an expiry of their own", {}}, // Redis 7.4
    };
}

} // namespace lockscope
