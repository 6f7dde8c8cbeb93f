// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/availablememory.h"

#include <QFile>

#include <algorithm>

#include <unistd.h>

namespace lockscope {

qint64 availableMemory()
{
    const qint64 pages = ::sysconf(_SC_PHYS_PAGES);
    qint64 memory = pages > 0 ? pages * ::sysconf(_SC_PAGESIZE) : 0;
    // In a container its own group is mounted there, as version 2 or 1 of control groups.
    for (const auto *path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        QFile file(QString::fromLatin1(path));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const qint64 limit = file.readAll().trimmed().toLongLong(); // 0 for "max"
        if (limit > 0)
            memory = std::min(memory, limit);
    }
    return memory;
}

} // namespace lockscope
