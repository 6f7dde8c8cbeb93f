// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"

namespace lockscope {

/// A line of a server list: its address, or an error.
struct ServerLine
{
    int number = 0; ///< from 1
    Result<StoredServer> server;
    bool hadPassword = false; ///< in its address: removed
};

/// Reads "ADDRESS" or "NAME = ADDRESS" per line, as ServerAddress::parse() does. Skips empty lines and
/// comments ('#'), and drops passwords. ErrorKind::InvalidArgument with a sentence that repeats no password.
QList<ServerLine> parseServerList(const QString &text);

} // namespace lockscope
