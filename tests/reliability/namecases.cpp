// SPDX-License-Identifier: GPL-3.0-or-later
// Names of keys that are bad for tables, terminals and patterns.
#include "tests/reliability/inputcase.h"

namespace lockscope {

namespace {

/// A lock under this name, seen by the monitor and by the commands.
std::function<void(InputProbe &)> named(const QByteArrayList &names)
{
    return [names](InputProbe &probe) {
        std::vector<QByteArrayList> commands;
        for (const QByteArray &name : names)
            commands.push_back({"SET", name, "7c9e6679-7425-40de-944b-e07fc1f90ae7", "PX", "600000"});
        const ServerAddress server = probe.server(commands).socketAddress();
        const QByteArrayList seen = probe.watch(server);
        for (const QByteArray &name : names)
            probe.check(name.isEmpty() || seen.contains(name), "a name is not shown: " + name.left(40));
        probe.commands(probe.bySocket(), names[0]);
    };
}

} // namespace

std::vector<InputCase> nameCases()
{
    return {
        {"B01", "an empty name", named({"", "lock:a"})},
        {"B02", "NUL in a name", named({QByteArray("lock:a\0b", 8), "lock:a"}), true},
        {"B03", "line ends and tabs in a name", named({"lock:a\r\nlock:b\tc"})},
        {"B04", "names that differ in bytes that are no text", named({"lock:\xff\xfe", "lock:\xff\xfd"}),
         true},
        {"B05", "a name of 0xff alone", named({QByteArray(40, '\xff')})},
        {"B06", "a name of 10 MB", named({"lock:" + QByteArray(10 * 1024 * 1024, 'x')})},
        {"B07", "names that turn the direction of text",
         named({"lock:\xe2\x80\xae"
                "gpj.exe",
                "lock:\xe2\x81\xa6x"})},
        {"B08", "emoji and 100,000 combining marks",
         named({"lock:a" + QByteArray("\xcc\x81").repeated(100'000),
                "lock:\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xa7"})},
        {"B09", "names that are HTML",
         named({"lock:<img src='/etc/passwd'>", "lock:<a href=x>", "lock:&lt;"})},
        {"B10", "names with place-holders", named({"lock:%1%2%n%L1", "lock:{}", "lock:&File"})},
        {"B11", "names that look alike", named({"lock:a ", "lock:a", "lock:\xd0\xb0"})},
        {"B12", "names and patterns with wildcards",
         [](InputProbe &probe) {
             const ServerAddress server =
                 probe.server({{"SET", "lock[1]:a", "t"}, {"SET", "lock1:a", "t"}, {"SET", "lock*?:a", "t"}})
                     .socketAddress();
             probe.check(probe.watch(server, {"lock\\[1\\]:*"}) == QByteArrayList{"lock[1]:a"},
                         "an escaped pattern is not kept");
             for (const char *pattern :
                  {"[", "[^", "[a-", "\\", "**********************a", "", "[]", "[^]*", "a[\\"})
                 probe.watch(server, {pattern}, std::chrono::seconds(2), false);
             probe.command(probe.bySocket() +
                           QByteArrayList{"--pattern", QByteArray("*a").repeated(5000), "list"});
         },
         true},
        {"B13", "names with odd hash tags", named({"lock:{}{a}", "lock:{a", "lock:}a{", "{}lock:a"})},
        {"B14", "names that command a terminal",
         named({"lock:\x1b[31m\x1b]0;x\x07\x9b"
                "2J",
                "lock:\xc2\x9b"
                "2J"}),
         true},
    };
}

} // namespace lockscope
