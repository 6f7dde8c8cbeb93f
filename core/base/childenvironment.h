// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>

namespace lockscope {

/// For a child process: ours, without what is secret in it. A child that needs a password is told it on its standard
/// input; neither its environment nor its arguments have any.
QProcessEnvironment childEnvironment();

} // namespace lockscope
