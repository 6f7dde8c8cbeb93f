// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/storedservers.h"

#include "core/base/settings.h"
#include "core/redis/sharedservers.h"

#include <QSet>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int maxUnnamed = 8;
constexpr int most = 100;
constexpr int maxRead = 1'000; // those with kept passwords come on top
constexpr qsizetype maxTold = 10;

QString arrayName()
{
    return QStringLiteral("recentServers");
}

/// Parts of an address that its URI cannot hold, with their settings keys.
constexpr std::array texts{
    std::pair("caFile", &ServerAddress::caFile),
    std::pair("certificateFile", &ServerAddress::certificateFile),
    std::pair("keyFile", &ServerAddress::keyFile),
    std::pair("serverName", &ServerAddress::serverName),
};

/// Copies trusted certificates, client certificate and node addresses.
void takeTrust(ServerAddress &address, const ServerAddress &known)
{
    for (const auto &[key, text] : texts)
        address.*text = known.*text;
    address.pins = known.pins;
    address.nodeAddresses = known.nodeAddresses;
}

bool saysNothingOfTrust(const ServerAddress &address)
{
    return !address.insecure && address.pins.isEmpty() && address.nodeAddresses.isEmpty() &&
           std::ranges::all_of(texts, [&](const auto &each) { return (address.*each.second).isEmpty(); });
}

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
        settings.setValue(QStringLiteral("environment"),
                          QString::fromLatin1(environmentName(servers.at(i).environment)));
        settings.setValue(QStringLiteral("group"), servers.at(i).group);
        settings.setValue(QStringLiteral("keepsPasswords"), servers.at(i).keepsPasswords);
        settings.setValue(QStringLiteral("passwordCommand"), address.passwordCommand);
        settings.setValue(QStringLiteral("probeCommand"), servers.at(i).probeCommand);
    }
    settings.endArray();
}

std::optional<StoredServer> findIn(const QList<StoredServer> &servers, const ServerAddress &address)
{
    const auto withoutProxy = [](ServerAddress server) {
        server.proxy.clear();
        return server.toUriWithoutPassword();
    };
    const QString uri = address.toUriWithoutPassword(), direct = withoutProxy(address);
    std::optional<StoredServer> elsewhere; // the same server on another way
    for (const StoredServer &known : servers) {
        if (known.address.toUriWithoutPassword() == uri)
            return known;
        if (withoutProxy(known.address) == direct &&
            (!elsewhere || known.environment == Environment::Production))
            elsewhere = known;
    }
    return elsewhere;
}

/// True for a server of a shared list as it stands there: a copy would not follow the list.
bool isAsShared(StoredServer server)
{
    if (!saysNothingOfTrust(server.address) || !server.address.passwordCommand.isEmpty())
        return false;
    server.sharedFile.clear();
    return std::ranges::any_of(sharedServers().servers, [&](StoredServer shared) {
        if (shared.address.toUriWithoutPassword() != server.address.toUriWithoutPassword())
            return false;
        shared = protectedServer(shared);
        shared.sharedFile.clear();
        shared.address = server.address; // with its password
        return shared == server;
    });
}

} // namespace

QList<StoredServer> storedServers()
{
    Settings settings;
    QList<StoredServer> servers;
    const int size = std::min(settings.beginReadArray(arrayName()), maxRead);
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
        StoredServer server{settings.value(QStringLiteral("name")).toString(), *address,
                            settings.value(QStringLiteral("readOnly")).toBool()};
        const QString environment = settings.value(QStringLiteral("environment")).toString();
        // A word that a later version wrote: what it stands for is not known, so nothing is made easy.
        server.environment =
            environmentName.valueOf(environment.toLatin1()).value_or(Environment::Production);
        server.group = settings.value(QStringLiteral("group")).toString();
        server.keepsPasswords = settings.value(QStringLiteral("keepsPasswords")).toBool();
        server.address.passwordCommand = settings.value(QStringLiteral("passwordCommand")).toString();
        server.probeCommand = settings.value(QStringLiteral("probeCommand")).toString();
        servers.append(server);
    }
    return servers;
}

