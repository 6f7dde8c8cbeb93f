// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"

namespace lockscope {

/// False for others that call themselves compatible with Redis 7: they lack what came with it, such as the
/// flags of scripts and several sections of INFO.
inline bool isRedis7(const ServerInfo &server)
{
    return server.major >= 7 && (server.name == "redis" || server.name == "valkey");
}

} // namespace lockscope
