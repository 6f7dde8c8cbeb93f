// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/storedservers.h"

#include "core/base/settings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int mostUnnamed = 8;
constexpr int most = 100;
constexpr qsizetype mostTold = 10;

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

void keep(const QList<StoredServer> &servers)
{
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

} // namespace

QList<StoredServer> storedServers()
{
    Settings settings;
    QList<StoredServer> servers;
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

void rememberServer(const StoredServer &server)
{
    QList<StoredServer> servers = storedServers();
    const QString uri = server.address.toUriWithoutPassword();
    servers.removeIf([&](const StoredServer &known) { return known.address.toUriWithoutPassword() == uri; });
    for (StoredServer &known : servers) {
        if (known.name == server.name)
            known.name.clear();
    }
    servers.prepend(server);
    int unnamed = 0;
    servers.removeIf(
        [&](const StoredServer &known) { return known.name.isEmpty() && ++unnamed > mostUnnamed; });
    servers.resize(std::min<qsizetype>(servers.size(), most));
    keep(servers);
}

void forgetServer(const ServerAddress &address)
{
    QList<StoredServer> servers = storedServers();
    const QString uri = address.toUriWithoutPassword();
    servers.removeIf([&](const StoredServer &known) { return known.address.toUriWithoutPassword() == uri; });
    keep(servers);
}

Result<StoredServer> storedServer(const QString &name)
{
    QStringList names;
    for (const StoredServer &server : storedServers()) {
        if (server.name == name && !name.isEmpty())
            return server;
        if (!server.name.isEmpty() && names.size() < mostTold)
            names.append(server.name);
    }
    if (names.isEmpty())
        return tl::unexpected(Error(
            ErrorKind::InvalidArgument,
            Phrase(QT_TRANSLATE_NOOP("phrases", "No server is stored under the name “%1”. Connect to it once "
                                                "in the window, with a name."),
                   name.toUtf8())));
    return tl::unexpected(
        Error(ErrorKind::InvalidArgument,
              Phrase(QT_TRANSLATE_NOOP("phrases", "No server is stored under the name “%1”. Stored: %2."),
                     name.toUtf8(), names.join(QStringLiteral(", ")).toUtf8())));
}

} // namespace lockscope
