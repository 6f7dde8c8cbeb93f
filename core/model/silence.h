// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"

#include <QByteArrayView>

namespace lockscope {

/// What it proves that nobody subscribes to a channel here. A server counts its own subscribers alone, while what is
/// published reaches those of its replicas and of a cluster's other nodes as well.
enum class Silence : quint8 {
    NotAsked,
    Unknown,    ///< which other servers there are could not be learned
    OtherNodes, ///< nothing: the other nodes of a cluster may have subscribers
    IsReplica,  ///< nothing: the other servers may
    Replicas,   ///< nothing: the replicas may, also those that were here a while ago
    Proves,     ///< there is this server alone
};

/// By the server's answers to INFO replication and INFO cluster, of the same moment as the count. Pure. The scripts that
/// pass over a waiter decide by the same fields.
Silence silenceFrom(QByteArrayView replication, QByteArrayView cluster);

/// Why it proves nothing; empty where it does, and where it was not asked.
Phrase describe(Silence silence);

} // namespace lockscope
