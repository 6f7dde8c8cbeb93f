// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/metricstext.h"
#include "core/state/locktally.h"
#include "core/watch/feedstatus.h"
#include "core/watch/scanstats.h"

#include <array>
#include <optional>

namespace lockscope {

/// Of this process, as the client libraries of Prometheus tell it.
struct ProcessFigures
{
    std::chrono::microseconds cpuTime{};
    qint64 residentBytes = 0;
    qint64 openFiles = 0;
    qint64 startedMs = 0; ///< epoch ms

    static ProcessFigures now();
};

/// What `export` tells of. What is absent is not known, and does not appear on the page.
struct ExportFigures
{
    bool isConnected = false;
    std::optional<bool> isScanComplete; ///< absent: no scan has ended since the connection was made
    std::optional<LockCounts> locks;
    std::optional<qint64> deadlocks;
    std::optional<qint64> unreadable;
    std::optional<std::chrono::duration<double>> dataAge;
    std::optional<FeedMode> feed;     ///< the weakest of all patterns
    std::optional<Eviction> eviction; ///< absent also where the server evicts nothing
    qint64 nodesReady = 0;
    qint64 nodesMissing = 0;
    // Since the program was started.
    std::array<qint64, eventKinds> events{}; ///< by EventKind
    qint64 disconnections = 0;
    qint64 scans = 0;
    std::chrono::duration<double> scanServerTime{};
    ProcessFigures process;
};

/// The page of metrics. Labels have names of the program alone, never a key or an owner: their number is bounded, and a server's
/// bytes are not among them. Pure.
QByteArray exportPage(const ExportFigures &figures, MetricsText::Format format);

} // namespace lockscope
