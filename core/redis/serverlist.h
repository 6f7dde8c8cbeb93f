// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"

namespace lockscope {

/// A line of a list of servers: what it names, or why it makes no sense.
struct ServerLine
{
    int number = 0; ///< from 1
    Result<StoredServer> server;
    bool hadPassword = false; ///< in its address: it is left out
};

/// Reads "ADDRESS" or "NAME = ADDRESS" of each line, as ServerAddress::parse() takes it. Empty lines and those that begin with '#'
/// are left out, and so are passwords. ErrorKind::InvalidArgument, with a sentence that repeats no password.
QList<ServerLine> parseServerList(const QString &text);

} // namespace lockscope
