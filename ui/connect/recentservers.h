// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QList>
#include <QString>

namespace lockscope {

/// A server that was connected to before. Kept without its passwords.
struct RecentServer
{
    QString name; ///< may be empty
    ServerAddress address;
    bool readOnly = false;

    friend bool operator==(const RecentServer &, const RecentServer &) = default;
};

/// From the settings, the last one first.
QList<RecentServer> recentServers();
/// Puts it first and forgets the oldest beyond eight.
void rememberServer(const RecentServer &server);

} // namespace lockscope
