// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/plainscan.h"

#include <QProcess>

namespace lockscope {

bool scanOnly(PlainClient &client, const QByteArray &match, qint64 count)
{
    QByteArray cursor = "0";
    do {
        const auto page = client.scan(cursor, match, count);
        if (!page)
            return false;
        cursor = page->cursor;
    } while (cursor != "0");
    return true;
}

bool scanAndRead(PlainClient &client, const QByteArray &match, qint64 count)
{
    QByteArray cursor = "0";
    do {
        const auto page = client.scan(cursor, match, count);
        if (!page)
            return false;
        for (const QByteArray &key : page->keys) {
            client.append({"PTTL", key});
            if (key.startsWith("lock:h:"))
                client.append({"HGETALL", key});
            else
                client.append({"GET", key});
        }
        if (!client.drain())
            return false;
        cursor = page->cursor;
    } while (cursor != "0");
    return true;
}

bool scanByRedisCli(const QString &socketPath, const QByteArray &match)
{
    constexpr int endMs = 300'000;
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), socketPath, QStringLiteral("--scan"),
                                                QStringLiteral("--pattern"), QString::fromLatin1(match)});
    return process.waitForFinished(endMs) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

} // namespace lockscope
