// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/faultkinds.h"

#include <QDir>

#include <algorithm>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// Ends every connection of the session, past its own will.
void killClients(Stage &stage)
{
    const Result<Reply> list = stage.ask({"CLIENT", "LIST"});
    for (const QByteArray &line : list ? list->text.split('\n') : QByteArrayList()) {
        if (line.contains(" name=lockscope"))
            stage.ask({"CLIENT", "KILL", "ID", line.sliced(3, line.indexOf(' ') - 3)});
    }
}

void weather(Stage &stage, const FaultProxy::Weather &weather)
{
    stage.proxy().setWeather(weather);
}

void clearSky(Stage &stage)
{
    stage.proxy().setWeather({});
}

/// So many keys that loading them, at a millisecond each, takes its time.
void reloadSlowly(Stage &stage)
{
    CommandBatch batch;
    for (int i = 0; i < 1000; ++i)
        batch.add({"SET", "filler:" + QByteArray::number(i), "x"});
    auto connection = stage.another();
    std::ignore = connection->send(batch);
    std::ignore = connection->send({"CONFIG", "SET", "loading-process-events-interval-bytes", "1024"});
    std::ignore = connection->send({"CONFIG", "SET", "key-load-delay", "1000"});
    std::jthread([connection = std::move(connection)] {
        std::ignore = connection->send({"DEBUG", "RELOAD"});
        std::ignore = connection->send({"CONFIG", "SET", "key-load-delay", "0"});
        std::ignore =
            connection->send({"EVAL", "for i = 0, 999 do redis.call('del', 'filler:' .. i) end", "0"});
    }).detach();
}

/// Until the server does again what it is asked.
void waitForReads(Stage &stage)
{
    for (int i = 0; i < 400 && !stage.ask({"DBSIZE"}); ++i)
        std::this_thread::sleep_for(25ms);
}

void beBusy(Stage &stage)
{
    stage.ask({"CONFIG", "SET", "busy-reply-threshold", "20"});
    std::jthread([connection = stage.another()] {
        // Not by the time: a script sees it stand still.
        std::ignore = connection->send({"EVAL", "for i = 1, 60000000 do end return 1", "0"});
    }).detach();
}

/// A snapshot can't be written where a directory has its name.
void failToSave(Stage &stage)
{
    QDir(stage.server().directory()).mkdir(QStringLiteral("dump.rdb"));
    stage.ask({"CONFIG", "SET", "save", "3600 1"});
    stage.ask({"BGSAVE"});
    for (int i = 0; i < 100; ++i) {
        const Result<Reply> info = stage.ask({"INFO", "persistence"});
        if (info && info->text.contains("rdb_last_bgsave_status:err"))
            return;
        std::this_thread::sleep_for(10ms);
    }
    qWarning("the snapshot did not fail");
}

void saveAgain(Stage &stage)
{
    QDir(stage.server().directory()).rmdir(QStringLiteral("dump.rdb"));
    stage.ask({"BGSAVE"});
    for (int i = 0; i < 100; ++i) {
        const Result<Reply> info = stage.ask({"INFO", "persistence"});
        if (info && info->text.contains("rdb_last_bgsave_status:ok"))
            break;
        std::this_thread::sleep_for(10ms);
    }
    stage.ask({"CONFIG", "SET", "save", ""});
    QFile::remove(QDir(stage.server().directory()).filePath(QStringLiteral("dump.rdb")));
}

