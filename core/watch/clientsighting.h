// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lockowner.h"

namespace lockscope {

/// What a client was seen to do with a lock; the surest first.
enum class ClientUse : quint8 {
    Held,  ///< it named the owner's id, which is one that no other client writes
    Tried, ///< it sent a command that would acquire, or named a waiter: no proof that it holds anything
    Used,  ///< its commands do not tell
};
inline constexpr EnumNames clientUseName{Named<ClientUse>{ClientUse::Held, "held"},
                                         Named<ClientUse>{ClientUse::Tried, "tried"},
                                         Named<ClientUse>{ClientUse::Used, "used"}};

/// A client that was seen to name a lock.
struct ClientSighting
{
    OwnerId id;         ///< that it gave; empty: none that is known to be one
    QByteArray address; ///< of the client, as the server has it: "10.0.0.7:51234"
    QByteArray name;  ///< that the client gave itself (CLIENT SETNAME); empty: none, or not permitted to ask
    qint64 times = 0; ///< commands that named it
    ClientUse use = ClientUse::Used;
    QByteArrayList commands; ///< their names in capitals, the first few kinds
    QByteArray library{}; ///< that it uses, as it said itself (CLIENT SETINFO, Redis 7.2): "redis-py 5.0.1"

    /// MONITOR gives all clients of a Unix socket one address: they are told as one.
    bool mayBeSeveral() const { return address.startsWith("unix:"); }
    friend bool operator==(const ClientSighting &, const ClientSighting &) = default;
};

} // namespace lockscope
