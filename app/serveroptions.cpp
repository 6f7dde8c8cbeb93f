// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/redis/storedservers.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

namespace {

constexpr unsigned connection = everywhere | namesServer;

Result<QString> hostFrom(const QByteArray &given)
{
    const bool isBracketed = given.startsWith('[') && given.endsWith(']') && given.contains(':');
    const QByteArray value = isBracketed ? given.sliced(1, given.size() - 2) : given;
    const bool isIpv6 = value.count(':') > 1;
    if (value.isEmpty() ||
        std::ranges::any_of(value, [](char c) { return QByteArrayView("/@?#[]").contains(c); }) ||
        (value.contains(':') && !isIpv6))
        return usageError(Words::tr("-h takes a host's name or IP address alone. Give the port with -p, a "
                                    "socket with -s, a URI with -u."));
    return ServerAddress::parse(QString::fromUtf8(isIpv6 ? '[' + value + ']' : value))
        .map(&ServerAddress::host);
}

Result<void> takeSocket(Options &options, const QByteArray &value, const QString &)
{
    if (value.isEmpty())
        return usageError(Words::tr("-s takes the path of a Unix socket."));
    options.server.transport = ServerAddress::Transport::Unix;
    // QLocalSocket would look for a relative one among the temporary files.
    options.server.socketPath = QFileInfo(QFile::decodeName(value)).absoluteFilePath();
    return {};
}

void takeAddress(Options &options, const ServerAddress &address)
{
    ServerAddress &server = options.server;
    const ServerAddress before = std::exchange(server, address);
    server.sentinelPassword = before.sentinelPassword;
    server.keyPassphrase = before.keyPassphrase;
    if (server.password.isEmpty())
        server.password = before.password;
}

/// Runs before all other options, like -u.
Result<void> takeStored(Options &options, const QByteArray &value, const QString &)
{
    const auto stored = storedServer(QString::fromUtf8(value));
    if (!stored)
        return tl::unexpected(stored.error());
    if (options.stored.isEmpty()) {
        takeAddress(options, stored->address);
        options.environment = stored->environment;
    }
    options.stored.append(*stored);
    return {};
}

/// Runs before all other options, which override it.
Result<void> takeUri(Options &options, const QByteArray &value, const QString &)
{
    if (!isValidUtf8(value))
        return usageError(Words::tr("The address after -u is not valid UTF-8. Percent-encode such bytes."));
    const auto read = ServerAddress::parse(QString::fromUtf8(value));
    if (!read)
        return tl::unexpected(read.error());
    if (!read->password.isEmpty())
        options.warnings.append(Words::tr("a password in the address after -u can be read by others on this "
                                          "machine: use --askpass or REDISCLI_AUTH"));
    takeAddress(options, *read);
    return {};
}

Result<void> takePassword(Options &options, const QByteArray &value, const QString &)
{
    options.server.password = value;
    if (!value.isEmpty())
        options.warnings.append(Words::tr(
            "a password after -a can be read by others on this machine: use --askpass or REDISCLI_AUTH"));
    return {};
}

} // namespace

