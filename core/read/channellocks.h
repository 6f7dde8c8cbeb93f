// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockscope {

/// A lock that is no key: whoever subscribes to its channel holds it, until the connection ends. portalocker's.
struct ChannelLock
{
    QByteArray channel;
    QByteArray holder;      ///< the client's address, as the server has it
    milliseconds connected; ///< so long, in whole seconds: it is held for no longer

    friend bool operator==(const ChannelLock &, const ChannelLock &) = default;
};

/// Clients that subscribe to one channel and have the name that such a lock's holder has, in what CLIENT LIST answers. To which
/// channel they subscribe is not told there: that the lock's has a subscriber is to be asked. Pure.
QList<ChannelLock> channelLocksIn(QByteArrayView clients);

/// A word of a client's line in CLIENT LIST; empty where it has none.
QByteArray clientField(QByteArrayView client, const char *name);

} // namespace lockscope
