// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workerpool.h"

namespace lockscope {

/// A few dozen workers that acquire, re-enter, renew, hold too long and crash, to show every state of a lock
/// within seconds. Each runs on its own thread until this object is gone. Only for a private server: their
/// keys have realistic names of a shop.
class DemoWorkers
{
public:
    explicit DemoWorkers(const ServerAddress &server, quint32 seed = 1);

private:
    LocalReferee m_referee; ///< its findings are not used
    WorkerPool m_pool;
    std::jthread m_scatterer; ///< for leftovers that no worker would make
};

} // namespace lockscope
