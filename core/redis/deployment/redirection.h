// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/topology.h"

#include <optional>

namespace lockscope {

/// What a node of a cluster answers instead of running a command on a key that another one has.
struct Redirection
{
    enum class Kind : quint8 {
        Moved, ///< the slot belongs to another node
        Ask,   ///< the slot is being moved, and this key is there already, or nowhere
    };

    Kind kind = Kind::Moved;
    int slot = 0;
    NodeAddress to; ///< an empty host: that of the node which said so

    /// Of an error reply: "MOVED 3999 10.0.0.1:6381". nullopt for every other text. Pure.
    static std::optional<Redirection> parse(QByteArrayView text);

    friend bool operator==(const Redirection &, const Redirection &) = default;
};

} // namespace lockscope
