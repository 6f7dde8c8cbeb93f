// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/recentservers.h"

#include "ui/widgets/settings.h"

namespace lockscope {

namespace {

constexpr int most = 8;

QString arrayName()
{
    return QStringLiteral("recentServers");
}

} // namespace

QList<RecentServer> recentServers()
{
    Settings settings;
    QList<RecentServer> servers;
    const int size = std::min(settings.beginReadArray(arrayName()), most);
    for (int i = 0; i < size; ++i) {
        settings.setArrayIndex(i);
        servers.append({settings.value(QStringLiteral("name")).toString(),
                        settings.value(QStringLiteral("uri")).toString(),
                        settings.value(QStringLiteral("readOnly")).toBool()});
    }
    return servers;
}

void rememberServer(const RecentServer &server)
{
    QList<RecentServer> servers = recentServers();
    servers.removeIf([&](const RecentServer &known) { return known.uri == server.uri; });
    servers.prepend(server);
    servers.resize(std::min<qsizetype>(servers.size(), most));
    Settings settings;
    settings.beginWriteArray(arrayName(), static_cast<int>(servers.size()));
    for (int i = 0; i < servers.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("name"), servers.at(i).name);
        settings.setValue(QStringLiteral("uri"), servers.at(i).uri);
        settings.setValue(QStringLiteral("readOnly"), servers.at(i).readOnly);
    }
    settings.endArray();
}

} // namespace lockscope
