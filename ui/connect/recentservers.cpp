// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/recentservers.h"

#include "ui/widgets/settings.h"

#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int most = 8;

QString arrayName()
{
    return QStringLiteral("recentServers");
}

/// What no address has room for: each under a name in the settings.
constexpr std::array texts{
    std::pair("caFile", &ServerAddress::caFile),
    std::pair("certificateFile", &ServerAddress::certificateFile),
    std::pair("keyFile", &ServerAddress::keyFile),
    std::pair("serverName", &ServerAddress::serverName),
};

} // namespace

QList<RecentServer> recentServers()
{
    Settings settings;
    QList<RecentServer> servers;
    const int size = std::min(settings.beginReadArray(arrayName()), most);
    for (int i = 0; i < size; ++i) {
        settings.setArrayIndex(i);
        auto address = ServerAddress::parse(settings.value(QStringLiteral("uri")).toString());
        if (!address)
            continue;
        for (const auto &[key, text] : texts)
            (*address).*text = settings.value(QLatin1String(key)).toString();
        for (const QString &pair : settings.value(QStringLiteral("nodeAddresses")).toStringList())
            address->addNodeAddress(pair.toUtf8());
        for (const QString &pin : settings.value(QStringLiteral("pins")).toStringList())
            address->addPin(pin.toLatin1());
        servers.append({settings.value(QStringLiteral("name")).toString(), *address,
                        settings.value(QStringLiteral("readOnly")).toBool()});
    }
    return servers;
}

void rememberServer(const RecentServer &server)
{
    QList<RecentServer> servers = recentServers();
    const QString uri = server.address.toUriWithoutPassword();
    servers.removeIf([&](const RecentServer &known) { return known.address.toUriWithoutPassword() == uri; });
    servers.prepend(server);
    servers.resize(std::min<qsizetype>(servers.size(), most));
    Settings settings;
    settings.beginWriteArray(arrayName(), static_cast<int>(servers.size()));
    for (int i = 0; i < servers.size(); ++i) {
        const ServerAddress &address = servers.at(i).address;
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("name"), servers.at(i).name);
        settings.setValue(QStringLiteral("uri"), address.toUriWithoutPassword());
        for (const auto &[key, text] : texts)
            settings.setValue(QLatin1String(key), address.*text);
        QStringList pins;
        for (const QByteArray &pin : address.pins)
            pins.append(QString::fromLatin1(pin));
        settings.setValue(QStringLiteral("pins"), pins);
        settings.setValue(QStringLiteral("nodeAddresses"),
                          address.nodeAddressesText().split(QStringLiteral(", "), Qt::SkipEmptyParts));
        settings.setValue(QStringLiteral("readOnly"), servers.at(i).readOnly);
    }
    settings.endArray();
}

} // namespace lockscope
