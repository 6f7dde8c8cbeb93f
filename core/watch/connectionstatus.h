// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/link.h"

#include <optional>

namespace lockscope {

/// The state of a watch's connection as a value that crosses threads.
struct ConnectionStatus
{
    Link::State state = Link::State::Closed;
    ServerInfo server;
    Error error;                        ///< Backoff, Refused, Closed: why
    std::optional<TimePoint> nextTryAt; ///< Backoff
};

} // namespace lockscope
