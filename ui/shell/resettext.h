// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/login.h"
#include "core/watch/resetnotes.h"

#include <QString>

namespace lockscope {

// What the window says where a server's keys went at once.

/// "The database was flushed at 03:12; 49,000 locks are gone."
QString resetText(const ServerReset &reset, const ServerInfo &server);
/// How sure that is, and how many others there were; empty where nothing more is to be said.
QString resetDetail(const ResetNotes &resets);

} // namespace lockscope
