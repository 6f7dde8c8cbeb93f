// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/environment.h"
#include "core/redis/serveraddress.h"

#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

/// A server of an earlier connection, stored without passwords.
struct StoredServer
{
    QString name; ///< unique, or empty
    ServerAddress address;
    bool readOnly = false;
    Environment environment = Environment::Unset;
    QString group{};             ///< group in the list; may be empty
    bool keepsPasswords = false; ///< in the system's keychain
    QString probeCommand{};      ///< asks whether a lock's holder is alive; empty: none
    QString sharedFile{};        ///< the shared list that names it; empty: the user's own

    /// True if the login has a named user, whose password is required.
    bool needsPassword() const
    {
        return !address.user.isEmpty() && address.password.isEmpty() && address.passwordCommand.isEmpty() &&
               !keepsPasswords;
    }

    friend bool operator==(const StoredServer &, const StoredServer &) = default;
};

/// The user's own servers, most recent first.
QList<StoredServer> storedServers();
/// The user's own servers, then those of shared lists (sharedservers.h) with other addresses. Protected.
QList<StoredServer> knownServers();
/// The known server of the same address; absent: none.
std::optional<StoredServer> storedServer(const ServerAddress &address);
/// The server with missing values from the stored one of its address: name, group, environment, probe and, if it has
/// none of these, trusted certificates and node addresses; read-only and kept passwords if either says so.
/// Protected as shared lists say.
StoredServer completedServer(StoredServer server);
/// Stores the server as the first. Beyond eight without name or kept passwords, the oldest goes; another one
/// loses the name. Keeps the stored setting for passwords and, if any certificate was accepted, the pins.
/// Does nothing for one that a shared list has just so.
void rememberServer(const StoredServer &server);
/// Sets it for the stored server of this address, if any.
void setKeepsPasswords(const ServerAddress &address, bool keeps);
bool keepsPasswords(const ServerAddress &address);
void forgetServer(const ServerAddress &address);
/// The known server of this name. ErrorKind::InvalidArgument lists the names, or says that a newer version wrote.
Result<StoredServer> storedServer(const QString &name);

} // namespace lockscope
