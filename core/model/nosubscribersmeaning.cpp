// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/nosubscribersmeaning.h"

namespace lockscope {

NoSubscribersMeaning silenceFrom(QByteArrayView replication, QByteArrayView cluster)
{
    if (!replication.contains("role:") || !cluster.contains("cluster_enabled:"))
        return NoSubscribersMeaning::Unknown;
    if (!cluster.contains("cluster_enabled:0"))
        return NoSubscribersMeaning::OtherNodes;
    if (!replication.contains("role:master"))
        return NoSubscribersMeaning::IsReplica;
    // The backlog is kept for replicas that were here a while ago and may come back to what they missed.
    return replication.contains("connected_slaves:0") && replication.contains("repl_backlog_active:0")
               ? NoSubscribersMeaning::Proves
               : NoSubscribersMeaning::Replicas;
}

Phrase describe(NoSubscribersMeaning silence)
{
    switch (silence) {
    case NoSubscribersMeaning::NotAsked:
    case NoSubscribersMeaning::Proves:
        break;
    case NoSubscribersMeaning::Unknown:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "the server does not list other nodes"));
    case NoSubscribersMeaning::OtherNodes:
    case NoSubscribersMeaning::IsReplica:
    case NoSubscribersMeaning::Replicas:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "it may be subscribed on another server"));
    }
    return {};
}

} // namespace lockscope
