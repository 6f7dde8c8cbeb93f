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
    QString included{};       ///< file or folder of "include PATH"; then `server` is an error
};

/// Reads a line for each server, "[NAME =] ADDRESS [ENVIRONMENT] [read-only]", with the address as
/// ServerAddress::parse() takes it. "[GROUP]" begins a group; a name or group in quotation marks is
/// percent-encoded. Skips empty lines and comments ('#'), and drops passwords. ErrorKind::InvalidArgument with
/// a sentence that repeats no password.
QList<ServerLine> parseServerList(const QString &text);

/// The servers as parseServerList() reads them, by groups. Without passwords, files of certificates, pins and
/// node addresses.
QString serverListText(QList<StoredServer> servers);

} // namespace lockscope
