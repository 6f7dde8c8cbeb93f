// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/redis/storedservers.h"
#include "core/words/phrases.h"

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
        return usageError(Words::tr("-h takes a host; -p is for a port, -s a socket, -u a URI."));
    return ServerAddress::parse(QString::fromUtf8(isIpv6 ? '[' + value + ']' : value))
        .map(&ServerAddress::host);
}

Result<void> takeSocket(Options &options, const QByteArray &value, const QString &option)
{
    if (value.isEmpty())
        return usageError(Words::tr(emptyRefusal).arg(option));
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

QString passwordWarning(const QString &option,
                        const QString &instead = QStringLiteral("--askpass, REDISCLI_AUTH"))
{
    return Words::tr("other users can read the password after %1: use %2").arg(option, instead);
}

/// Runs before all other options, which override it.
Result<void> takeUri(Options &options, const QByteArray &value, const QString &option)
{
    if (!isValidUtf8(value))
        return usageError(Words::tr("-u takes UTF-8. Percent-encode other bytes."));
    const auto read = ServerAddress::parse(QString::fromUtf8(value));
    if (!read)
        return tl::unexpected(read.error());
    if (!read->password.isEmpty())
        options.warnings.append(passwordWarning(option));
    if (!read->proxyPassword.isEmpty())
        options.warnings.append(passwordWarning(option, QStringLiteral("LOCKSCOPE_PROXY_AUTH")));
    takeAddress(options, *read);
    return {};
}

Result<void> takeProxy(Options &options, const QByteArray &value, const QString &option)
{
    if (!isValidUtf8(value) || !options.server.setProxy(QString::fromUtf8(value)))
        return usageError(exampleRefusal("http://proxy:3128, socks5://ops@proxy:1080")(option, value));
    if (!options.server.proxyPassword.isEmpty())
        options.warnings.append(passwordWarning(option, QStringLiteral("LOCKSCOPE_PROXY_AUTH")));
    return {};
}

Result<void> takePassword(Options &options, const QByteArray &value, const QString &option)
{
    options.server.password = value;
    if (!value.isEmpty())
        options.warnings.append(passwordWarning(option));
    return {};
}

} // namespace

Result<void> takeLink(Options &options, const QByteArrayList &words)
{
    if (words.size() != 1 || !words.first().toLower().startsWith("lockscope:"))
        return words.isEmpty() ? Result<void>() : usageError(Words::tr("Give a server's address with -u."));
    if (const auto link = ServerLink::parse(words.first()))
        options.link = *link;
    else
        options.badLink = inWords(link.error());
    return {};
}

