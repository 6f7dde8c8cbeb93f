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

/// What a Sentinel says of the servers that it watches under one name. A value that crosses threads.
struct SentinelView
{
    struct Replica
    {
        NodeAddress address;
        bool isUsable = false; ///< as the Sentinel sees it: up, and its link to the primary, too
        qint64 offset = 0;     ///< in the primary's stream of changes, as far as it has come

        friend bool operator==(const Replica &, const Replica &) = default;
    };

    NodeAddress primary;
    qint64 epoch = -1;            ///< of this choice: grows with every failover; -1: not told
    bool isDown = false;          ///< the Sentinel itself can't reach the primary
    bool isAgreedDown = false;    ///< enough of them can't
    bool isFailingOver = false;   ///< this one leads a failover
    QList<NodeAddress> sentinels; ///< the others
    QList<Replica> replicas;

    /// To one Sentinel.
    static CommandBatch question(const QByteArray &name);
    /// Reads its replies. ErrorKind::InvalidArgument where it watches nothing under that name, without words;
    /// ErrorKind::UnexpectedReply where they make no sense.
    static Result<SentinelView> parse(std::span<const Reply> replies);

    friend bool operator==(const SentinelView &, const SentinelView &) = default;
};

/// The channel on which a Sentinel tells that another server is the primary now.
constexpr QByteArrayView switchChannel = "+switch-master";
/// Who that is, from its message; nullopt where it is about another name, or makes no sense.
std::optional<NodeAddress> primaryIn(const QByteArray &switchMessage, const QByteArray &name);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SentinelView)
