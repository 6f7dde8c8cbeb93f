// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/nodeaddress.h"
#include "core/redis/reply.h"

#include <QList>
#include <QMetaType>

#include <optional>
#include <span>

namespace lockscope {

/// A Sentinel's view of the servers with one name. A value that crosses threads.
struct SentinelView
{
    struct Replica
    {
        NodeAddress address;
        bool isUsable = false; ///< by the Sentinel's view: up, as is its link to the primary
        qint64 offset = 0;     ///< replication offset

        friend bool operator==(const Replica &, const Replica &) = default;
    };

    NodeAddress primary;
    qint64 epoch = -1; ///< grows with every failover; -1: unknown
    bool isDown = false;
    bool isAgreedDown = false; ///< by enough Sentinels
    bool isFailingOver = false;
    QList<NodeAddress> sentinels;
    QList<Replica> replicas;

    static CommandBatch question(const QByteArray &name);
    /// Reads the replies. ErrorKind::InvalidArgument, without text, if it knows no such name;
    /// ErrorKind::UnexpectedReply for invalid replies.
    static Result<SentinelView> parse(std::span<const Reply> replies);

    friend bool operator==(const SentinelView &, const SentinelView &) = default;
};

/// The channel on which a Sentinel reports a new primary.
constexpr QByteArrayView switchChannel = "+switch-master";
/// The new primary in its message; absent if it is about another name, or invalid.
std::optional<NodeAddress> primaryIn(const QByteArray &switchMessage, const QByteArray &name);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SentinelView)
