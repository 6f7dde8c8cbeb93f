// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/link.h"

#include <optional>

namespace lockscope {

/// The state of a monitor's connection, as a value that crosses threads.
struct ConnectionStatus
{
    Link::State state = Link::State::Closed;
    ServerInfo server;
    Error error;                        ///< for Backoff, Refused and Closed
    std::optional<TimePoint> nextTryAt; ///< for Backoff
};

} // namespace lockscope
