// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"
#include "core/watch/clusterstatus.h"
#include "core/watch/scanstats.h"

#include <QStringList>

namespace lockscope {

/// "Redis 7.0.15", "Valkey 8.1.1 cluster": printable, never translated. Empty if unknown.
QString productText(const ServerInfo &server);

/// "replica, last heard 3 s ago": of its primary.
QString replicaText(const ReplicaLink &link);
/// A warning that the data may lag behind by that time.
QString replicaWarning(const ReplicaLink &link);

/// A warning that the server may evict locks, with its policy.
QString describe(const Eviction &eviction);

/// Parts of a cluster that a scan could not read though its nodes are available, one sentence each.
QStringList gapsInWords(const ScanStats &stats);

QString whyMissing(const NodeStatus &node, const QString &serverName);

} // namespace lockscope
