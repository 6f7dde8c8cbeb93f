// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lockowner.h"

namespace lockscope {

/// The observed use of a lock by a client; surest first.
enum class ClientUse : quint8 {
    Held,  ///< it named the owner ID, which no other client writes
    Tried, ///< it sent a command to acquire, or named a waiter: no proof of a hold
    Used,  ///< its commands show no more
};
inline constexpr EnumNames clientUseName{Named<ClientUse>{ClientUse::Held, "held"},
                                         Named<ClientUse>{ClientUse::Tried, "tried"},
                                         Named<ClientUse>{ClientUse::Used, "used"}};

struct ClientSighting
{
    OwnerId id;         ///< that it named; empty: none known to be one
    QByteArray address; ///< at the server: "10.0.0.7:51234"
    QByteArray name;    ///< from CLIENT SETNAME; empty: none, or may not be read
    qint64 times = 0;   ///< number of commands that named the lock
    ClientUse use = ClientUse::Used;
    QByteArrayList commands; ///< names in capitals, the first few kinds
    QByteArray library{};    ///< from CLIENT SETINFO (Redis 7.2): "redis-py 5.0.1"

    /// True for a Unix socket: MONITOR reports all its clients with one address.
    bool mayBeSeveral() const { return address.startsWith("unix:"); }
    friend bool operator==(const ClientSighting &, const ClientSighting &) = default;
};

} // namespace lockscope
