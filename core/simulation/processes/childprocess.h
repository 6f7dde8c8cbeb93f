// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope {

/// Runs a child process of a simulation: reads its ChildConfig from standard input, runs its workers, and
/// reports on standard output. Ends with them, or at once when standard input ends, because the parent is
/// gone. Returns the exit status.
int runChildProcess();

} // namespace lockscope
