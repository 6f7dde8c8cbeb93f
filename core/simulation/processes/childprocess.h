// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// The whole of a child process of a simulation: reads its ChildConfig from standard input, runs its workers, and
/// reports on standard output. Ends with them; and at once, without another command, when standard input ends, since
/// then the parent is dead. Returns the process's exit status.
int runChildProcess();

} // namespace lockscope
