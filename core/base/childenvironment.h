// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>

namespace lockscope {

/// The environment for a child process: ours without secrets. A child gets passwords on its standard input,
/// never in its environment or arguments.
QProcessEnvironment childEnvironment();

} // namespace lockscope
