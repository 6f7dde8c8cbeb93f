// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"

#include <sched.h>

namespace lockscope {

enum class Placement : quint8 {
    OneCore,  ///< server and clients share it
    TwoCores, ///< the server has one of its own, as it has a machine of its own elsewhere
};

/// Ties the server to the first core and this thread, with what it will start, to the first or the second. Where the
/// kernel chooses, a round trip costs 10 or 70 µs by chance, and ratios say nothing. Where the server does not tell its process, that is said, and nothing is
/// tied.
class Pinned
{
public:
    Pinned(BlockingConnection &server, Placement placement);
    ~Pinned();
    Q_DISABLE_COPY_MOVE(Pinned)

private:
    cpu_set_t m_before{};
    pid_t m_server = 0; ///< 0: nothing is tied
};

} // namespace lockscope
