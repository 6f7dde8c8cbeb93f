// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/silenceproof.h"

namespace lockscope {

SilenceProof silenceFrom(QByteArrayView replication, QByteArrayView cluster)
{
    if (!replication.contains("role:") || !cluster.contains("cluster_enabled:"))
        return SilenceProof::Unknown;
    if (!cluster.contains("cluster_enabled:0"))
        return SilenceProof::OtherNodes;
    if (!replication.contains("role:master"))
        return SilenceProof::IsReplica;
    // The backlog is kept for replicas that were here a while ago and may come back to what they missed.
    return replication.contains("connected_slaves:0") && replication.contains("repl_backlog_active:0")
               ? SilenceProof::Proves
               : SilenceProof::Replicas;
}

Phrase describe(SilenceProof silence)
{
    switch (silence) {
    case SilenceProof::NotAsked:
    case SilenceProof::Proves:
        break;
    case SilenceProof::Unknown:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "the server does not tell which replicas or other nodes there are"));
    case SilenceProof::OtherNodes:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "it may be subscribed to another node of the cluster"));
    case SilenceProof::IsReplica:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "this is a replica, and it may be subscribed to another server"));
    case SilenceProof::Replicas:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "it may be subscribed to a replica of this server"));
    }
    return {};
}

} // namespace lockscope
