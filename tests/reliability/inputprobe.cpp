// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/printable.h"
#include "core/model/names.h"
#include "core/monitor/session.h"
#include "core/redis/blockingconnection.h"
#include "core/words/messages.h"
#include "tests/reliability/await.h"
#include "tests/reliability/inputcase.h"
#include "tests/support/told.h"

#include <QFile>
#include <QJsonDocument>

#include <algorithm>
#include <cstdio>
#include <future>

#include <sys/resource.h>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// "VmHWM:  1234 kB" in MB.
double residentPeak()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("VmHWM:"))
            return line.simplified().split(' ').value(1).toDouble() / 1024;
    }
    return 0;
}

double childrenPeak()
{
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A byte that a terminal obeys: no text of ours has any but line ends.
bool obeys(const QByteArray &text)
{
    for (const char c : text) {
        if ((static_cast<uchar>(c) < 0x20 && c != '\n') || c == 0x7f)
            return true;
    }
    // U+0080 to U+009F, and the marks that turn the direction of what follows
    const QString decoded = QString::fromUtf8(text);
    return std::ranges::any_of(decoded, [](QChar c) {
        return (c.unicode() >= 0x80 && c.unicode() < 0xa0) ||
               (c.unicode() >= 0x202a && c.unicode() <= 0x202e) ||
               (c.unicode() >= 0x2066 && c.unicode() <= 0x2069);
    });
}

} // namespace

InputProbe::InputProbe()
{
    // Before anything is measured: a program that only says its name.
    runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), {"--version"});
    m_commandBefore = childrenPeak();
    m_residentBefore = residentPeak();
}

void InputProbe::noteBlocked(std::chrono::steady_clock::duration time)
{
    m_longestBlocked = std::max(m_longestBlocked, std::chrono::duration<double, std::milli>(time).count());
}

void InputProbe::timed(const std::function<void()> &part)
{
    const auto begun = std::chrono::steady_clock::now();
    part();
    noteBlocked(std::chrono::steady_clock::now() - begun);
}

void InputProbe::check(bool holds, const QByteArray &otherwise)
{
    if (!holds)
        m_flaws << otherwise;
}

QByteArrayList InputProbe::watch(const ServerAddress &server, const QByteArrayList &patterns,
                                 std::chrono::milliseconds most, bool untilSwept)
{
    Session::Options options;
    options.monitor.patterns = patterns;
    options.auditPath = m_directory.filePath(QStringLiteral("audit.jsonl"));
    Session session(server, options);
    QHash<QByteArray, WatchedLock> table;
    bool scanFinished = false;
    onTold<LockDiff>(session, &session, [&](const LockDiff &diff) {
        for (const LockKey &key : diff.removed)
            table.remove(key.bytes);
        for (const WatchedLock &lock : diff.changed)
            table.insert(lock.key().bytes, lock);
    });
    onTold<ScanStats>(session, &session, [&] { scanFinished = true; });
    session.open();
    const auto end = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < end && !(untilSwept && scanFinished)) {
        // Refused before anything is sent: how long it takes is how long the session's thread is at something else.
        const auto asked = std::chrono::steady_clock::now();
        await(session.run({}), 30s);
        noteBlocked(std::chrono::steady_clock::now() - asked);
        runFor(20ms);
    }
    if (untilSwept)
        check(scanFinished, "no sweep came through");
    timed([&] { // what a table or a line shows of them
        for (const WatchedLock &lock : std::as_const(table)) {
            printable(lock.key().bytes);
            for (const LockOwner &holder : lock.lock.owners)
                printable(holder.owner.bytes);
            if (lock.lock.deadline)
                describe(lock.lock.deadline->remaining(Clock::now()));
            for (const Problem problem : problemList(lock.problems()))
                describe(problem);
        }
    });
    return table.keys();
}

Ran InputProbe::command(const QByteArrayList &words, const QStringList &environment,
                        std::chrono::milliseconds most)
{
    const QStringList all = QStringList{QStringLiteral("XDG_STATE_HOME=") + m_directory.path()} + environment;
    auto running = std::async(std::launch::async, [words, all] {
        return runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), words, {}, all);
    });
    const auto ended = [&] { return running.wait_for(0s) == std::future_status::ready; };
    if (!runUntil(ended, most))
        m_flaws << "lockscope-cli " + words.join(' ').left(80) + " does not end";
    const Ran ran = running.get();
    check(ran.exitCode >= 0 && ran.exitCode <= 5,
          "lockscope-cli " + words.join(' ').left(80) + " ended with " + QByteArray::number(ran.exitCode));
    check(!obeys(ran.out) && !obeys(ran.err),
          "lockscope-cli " + words.join(' ').left(80) + " printed control characters");
    if (words.contains("--json") && ran.exitCode == 0 && !words.contains("watch"))
        check(!QJsonDocument::fromJson(ran.out).isNull(), "no JSON: " + ran.out.left(100));
    return ran;
}

void InputProbe::commands(const QByteArrayList &where, const QByteArray &key)
{
    command(where + QByteArrayList{"--pattern", "*", "list"});
    command(where + QByteArrayList{"--pattern", "*", "--json", "list"});
    if (key.contains('\0') || key.isEmpty() || key.size() > 64 * 1024) {
        if (key.size() < 64 * 1024 && !key.isEmpty())
            command(where + QByteArrayList{"--json", "--base64", "get", key.toBase64()});
        return;
    }
    command(where + QByteArrayList{"get", "--", key});
    command(where + QByteArrayList{"--json", "get", "--", key});
}

RedisServer &InputProbe::server(const std::vector<QByteArrayList> &commands)
{
    if (!m_server)
        m_server = std::make_unique<RedisServer>(
            QStringList{QStringLiteral("--enable-debug-command"), QStringLiteral("yes")});
    BlockingConnection connection(m_server->socketAddress(),
                                  {.clientName = "writer", .commandDeadline = 60s});
    check(connection.open().has_value(), "no server");
    for (const QByteArrayList &command : commands) {
        const std::vector<QByteArrayView> words(command.begin(), command.end());
        const Result<Reply> reply = connection.send(std::span<const QByteArrayView>(words));
        check(reply.has_value(), "the server did not take " + command.value(0));
    }
    return *m_server;
}

QByteArrayList InputProbe::bySocket()
{
    return {"-s", server().socketPath().toLocal8Bit()};
}

int InputProbe::report()
{
    const double growth = std::max(residentPeak() - m_residentBefore,
                                   childrenPeak() - std::max(m_commandBefore, m_residentBefore));
    std::printf("blocked %.0f\ngrew %.1f\n", m_longestBlocked, growth);
    for (const QByteArray &flaw : std::as_const(m_flaws))
        std::printf("flaw %s\n", flaw.toPercentEncoding(" :,;()/'\"{}[]=?!").constData());
    return 0;
}

} // namespace lockscope
