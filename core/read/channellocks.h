// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockscope {

/// portalocker's lock without key: a client holds it by subscribing to its channel while connected.
struct ChannelLock
{
    QByteArray channel;
    QByteArray holder;      ///< the client's address at the server
    milliseconds connected; ///< in whole seconds: upper limit of the hold

    friend bool operator==(const ChannelLock &, const ChannelLock &) = default;
};

/// Clients in a reply to CLIENT LIST that subscribe to one channel and have the name of such a lock's holder.
/// The reply does not name the channel: check that the lock's has a subscriber. Pure.
QList<ChannelLock> channelLocksIn(QByteArrayView clients);

/// A field of a client's line in CLIENT LIST; empty if missing.
QByteArray clientField(QByteArrayView client, const char *name);

} // namespace lockscope
