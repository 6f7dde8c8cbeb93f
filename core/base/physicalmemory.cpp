// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/physicalmemory.h"

#include <unistd.h>

namespace lockscope {

qint64 physicalMemory()
{
    const qint64 pages = ::sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? pages * ::sysconf(_SC_PAGESIZE) : 0;
}

} // namespace lockscope
