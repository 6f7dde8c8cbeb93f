// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"
#include "core/watch/undismissedresets.h"

#include <QString>

namespace lockscope {

// What the window says where a server's keys went at once.

/// "The database was flushed at 03:12; 49,000 locks are gone."
QString resetText(const ServerReset &reset, const ServerInfo &server);
/// How certain the cause is, and how many other resets there were; may be empty.
QString resetDetail(const UndismissedResets &resets);

} // namespace lockscope
