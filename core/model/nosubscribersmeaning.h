// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"

#include <QByteArrayView>

namespace lockscope {

/// What it proves if nobody subscribes to a channel on this server. A server counts only its own subscribers,
/// but published messages also reach those of its replicas and other cluster nodes.
enum class NoSubscribersMeaning : quint8 {
    NotAsked,
    Unknown,    ///< the other servers are unknown
    OtherNodes, ///< nothing: other cluster nodes may have subscribers
    IsReplica,  ///< nothing: other servers may have subscribers
    Replicas,   ///< nothing: present or recent replicas may have subscribers
    Proves,     ///< it is the only server
};

/// By the replies to INFO replication and INFO cluster from the moment of the count. Pure. The scripts that
/// skip waiters use the same fields.
NoSubscribersMeaning silenceFrom(QByteArrayView replication, QByteArrayView cluster);

/// Why it proves nothing; empty if it does, or was not requested.
Phrase describe(NoSubscribersMeaning silence);

} // namespace lockscope
