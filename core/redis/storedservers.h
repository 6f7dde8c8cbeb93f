// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/environment.h"
#include "core/redis/serveraddress.h"

#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

/// A server that was connected to before. Kept without its passwords.
struct StoredServer
{
    QString name; ///< may be empty; no other server has the same
    ServerAddress address;
    bool readOnly = false;
    Environment environment = Environment::Unset;
    QString group{};             ///< under which it is listed; may be empty
    bool keepsPasswords = false; ///< in the system's keychain, never here

    /// The one that a user means has a name in it: without its password there is nothing to try.
    bool needsPassword() const
    {
        return !address.user.isEmpty() && address.password.isEmpty() && !keepsPasswords;
    }

    friend bool operator==(const StoredServer &, const StoredServer &) = default;
};

/// From the settings, the last one first.
QList<StoredServer> storedServers();
/// What is stored of the same address now; nullopt: nothing.
std::optional<StoredServer> storedServer(const ServerAddress &address);
/// With what is stored of the same address, where `server` says nothing of it: name, group, environment, and, where it says nothing
/// of any of these, whom it trusts and the reachable addresses of nodes; read-only and with kept passwords where either is.
StoredServer completedServer(StoredServer server);
/// Puts it first. Of those with neither a name nor kept passwords the oldest beyond eight is forgotten; one that had its name has
/// none any more. Whether passwords are kept stays as it is stored, and, where any certificate was accepted, whom it trusts.
void rememberServer(const StoredServer &server);
/// Of what is stored of this address, where anything is.
void setKeepsPasswords(const ServerAddress &address, bool keeps);
bool keepsPasswords(const ServerAddress &address);
void forgetServer(const ServerAddress &address);
/// ErrorKind::InvalidArgument with the names that there are.
Result<StoredServer> storedServer(const QString &name);

} // namespace lockscope
