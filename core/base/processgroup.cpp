// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/processgroup.h"

#include <QProcess>

#include <csignal>
#include <unistd.h>

namespace lockscope {

void setOwnGroup(QProcess &process)
{
    process.setChildProcessModifier([] { ::setpgid(0, 0); });
}

void killGroup(QProcess &process)
{
    if (process.state() == QProcess::NotRunning)
        return;
    if (const qint64 pid = process.processId(); pid > 0)
        ::kill(static_cast<pid_t>(-pid), SIGKILL);
    process.kill(); // where it is not its own group yet
}

} // namespace lockscope
