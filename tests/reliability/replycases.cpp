// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that say what no server says, and connections that carry what none should.
#include "core/redis/connection.h"
#include "tests/reliability/await.h"
#include "tests/reliability/inputcase.h"
#include "tests/support/faultproxy.h"
#include "tests/support/hostileserver.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Answer = FakePeer::Answer;
constexpr auto aWhile = 1500ms;

QByteArrayList at(const FakePeer &peer)
{
    return {"-h", "127.0.0.1", "-p", QByteArray::number(peer.port())};
}

void face(InputProbe &probe, const FakePeer &peer)
{
    probe.watch(peer.address(), {"*"}, aWhile, false);
    probe.command(at(peer) + QByteArrayList{"--json", "list"});
    probe.command(at(peer) + QByteArrayList{"--json", "force-expire", "lock:1", "--expect-owner", "x"});
}

/// These bytes in place of the answer to SCAN, to a read, to an action, to the login.
std::function<void(InputProbe &)> answering(const Answer &answer)
{
    return [answer](InputProbe &probe) {
        for (const char *command : {"SCAN", "PTTL", "GETRANGE", "EVALSHA", "INFO", "CLIENT"}) {
            HostileServer peer;
            peer.on(command, answer);
            probe.watch(peer.address(), {"*"}, aWhile / 3, false);
            if (command == QByteArrayView("SCAN"))
                probe.command(at(peer) + QByteArrayList{"--json", "list"});
            if (command == QByteArrayView("EVALSHA"))
                probe.command(at(peer) +
                              QByteArrayList{"--json", "force-expire", "lock:1", "--expect-owner", "x"});
        }
    };
}

std::function<void(InputProbe &)> greeting(const QByteArray &bytes)
{
    return [bytes](InputProbe &probe) {
        HostileServer peer;
        peer.onConnect(bytes);
        face(probe, peer);
    };
}

void pushing(InputProbe &probe, const QByteArrayList &messages)
{
    HostileServer peer;
    Connection::Options options;
    QTimer timer;
    qsizetype next = 0;
    QObject::connect(&timer, &QTimer::timeout, &timer,
                     [&] { peer.push(messages[next++ % messages.size()]); });
    timer.start(30ms);
    probe.watch(peer.address(), {"*"}, aWhile, false);
}

} // namespace

