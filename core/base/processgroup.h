// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QProcess;

namespace lockscope {

/// Makes the program a group leader once it is started, so that killGroup() also ends what it starts.
void setOwnGroup(QProcess &process);
/// Kills a running program of setOwnGroup(), and its group.
void killGroup(QProcess &process);

} // namespace lockscope
