// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/metricstext.h"
#include "core/history/contentiontally.h"
#include "core/monitor/pollerestimate.h"
#include "core/state/locktally.h"
#include "core/watch/feedstatus.h"
#include "core/watch/scanstats.h"

#include <array>
#include <optional>

namespace lockscope {

struct ProcessFigures
{
    std::chrono::microseconds cpuTime{};
    qint64 residentBytes = 0;
    qint64 openFiles = 0;
    qint64 startedMs = 0; ///< epoch ms

    static ProcessFigures now();
};

/// The figures of `export`. Absent values are unknown and not on the page.
struct ExportFigures
{
    bool isConnected = false;
    std::optional<bool> isScanComplete; ///< absent: no scan since the connection
    std::optional<LockCounts> locks;
    std::optional<qint64> deadlocks;
    std::optional<qint64> unreadable;
    std::optional<std::chrono::duration<double>> dataAge;
    std::optional<FeedMode> feed;         ///< weakest of all patterns
    std::optional<Eviction> eviction;     ///< absent also if the server never evicts
    QByteArray downReason = "connecting"; ///< a word; empty: connected
    qint64 inversions = 0;
    std::optional<PollerEstimate> pollers;
    qint64 nodesReady = 0;
    qint64 nodesMissing = 0;
    // Counted since the start of the program.
    std::vector<ContentionTally::Series> contention;
    std::array<qint64, eventKinds> events{}; ///< by EventKind
    qint64 disconnections = 0;
    qint64 scans = 0;
    std::chrono::duration<double> scanServerTime{};
    ProcessFigures process;
};

/// Returns the metrics page. Labels are the program's own names and the patterns, never keys or owners: their
/// number is bounded. Pure.
QByteArray exportPage(const ExportFigures &figures, MetricsText::Format format);

} // namespace lockscope