std::vector<InputCase> replyCases()
{
    return {
        {"B32", "a value of nine exabytes", answering("$9223372036854775807\r\n"), true},
        {"B33", "an array of a billion", answering("*1000000000\r\n")},
        {"B34", "half a million elements of four bytes, and a million",
         [](InputProbe &probe) {
             answering("*500000\r\n" + QByteArray(":1\r\n").repeated(500'000))(probe);
             answering("*1000000\r\n" + QByteArray(":1\r\n").repeated(1'000'000))(probe);
         }},
        {"B35", "a nesting without end", answering(QByteArray("*1\r\n").repeated(100'000))},
        {"B36", "a line of 64 MB", answering("+" + QByteArray(64 * 1024 * 1024, 'x'))},
        {"B37", "a value that does not end where it says", answering("$1\r\naXX"), true},
        {"B38", "other protocols",
         [](InputProbe &probe) {
             greeting("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")(probe);
             greeting("SSH-2.0-OpenSSH_9.2p1\r\n")(probe);
             greeting(QByteArray("\x15\x03\x01\x00\x02\x02\x0a", 7))(probe);
             HostileServer sentinel;
             sentinel.setServer("7.0.15", "sentinel");
             sentinel.on("SCAN", "-ERR unknown command 'SCAN'\r\n");
             face(probe, sentinel);
         }},
        {"B39", "RESP3 and replies that nobody asked for",
         [](InputProbe &probe) {
             answering("%1\r\n+a\r\n+b\r\n")(probe);
             answering(">2\r\n+invalidate\r\n*0\r\n")(probe);
             greeting("+OK\r\n")(probe);
             pushing(probe, {"+OK\r\n", ":1\r\n", "*0\r\n"});
         }},
        {"B40", "replies byte by byte, and slower",
         [](InputProbe &probe) {
             HostileServer peer;
             peer.on("SCAN", {"*2\r\n$1\r\n0\r\n*1\r\n$6\r\nlock:1\r\n", 1});
             peer.on("GETRANGE", {"$36\r\n7c9e6679-7425-40de-944b-e07fc1f90ae7\r\n", 1});
             face(probe, peer);
             FaultProxy slow(probe.server({{"SET", "lock:1", "x"}}).socketAddress());
             slow.setWeather({.bytesPerSecond = 50});
             probe.watch(slow.address(), {"*"}, 3s, false);
         }},
        {"B41", "connections that end half, hard or not at all",
         [](InputProbe &probe) {
             answering(Answer("*2\r\n$1").halfClose())(probe);
             answering(Answer("*2\r\n$1").reset())(probe);
             answering(Answer().hold())(probe);
             FaultProxy hole(probe.server().socketAddress());
             hole.setWeather({.blackHole = true});
             probe.watch(hole.address(), {"*"}, aWhile, false);
         },
         true},
        {"B42", "messages before the subscription is confirmed",
         [](InputProbe &probe) {
             HostileServer peer;
             peer.on("SUBSCRIBE",
                     Answer("*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n*1\r\n$6\r\nlock:1\r\n")
                         .hold());
             probe.watch(peer.address(), {"*"}, aWhile, false);
         }},
        {"B43", "error texts that are long or command a terminal",
         [](InputProbe &probe) {
             answering("-ERR \x1b[2J\x1b]0;x\x07 \xc2\x9b"
                       "2J \xe2\x80\xae"
                       "drowssap\r\n")(probe);
             answering("-" + QByteArray(60'000, 'x') + "\r\n")(probe);
             answering("-" + QByteArray(100'000, 'x') + "\r\n")(probe);
         },
         true},
        {"B44", "redirections to nowhere",
         [](InputProbe &probe) {
             for (const char *text : {"-MOVED 1 :0\r\n", "-MOVED 1 ?:99999\r\n", "-MOVED\r\n",
                                      "-ASK 99999 127.0.0.1:1\r\n", "-MOVED 3999 127.0.0.1:6381\r\n"})
                 answering(text)(probe);
         }},
        {"B45", "CLUSTER SLOTS that contradict themselves", {}}, // clusters are not followed yet
        {"B46", "Sentinels that disagree", {}},                  // Sentinels are not asked yet
        {"B47", "INFO that is huge, empty or odd",
         [](InputProbe &probe) {
             for (const QByteArray &info :
                  {QByteArray(), QByteArray("redis_version:255.255.255\r\n"),
                   QByteArray("redis_version:99999999999999999999.x\r\nrole:\r\nredis_mode:\x1b[2J\r\n"),
                   "x:" + QByteArray(15 * 1024 * 1024, 'y') + "\r\n",
                   QByteArray("cmdstat_scan:calls=nan,usec=inf\r\ncmdstat_pttl:calls=-1,usec=1e400\r\n")}) {
                 HostileServer peer;
                 peer.on("INFO", QByteArray('$' + QByteArray::number(info.size()) + "\r\n" + info + "\r\n"));
                 face(probe, peer);
             }
         }},
        {"B48", "a server's clock that jumps", {}}, // the row of faults has it
        {"B49", "forged announcements",
         [](InputProbe &probe) {
             const QByteArray head = "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n";
             pushing(probe, {head + "$6\r\nforged\r\n", head + "*2\r\n$-1\r\n:7\r\n",
                             head + "*1\r\n*1\r\n+x\r\n", head + "*0\r\n", head + "$-1\r\n", head + ":1\r\n",
                             head + "*100000\r\n" + QByteArray("$6\r\nlock:1\r\n").repeated(100'000)});
         },
         true},
        {"B50", "certificates", {}}, // tests/core/redis/tst_tls.cpp
    };
}

} // namespace lockscope
