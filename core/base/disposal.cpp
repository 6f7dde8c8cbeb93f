// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disposal.h"

namespace lockscope {

/// Of its own: what users wait for runs in the global one.
QThreadPool &disposalPool()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

} // namespace lockscope
