// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>

#include <unistd.h>

namespace lockscope {

/// What a thread's or process's `stat` says of its time on the processor so far, in seconds; 0: there is none.
inline double processorSeconds(const QString &statPath)
{
    QFile file(statPath);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray stat = file.readAll();
    // The name, in parentheses, may have spaces: the fields are counted from behind it.
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype utime = 11, stime = 12;
    const auto ticks = fields.value(utime).toDouble() + fields.value(stime).toDouble();
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// The same of a whole process; 0: of this one.
inline double processorSeconds(qint64 pid)
{
    return processorSeconds(pid == 0 ? QStringLiteral("/proc/self/stat")
                                     : QStringLiteral("/proc/%1/stat").arg(pid));
}

} // namespace lockscope
