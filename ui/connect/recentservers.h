// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace lockscope {

/// A server that was connected to before. Never with its password.
struct RecentServer
{
    QString name; ///< may be empty
    QString uri;
    bool readOnly = false;

    friend bool operator==(const RecentServer &, const RecentServer &) = default;
};

/// From the settings, the last one first.
QList<RecentServer> recentServers();
/// Puts it first and forgets the oldest beyond eight.
void rememberServer(const RecentServer &server);

} // namespace lockscope
