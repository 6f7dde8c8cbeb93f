// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/lockpeers.h"

#include <QProcess>
#include <QStandardPaths>

namespace lockscope {

namespace {

constexpr int endMs = 60'000;

/// What a program printed, or why it could not.
tl::expected<QByteArray, QByteArray> outputOf(const QString &program, const QStringList &arguments)
{
    if (QStandardPaths::findExecutable(program).isEmpty())
        return tl::unexpected(program.toUtf8() + " is not installed");
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(endMs) || process.exitStatus() != QProcess::NormalExit ||
        process.exitCode() != 0) {
        const QByteArray printed = process.readAllStandardError().trimmed();
        return tl::unexpected(printed.isEmpty() ? process.errorString().toUtf8()
                                                : printed.sliced(printed.lastIndexOf('\n') + 1));
    }
    return process.readAllStandardOutput();
}

/// Requests a second, from the second column of redis-benchmark's last line. Random keys out of so many.
Rate rateCommand(quint16 port, int requests, qint64 keys, const QList<QByteArray> &command)
{
    QStringList arguments{QStringLiteral("-p"), QString::number(port), QStringLiteral("-c"),
                          QStringLiteral("40"), QStringLiteral("-n"),  QString::number(requests),
                          QStringLiteral("-r"), QString::number(keys), QStringLiteral("--csv")};
    for (const QByteArray &word : command)
        arguments.append(QString::fromLatin1(word));
    const auto printed = outputOf(QStringLiteral("redis-benchmark"), arguments);
    if (!printed)
        return tl::unexpected(printed.error());
    const QByteArray row = printed->trimmed().split('\n').last();
    bool isNumber = false;
    const double rate = row.split(',').value(1).replace('"', "").toDouble(&isNumber);
    if (!isNumber)
        return tl::unexpected("redis-benchmark printed: " + row);
    return rate;
}

/// Locks with the names that redis-benchmark will draw.
bool holdLocks(BlockingConnection &server, int count, const QByteArray &leaseSeconds)
{
    constexpr int step = 10'000; // each call well within a command's deadline
    for (int first = 0; first < count; first += step) {
        const auto held = server.send(
            {"EVAL",
             "for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do local key = string.format('bench:%012d', i) "
             "redis.call('HSET', key, 'owner', 1) "
             "redis.call('EXPIRE', key, ARGV[3]) end",
             "0", QByteArray::number(first), QByteArray::number(std::min(first + step, count) - 1),
             leaseSeconds});
        if (!held)
            return false;
    }
    return true;
}

/// The share of `requests` by which the database has changed from `before` keys.
double changedShare(BlockingConnection &server, int before, int requests)
{
    const auto size = server.send({"DBSIZE"});
    return size ? std::abs(static_cast<double>(size->integer - before)) / requests : 0;
}

} // namespace

Rate rateRedisBenchmark(BlockingConnection &server, quint16 port, const LoadedScripts &scripts,
                        const QByteArray &leaseSeconds, int requests)
{
    constexpr qint64 manyKeys = 2'000'000'000;
    constexpr double enough = 0.9;
    const QByteArray key = "bench:__rand_int__";
    const int held = 10 * requests;

    if (!server.send({"FLUSHALL"}) || !holdLocks(server, held, leaseSeconds))
        return tl::unexpected(QByteArray("its locks can't be made"));
    const Rate release = rateCommand(
        port, requests, held, {"EVALSHA", scripts.releaseSha1, "1", key, "owner", leaseSeconds, "named"});
    const double released = changedShare(server, held, requests);
    server.send({"FLUSHALL"});
    const Rate acquire = rateCommand(
        port, requests, manyKeys, {"EVALSHA", scripts.acquireSha1, "1", key, "owner", leaseSeconds, "named"});
    const double acquired = changedShare(server, 0, requests);
    server.send({"FLUSHALL"});
    if (!acquire || !release)
        return acquire ? release : acquire;
    if (acquired < enough || released < enough)
        return tl::unexpected("it acquired only " + QByteArray::number(acquired) + " and released " +
                              QByteArray::number(released) + " of its locks");
    return 1 / (1 / *acquire + 1 / *release);
}

Rate rateLibrary(const QString &interpreter, const QString &script, quint16 port,
                 std::chrono::milliseconds duration)
{
    const auto printed = outputOf(interpreter, {QStringLiteral(LOCKSCOPE_BENCH_DIR "/") + script,
                                                QString::number(port), QString::number(duration.count())});
    if (!printed)
        return tl::unexpected(printed.error());
    bool isNumber = false;
    const double rate = printed->trimmed().toDouble(&isNumber);
    if (!isNumber)
        return tl::unexpected(script.toUtf8() + " printed: " + printed->trimmed());
    return rate;
}

} // namespace lockscope
