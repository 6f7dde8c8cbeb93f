// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/silence.h"

namespace lockscope {

Silence silenceFrom(QByteArrayView replication, QByteArrayView cluster)
{
    if (!replication.contains("role:") || !cluster.contains("cluster_enabled:"))
        return Silence::Unknown;
    if (!cluster.contains("cluster_enabled:0"))
        return Silence::OtherNodes;
    if (!replication.contains("role:master"))
        return Silence::IsReplica;
    // The backlog is kept for replicas that were here a while ago and may come back to what they missed.
    return replication.contains("connected_slaves:0") && replication.contains("repl_backlog_active:0")
               ? Silence::Proves
               : Silence::Replicas;
}

Phrase describe(Silence silence)
{
    switch (silence) {
    case Silence::NotAsked:
    case Silence::Proves:
        break;
    case Silence::Unknown:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "the server does not tell which replicas or other nodes there are"));
    case Silence::OtherNodes:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "it may be subscribed to another node of the cluster"));
    case Silence::IsReplica:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "this is a replica, and it may be subscribed to another server"));
    case Silence::Replicas:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "it may be subscribed to a replica of this server"));
    }
    return {};
}

} // namespace lockscope
