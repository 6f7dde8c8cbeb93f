// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workerpool.h"

namespace lockscope {

/// A few dozen workers that acquire, re-enter, renew, hold too long and die, so that every state of a lock is
/// on screen within seconds. They run, each on a thread of its own, until this object is gone. Only for a private
/// server: their keys have the names of a shop's real locks.
class DemoWorkers
{
public:
    explicit DemoWorkers(const ServerAddress &server, quint32 seed = 1);

private:
    LocalReferee m_referee; ///< nobody asks what it finds
    WorkerPool m_pool;
    std::jthread m_scatterer; ///< of what no worker would leave behind
};

} // namespace lockscope
