// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sharedservers.h"

#include "core/redis/serverlist.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxBytes = 1'000'000;
constexpr qsizetype maxLines = 10'000;
constexpr qsizetype maxFiles = 100;
constexpr qsizetype maxServers = 1'000;
constexpr qsizetype maxFaults = 20;

/// What a protection holds for: each server, Sentinel or group member of the address.
QStringList placesOf(const ServerAddress &address)
{
    const QString way = address.sshHost + u'\n' + address.primaryName + u'\n';
    if (address.transport == ServerAddress::Transport::Unix)
        return {way + address.socketPath};
    QStringList places;
    for (const NodeAddress &node : namedNodes(address))
        places.append(way + node.toDisplayString().toLower());
    return places;
}

class Reader
{
public:
    SharedServers take() { return std::move(m_read); }

    void readFolder(const QString &path)
    {
        const QDir folder(path);
        for (const QString &name : folder.entryList({QStringLiteral("*.servers")}, QDir::Files, QDir::Name))
            readFile(folder.filePath(name));
    }

private:
    void readFile(const QString &path)
    {
        const QString canonical = QFileInfo(path).canonicalFilePath();
        if (m_seen.contains(canonical))
            return; // included twice, or by itself
        if (m_seen.size() == maxFiles)
            return addFault(path, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1 files"), maxFiles));
        m_seen.insert(canonical);
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return addFault(path, 0, Phrase::verbatim(file.errorString()));
        const QByteArray text = file.read(maxBytes + 1);
        if (text.size() > maxBytes)
            return addFault(path, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "larger than %1 bytes"), maxBytes));
        if (text.count('\n') > maxLines)
            return addFault(path, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1 lines"), maxLines));
        for (const ServerLine &line : parseServerList(QString::fromUtf8(text)))
            takeLine(path, line);
    }

    void takeLine(const QString &path, const ServerLine &line)
    {
        if (!line.included.isEmpty()) {
            const QFileInfo included(QFileInfo(path).dir(), line.included);
            if (included.isDir())
                readFolder(included.filePath());
            else if (included.isFile())
                readFile(included.filePath());
            else
                addFault(
                    path, line.number,
                    Phrase(QT_TRANSLATE_NOOP("phrases", "No such file or folder: %1"), included.filePath()));
            return;
        }
        if (!line.server)
            return addFault(path, line.number, line.server.error().because());
        if (line.hadPassword)
            addFault(
                path, line.number,
                Phrase(QT_TRANSLATE_NOOP("phrases", "The password is not used: others can read this file.")));
        add(path, line.number, *line.server);
    }

    void add(const QString &path, int line, StoredServer server)
    {
        for (const QString &place : placesOf(server.address)) {
            SharedServers::Protection &protection = m_read.protections[place];
            protection.readOnly = protection.readOnly || server.readOnly;
            if (server.environment > Environment::Development) // which asks less than none
                protection.environment = std::max(protection.environment, server.environment);
        }
        const QString uri = server.address.toUriWithoutPassword();
        if (m_uris.contains(uri))
            return;
        if (m_uris.size() == maxServers)
            return addFault(path, line,
                            Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1 servers"), maxServers));
        m_uris.insert(uri);
        if (!server.name.isEmpty() && m_names.contains(server.name)) {
            addFault(path, line,
                     Phrase(QT_TRANSLATE_NOOP("phrases", "The name “%1” is already that of another server."),
                            server.name.toUtf8()));
            server.name.clear();
        }
        m_names.insert(server.name);
        server.sharedFile = path;
        m_read.servers.append(server);
    }

    void addFault(const QString &path, int line, const Phrase &what)
    {
        if (m_read.faults.size() == maxFaults)
            m_read.faults.append(Phrase(QT_TRANSLATE_NOOP("phrases", "Shared lists have more faults.")));
        if (m_read.faults.size() > maxFaults)
            return;
        m_read.faults.append(line == 0
                                 ? Phrase("%1: %2", path, what)
                                 : Phrase("%1:%2: %3", path, Phrase::verbatim(QString::number(line)), what));
    }

    SharedServers m_read;
    QSet<QString> m_seen;
    QSet<QString> m_uris;
    QSet<QString> m_names;
};

} // namespace

QList<NodeAddress> namedNodes(const ServerAddress &address)
{
    return address.isBySentinels() ? address.sentinels
           : address.isGroup()     ? address.members
                                   : QList{NodeAddress{address.host, address.port}};
}

QStringList sharedServerFolders()
{
    QStringList folders = QStandardPaths::standardLocations(QStandardPaths::GenericConfigLocation);
    for (QString &folder : folders)
        folder += QStringLiteral("/lockscope/servers");
    return folders;
}

SharedServers readSharedServers(const QStringList &folders)
{
    Reader reader;
    for (const QString &folder : folders)
        reader.readFolder(folder);
    return reader.take();
}

const SharedServers &sharedServers()
{
    static const SharedServers servers = readSharedServers(sharedServerFolders());
    return servers;
}

StoredServer protectedServer(StoredServer server)
{
    for (const QString &place : placesOf(server.address)) {
        const SharedServers::Protection protection = sharedServers().protections.value(place);
        server.readOnly = server.readOnly || protection.readOnly;
        server.environment = std::max(server.environment, protection.environment);
    }
    return server;
}

} // namespace lockscope
