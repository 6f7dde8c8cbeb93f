// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"
#include "core/watch/clusterstatus.h"
#include "core/watch/scanstats.h"

#include <QStringList>

namespace lockscope {

/// "Redis 7.0.15", "Valkey 8.1.1 cluster": printable, never translated. Empty where the server did not say.
QString productText(const ServerInfo &server);

/// "replica, last heard 3 s ago": of its primary it was.
QString replicaText(const ReplicaLink &link);
/// What that means for what is shown: it may be behind by as much.
QString replicaWarning(const ReplicaLink &link);

/// That locks may be lost, and by what.
QString describe(const Eviction &eviction);

/// What a scan could not read of a cluster whose nodes are there, a sentence each; empty: nothing.
QStringList gapsInWords(const ScanStats &stats);

/// Why a node of the cluster at `serverName` is not ready.
QString whyMissing(const NodeStatus &node, const QString &serverName);

} // namespace lockscope
