// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"

#include <QHash>
#include <QStringList>

namespace lockscope {

/// Servers of shared lists: text files for several users, which Lockscope only reads. They hold addresses, and
/// neither passwords nor commands.
struct SharedServers
{
    struct Protection
    {
        bool readOnly = false;
        Environment environment = Environment::Unset;
    };

    QList<StoredServer> servers;            ///< in the order of the files; names and addresses are unique
    QList<Phrase> faults;                   ///< "FILE:LINE: what is wrong"; the rest of the file is used
    QHash<QString, Protection> protections; ///< by host and port
};

/// The address' Sentinels, its group's members, or its host and port. Not for a Unix socket.
QList<NodeAddress> namedNodes(const ServerAddress &address);

/// The folders lockscope/servers of the user's and the system's configuration.
QStringList sharedServerFolders();

/// Reads each *.servers file of the folders, as parseServerList() does, and what "include PATH" names: a file, or
/// the *.servers files of a folder, relative to the including file. Each file is read once.
SharedServers readSharedServers(const QStringList &folders);

/// The servers of sharedServerFolders(), read on the first call.
const SharedServers &sharedServers();

/// The server with the protection of shared lists: read-only if one says so of its host and port, whatever
/// user, database or proxy, and the strictest environment.
StoredServer protectedServer(StoredServer server);

} // namespace lockscope