std::vector<OptionRow> OptionGroups::server()
{
    return {
        {'h', "", "HOST", connection, QT_TR_NOOP("server's host name or IP address (localhost)"),
         into(&ServerAddress::host, hostFrom)},
        {'p', "", "PORT", connection, QT_TR_NOOP("server's port (6379)"),
         number(&ServerAddress::port, 1, 65535)},
        {'s', "", "SOCKET", connection, QT_TR_NOOP("server's Unix socket, instead of host and port"),
         OptionTarget{takeSocket}},
        {'n', "", "DB", connection, QT_TR_NOOP("number of the database (0)"),
         number(&ServerAddress::database, 0, std::numeric_limits<int>::max())},
        {'u', "", "URI", connection,
         QT_TR_NOOP("redis://[[user]:password@]host[:port][/db], rediss:// or unix://; other options win"),
         OptionTarget{takeUri}},
        {0, "connect", "NAME", connection,
         QT_TR_NOOP("server stored by the window under this name; lockscope: repeatable"),
         OptionTarget{takeStored, true}},
        {0, "user", "NAME", connection, QT_TR_NOOP("user to log in as"), text(&ServerAddress::user)},
        {'a', "pass", "PASSWORD", connection,
         QT_TR_NOOP("password; others can read it: prefer --askpass or REDISCLI_AUTH"),
         OptionTarget{takePassword}},
        {0, "askpass", "", connection, QT_TR_NOOP("prompt for the password"), flag(&Options::askPassword)},
        {0, "tls", "", connection, QT_TR_NOOP("encrypt the connection"),
         flag(&ServerAddress::transport, ServerAddress::Transport::Tls)},
        {0, "cacert", "FILE", connection, QT_TR_NOOP("certificates to trust (PEM), instead of the system's"),
         text(&ServerAddress::caFile)},
        {0, "cacertdir", "DIR", connection, QT_TR_NOOP("directory of certificates to trust (PEM)"),
         text(&ServerAddress::caFile)},
        {0, "cert", "FILE", connection, QT_TR_NOOP("client's certificate (PEM), with --key"),
         text(&ServerAddress::certificateFile)},
        {0, "key", "FILE", connection, QT_TR_NOOP("client's private key (PEM), with --cert"),
         text(&ServerAddress::keyFile)},
        {0, "key-askpass", "", connection, QT_TR_NOOP("prompt for the passphrase of the key"),
         flag(&Options::askKeyPassphrase)},
        {0, "sni", "NAME", connection, QT_TR_NOOP("name that the server's certificate must carry (the host)"),
         text(&ServerAddress::serverName)},
        {0, "pin", "SHA256", connection,
         QT_TR_NOOP("trust the server's certificate by its fingerprint alone; repeatable"),
         by([](Options &options, const QByteArray &value) { return options.server.addPin(value); },
            QT_TR_NOOP("%1 takes the SHA-256 fingerprint of a certificate: 64 hexadecimal digits."), true)},
        {0, "insecure", "", connection, QT_TR_NOOP("accept any certificate"), flag(&ServerAddress::insecure)},
        {'c', "", "", connection, QT_TR_NOOP("follow a cluster; any node of one is noticed without it"),
         flag(&Options::followsCluster)},
        {0, "node-address", "A=B", connection,
         QT_TR_NOOP("connect to B where the cluster announces A (HOST:PORT or HOST); repeatable"),
         by([](Options &options, const QByteArray &value) { return options.server.addNodeAddress(value); },
            QT_TR_NOOP(
                "%1 takes ANNOUNCED=REACHABLE, as in 10.0.0.5:6379=localhost:7001 or 10.0.0.5=localhost."),
            true)},
        {0, "ssh", "[USER@]HOST", connection,
         QT_TR_NOOP("connect from that host, through a tunnel by the system's ssh"),
         by(
             [](Options &options, const QByteArray &value) {
                 return isValidUtf8(value) && options.server.setSshHost(QString::fromUtf8(value));
             },
             QT_TR_NOOP("%1 takes [USER@]HOST[:PORT], as in ops@bastion: a name that ssh knows."))},
        {0, "sentinel", "A[,B]", connection,
         QT_TR_NOOP("Sentinels (HOST:PORT) that name the server, with --master"),
         into(
             &ServerAddress::sentinels,
             [](const QByteArray &value) { return ServerAddress::parseSentinels(QString::fromUtf8(value)); },
             QT_TR_NOOP("%1 takes HOST:PORT[,HOST:PORT...], as in host1:26379,host2."))},
        {0, "master", "NAME", connection, QT_TR_NOOP("name of the primary that the Sentinels watch"),
         into(
             &ServerAddress::primaryName,
             [](const QByteArray &value) {
                 return isValidUtf8(value) ? nonEmpty<QString>(value) : std::nullopt;
             },
             QT_TR_NOOP("%1 takes the name under which the Sentinels know the primary."))},
        {0, "sentinel-user", "NAME", connection, QT_TR_NOOP("user to log in as at the Sentinels"),
         text(&ServerAddress::sentinelUser)},
        {0, "sentinel-askpass", "", connection, QT_TR_NOOP("prompt for the Sentinels' own password"),
         flag(&Options::askSentinelPassword)},
        {0, "redlock", "A,B[,C]", connection,
         QT_TR_NOOP("independent primaries (HOST:PORT) of a Redlock group, shown as one"),
         into(&ServerAddress::members,
              [](const QByteArray &value) { return ServerAddress::parseMembers(QString::fromUtf8(value)); })},
        {0, "replica", "", connection, QT_TR_NOOP("read from a replica that the Sentinels name"),
         flag(&ServerAddress::readsReplica)},
    };
}

} // namespace lockscope