/// Every fault of the server, by what its administrator or its machine does.
std::vector<FaultKind> serverFaults()
{
    return {
        {"kill -9", false, [](Stage &stage) { stage.server().kill(); },
         [](Stage &stage) { stage.server().start(); }},
        {"freeze", false, [](Stage &stage) { stage.server().pause(); },
         [](Stage &stage) { stage.server().resume(); }, 4500ms},
        {"loading", false, reloadSlowly, waitForReads},
        {"busy", false, beBusy, waitForReads},
        {"misconf", false, failToSave, saveAgain},
        {"oom", false,
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "maxmemory", "1"});
         },
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "maxmemory", "0"});
         }},
        {"maxclients", false,
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "maxclients", "1"});
             killClients(stage);
         },
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "maxclients", "10000"});
         },
         2500ms},
        {"buffer kill", false,
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 16 0 0 normal 0 0 0"});
         },
         [](Stage &stage) {
             stage.ask({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 33554432 8388608 60"});
         }},
        {"acl: reading", false,
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "-getrange", "-hscan", "-pttl"});
         },
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "+@all"});
         },
         1500ms, false, true},
        {"acl: keys", false,
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "resetkeys", "~other:*"});
         },
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "~*"});
         },
         1500ms, false, true},
        {"acl: scan", false,
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "-scan"});
         },
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "+@all"});
         },
         1500ms, false, true},
        {"password", false,
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "resetpass", ">another"});
             killClients(stage);
         },
         [](Stage &stage) {
             stage.ask({"ACL", "SETUSER", "watcher", "resetpass", ">w"});
         },
         1000ms, true},
        {"flushall", false, [](Stage &stage) { stage.ask({"FLUSHALL"}); }, [](Stage &) {}, 300ms},
        {"swapdb", false,
         [](Stage &stage) {
             stage.ask({"SWAPDB", "0", "1"}); // what is in the other one was left there by the time before
         },
         [](Stage &) {}, 300ms},
        {"clock, a minute ahead", false, [](Stage &stage) { stage.setClock(1min); },
         [](Stage &stage) { stage.setClock(0min); }, 1500ms},
        {"clock, an hour back", false, [](Stage &stage) { stage.setClock(-1h); },
         [](Stage &stage) { stage.setClock(0h); }, 1500ms},
        {"clock, stays ahead", false, [](Stage &stage) { stage.setClock(20min); }, [](Stage &) {}, 300ms},
    };
}

std::vector<FaultKind> wireFaults()
{
    const auto once = [](auto act) { return [act](Stage &stage) { act(stage.proxy()); }; };
    const auto nothing = [](Stage &) {};
    return {
        {"wire: slow", true, [](Stage &stage) { weather(stage, {.delay = 150ms, .jitter = 250ms}); },
         clearSky},
        {"wire: trickle", true, [](Stage &stage) { weather(stage, {.bytesPerSecond = 400}); }, clearSky,
         2000ms},
        {"wire: cut", true, once([](FaultProxy &proxy) { proxy.cutAll(FaultProxy::Cut::End); }), nothing,
         100ms},
        {"wire: reset", true, once([](FaultProxy &proxy) { proxy.cutAll(FaultProxy::Cut::Reset); }), nothing,
         100ms},
        {"wire: half-closed", true, once([](FaultProxy &proxy) { proxy.cutAll(FaultProxy::Cut::Half); }),
         nothing, 100ms},
        {"wire: black hole", true, [](Stage &stage) { weather(stage, {.blackHole = true}); }, clearSky,
         4500ms},
        {"wire: refused", true,
         [](Stage &stage) {
             weather(stage, {.refuses = true});
             stage.proxy().cutAll(FaultProxy::Cut::Reset);
         },
         clearSky, 2500ms},
        {"wire: a corrupt byte", true, once([](FaultProxy &proxy) { proxy.corruptNext(); }), nothing, 300ms},
        {"wire: a reply twice", true, once([](FaultProxy &proxy) { proxy.duplicateNext(); }), nothing, 300ms},
        {"wire: forged reply", true, once([](FaultProxy &proxy) { proxy.inject("+OK\r\n"); }), nothing,
         100ms},
        {"wire: forged message", true, once([](FaultProxy &proxy) {
             proxy.inject("*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n$6\r\nlock:1\r\n");
         }),
         nothing, 100ms},
        {"wire: garbage", true,
         once([](FaultProxy &proxy) { proxy.inject("\x16\x03\x01 HTTP/1.1 400\r\n\r\n"); }), nothing, 100ms},
        {"wire: endless bulk", true,
         once([](FaultProxy &proxy) { proxy.inject("$9223372036854775807\r\nx"); }), nothing, 100ms},
    };
}

} // namespace

std::vector<FaultKind> faultKinds()
{
    std::vector<FaultKind> kinds = serverFaults();
    for (FaultKind &kind : wireFaults())
        kinds.push_back(std::move(kind));
    const auto isOneOf = [](const FaultKind &kind, std::initializer_list<QByteArrayView> names) {
        return std::ranges::find(names, QByteArrayView(kind.name)) != names.end();
    };
    for (FaultKind &kind : kinds) {
        kind.takesChanges = !isOneOf(kind, {"kill -9", "freeze", "loading", "busy", "misconf", "oom"});
        kind.brief = isOneOf(kind, {"kill -9", "loading", "misconf", "maxclients", "acl: reading", "password",
                                    "flushall", "swapdb", "clock, a minute ahead", "wire: half-closed",
                                    "wire: black hole", "wire: a corrupt byte", "wire: forged reply"});
    }
    return kinds;
}

} // namespace lockscope
