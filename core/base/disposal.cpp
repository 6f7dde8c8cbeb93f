// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disposal.h"

namespace lockscope {

/// A separate pool: the global one serves the user interface.
QThreadPool &disposalPool()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

} // namespace lockscope
