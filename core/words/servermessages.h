// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/clusterstatus.h"
#include "core/redis/login.h"

#include <QString>

namespace lockscope {

/// "Redis 7.0.15", "Valkey 8.1.1 cluster": printable, never translated. Empty where the server did not say.
QString productText(const ServerInfo &server);

/// "replica of 10.0.0.1:6379, which was heard 3 s ago".
QString replicaText(const ReplicaLink &link);
/// What that means for what is shown: it may be behind by as much.
QString replicaWarning(const ReplicaLink &link);

/// Why a node of the cluster at `serverName` is not ready.
QString whyMissing(const NodeStatus &node, const QString &serverName);

} // namespace lockscope