QList<StoredServer> knownServers()
{
    QList<StoredServer> servers = storedServers();
    QSet<QString> own;
    for (const StoredServer &server : std::as_const(servers))
        own.insert(server.address.toUriWithoutPassword());
    for (const StoredServer &shared : sharedServers().servers) {
        if (!own.contains(shared.address.toUriWithoutPassword()))
            servers.append(shared);
    }
    for (StoredServer &server : servers)
        server = protectedServer(server);
    return servers;
}

std::optional<StoredServer> storedServer(const ServerAddress &address)
{
    return findIn(knownServers(), address);
}

StoredServer completedServer(StoredServer server)
{
    const auto known = storedServer(server.address);
    if (!known)
        return protectedServer(server);
    if (server.name.isEmpty())
        server.name = known->name;
    if (server.group.isEmpty())
        server.group = known->group;
    if (server.environment == Environment::Unset)
        server.environment = known->environment;
    if (server.probeCommand.isEmpty())
        server.probeCommand = known->probeCommand;
    // An address that is typed alone must not reach another one than the pinned server.
    if (saysNothingOfTrust(server.address))
        takeTrust(server.address, known->address);
    if (server.address.password.isEmpty() && server.address.passwordCommand.isEmpty() &&
        server.address.user == known->address.user)
        server.address.passwordCommand = known->address.passwordCommand;
    server.readOnly = server.readOnly || known->readOnly;
    server.keepsPasswords = server.keepsPasswords || known->keepsPasswords;
    return protectedServer(server);
}

void rememberServer(const StoredServer &server)
{
    QList<StoredServer> servers = storedServers();
    if (!findIn(servers, server.address) && isAsShared(server))
        return;
    const QString uri = server.address.toUriWithoutPassword();
    StoredServer first = server;
    first.keepsPasswords = false;
    if (const auto known = storedServer(server.address)) {
        first.keepsPasswords = known->keepsPasswords; // as another window may have changed it
        if (server.address.insecure)                  // which is said for one time
            takeTrust(first.address, known->address);
    }
    servers.removeIf([&](const StoredServer &known) { return known.address.toUriWithoutPassword() == uri; });
    for (StoredServer &known : servers) {
        if (known.name == server.name)
            known.name.clear();
    }
    servers.prepend(first);
    // Whose passwords are kept is forgotten by the user alone: nothing would remove them from the keychain.
    int unnamed = 0;
    int others = 0;
    servers.removeIf([&](const StoredServer &known) {
        return !known.keepsPasswords && ((known.name.isEmpty() && ++unnamed > maxUnnamed) || ++others > most);
    });
    keep(servers);
}

void setKeepsPasswords(const ServerAddress &address, bool keeps)
{
    QList<StoredServer> servers = storedServers();
    const QString uri = address.toUriWithoutPassword();
    bool isChanged = false;
    for (StoredServer &known : servers) {
        if (known.address.toUriWithoutPassword() == uri)
            isChanged |= std::exchange(known.keepsPasswords, keeps) != keeps;
    }
    if (isChanged)
        keep(servers);
}

bool keepsPasswords(const ServerAddress &address)
{
    const auto known = findIn(storedServers(), address);
    return known && known->keepsPasswords;
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
    if (Settings::areNewer())
        return failedWith(ErrorKind::InvalidArgument,
                          QT_TRANSLATE_NOOP("phrases", "A newer Lockscope stored the servers. Update "
                                                       "Lockscope, or give the server's address."));
    QStringList names;
    for (const StoredServer &server : knownServers()) {
        if (server.name == name && !name.isEmpty())
            return server;
        if (!server.name.isEmpty() && names.size() < maxTold)
            names.append(server.name);
    }
    if (names.isEmpty())
        return failedWith(
            ErrorKind::InvalidArgument,
            QT_TRANSLATE_NOOP("phrases",
                              "No stored server is called “%1”. Connect to it once in the window."),
            name.toUtf8());
    return failedWith(ErrorKind::InvalidArgument,
                      QT_TRANSLATE_NOOP("phrases", "No stored server is called “%1”. Stored: %2."),
                      name.toUtf8(), names.join(QStringLiteral(", ")).toUtf8());
}

} // namespace lockscope
