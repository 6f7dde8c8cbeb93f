// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/bench/contest.h"

#include <QString>
#include <QStringList>

namespace lockscope {

/// The scripts that all contestants call; loaded into the server.
struct LoadedScripts
{
    QByteArray acquireSha1;
    QByteArray releaseSha1;
};

/// redis-benchmark, 40 connections. It can send one command only, so both are measured one after the other and
/// their times added. Random keys make every acquisition succeed; releases draw from ten times as many locks as
/// are released, so that 95 % of them do.
Rate rateRedisBenchmark(BlockingConnection &server, quint16 port, const LoadedScripts &scripts,
                        const QByteArray &leaseSeconds, int requests);

/// A lock library in its own language: runs the script beside this file, which prints its rate.
Rate rateLibrary(const QString &interpreter, const QString &script, quint16 port,
                 std::chrono::milliseconds duration);

} // namespace lockscope
