// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/topology.h"

#include <optional>

namespace lockscope {

/// A cluster node's reply for a key that another node has.
struct Redirection
{
    enum class Kind : quint8 {
        Moved, ///< the slot belongs to another node
        Ask,   ///< the slot is being moved; the key is there already, or missing
    };

    Kind kind = Kind::Moved;
    int slot = 0;
    NodeAddress to; ///< an empty host: that of the replying node

    /// Reads an error reply "MOVED 3999 10.0.0.1:6381"; absent for other texts. Pure.
    static std::optional<Redirection> parse(QByteArrayView text);

    friend bool operator==(const Redirection &, const Redirection &) = default;
};

} // namespace lockscope