std::vector<OptionRow> OptionGroups::server()
{
    return {
        {'h', "", "HOST", connection, QT_TR_NOOP("host name or IP address (localhost)"),
         into(&ServerAddress::host, hostFrom)},
        {'p', "", "PORT", connection, QT_TR_NOOP("port (6379)"), number(&ServerAddress::port, 1, 65535)},
        {'s', "", "SOCKET", connection, QT_TR_NOOP("Unix socket"), OptionTarget{takeSocket}},
        {'n', "", "DB", connection, QT_TR_NOOP("database (0)"),
         number(&ServerAddress::database, 0, std::numeric_limits<int>::max())},
        {'u', "", "URI", connection,
         QT_TR_NOOP(
             "redis://[[user]:password@]host[:port][/db], rediss://, unix://; overridden by other options"),
         OptionTarget{takeUri}},
        {0, "connect", "NAME", connection, QT_TR_NOOP("server stored in the window; lockscope: repeatable"),
         OptionTarget{takeStored, true}},
        {0, "user", "NAME", connection, QT_TR_NOOP("user"), text(&ServerAddress::user)},
        {'a', "pass", "PASSWORD", connection, QT_TR_NOOP("password, readable by other users"),
         OptionTarget{takePassword}},
        {0, "askpass", "", connection, QT_TR_NOOP("prompt for the password"), flag(&Options::askPassword)},
        {0, "password-command", "COMMAND", connection,
         QT_TR_NOOP("program, without a shell, that prints the password; run again before it ends"),
         text(&ServerAddress::passwordCommand)},
        {0, "tls", "", connection, QT_TR_NOOP("encrypt the connection"),
         flag(&ServerAddress::transport, ServerAddress::Transport::Tls)},
        {0, "cacert", "FILE", connection, QT_TR_NOOP("trusted certificates, PEM (the system's)"),
         text(&ServerAddress::caFile)},
        {0, "cacertdir", "DIR", connection, QT_TR_NOOP("directory of trusted certificates, PEM"),
         text(&ServerAddress::caFile)},
        {0, "cert", "FILE", connection, QT_TR_NOOP("client certificate, PEM"),
         text(&ServerAddress::certificateFile)},
        {0, "key", "FILE", connection, QT_TR_NOOP("private key, PEM"), text(&ServerAddress::keyFile)},
        {0, "key-askpass", "", connection, QT_TR_NOOP("prompt for the key's passphrase"),
         flag(&Options::askKeyPassphrase)},
        {0, "sni", "NAME", connection, QT_TR_NOOP("name in the server certificate (the host)"),
         text(&ServerAddress::serverName)},
        {0, "pin", "SHA256", connection,
         QT_TR_NOOP("trust only the certificate with this fingerprint; repeatable"),
         by([](Options &options, const QByteArray &value) { return options.server.addPin(value); },
            QT_TR_NOOP("%1 takes 64 hexadecimal digits."), true)},
        {0, "insecure", "", connection, QT_TR_NOOP("accept any certificate"), flag(&ServerAddress::insecure)},
        {'c', "", "", connection, QT_TR_NOOP("follow a cluster (also detected without -c)"),
         flag(&Options::followsCluster)},
        {0, "node-address", "A=B", connection,
         QT_TR_NOOP("connect to B for the announced address A; repeatable"),
         by([](Options &options, const QByteArray &value) { return options.server.addNodeAddress(value); },
            exampleRefusal("10.0.0.5:6379=localhost:7001, 10.0.0.5=localhost"), true)},
        {0, "ssh", "[USER@]HOST", connection, QT_TR_NOOP("connect through an ssh tunnel"),
         by(
             [](Options &options, const QByteArray &value) {
                 return isValidUtf8(value) && options.server.setSshHost(QString::fromUtf8(value));
             },
             exampleRefusal("bastion, ops@bastion:22"))},
        {0, "proxy", "URL", connection,
         QT_TR_NOOP("connect through a proxy: http://HOST:PORT (CONNECT) or socks5://HOST:PORT"),
         OptionTarget{takeProxy}},
        {0, "sentinel", "A[,B]", connection, QT_TR_NOOP("Sentinels, HOST:PORT"),
         into(
             &ServerAddress::sentinels,
             [](const QByteArray &value) { return ServerAddress::parseSentinels(QString::fromUtf8(value)); },
             exampleRefusal("host1:26379,host2"))},
        {0, "master", "NAME", connection, QT_TR_NOOP("primary watched by the Sentinels"),
         into(
             &ServerAddress::primaryName,
             [](const QByteArray &value) {
                 return isValidUtf8(value) ? nonEmpty<QString>(value) : std::nullopt;
             },
             exampleRefusal("mymaster"))},
        {0, "sentinel-user", "NAME", connection, QT_TR_NOOP("user at the Sentinels"),
         text(&ServerAddress::sentinelUser)},
        {0, "sentinel-askpass", "", connection, QT_TR_NOOP("prompt for the Sentinels' password"),
         flag(&Options::askSentinelPassword)},
        {0, "redlock", "A,B[,C]", connection,
         QT_TR_NOOP("independent primaries of a Redlock group, HOST:PORT"),
         into(&ServerAddress::members,
              [](const QByteArray &value) { return ServerAddress::parseMembers(QString::fromUtf8(value)); })},
        {0, "replica", "", connection, QT_TR_NOOP("read from a replica named by the Sentinels"),
         flag(&ServerAddress::readsReplica)},
    };
}

} // namespace lockscope
