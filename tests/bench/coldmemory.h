// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockscope {

/// How this machine treats what comes back to its work after a rest, for the heading of a table: the time of a random access
/// to memory at once, and after 100 ms. On a virtual machine they can be a hundredfold apart, and whatever is
/// paced costs more than the same work in one go.
QByteArray coldMemoryText();

} // namespace lockscope
