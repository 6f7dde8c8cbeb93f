// SPDX-License-Identifier: GPL-3.0-or-later
// The options that say which server, how to get there, and how to log in.
#include "app/optiontable.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/redis/storedservers.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope {

namespace {

constexpr unsigned connection = everywhere | namesServer;

template <bool Options::*flag>
Result<void> set(Options &options, const QByteArray &)
{
    options.*flag = true;
    return {};
}

template <QString ServerAddress::*file>
Result<void> takeFile(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("The name of a file must not be empty."));
    options.server.*file = QFile::decodeName(value);
    return {};
}

Result<void> takeTls(Options &options, const QByteArray &)
{
    options.server.transport = ServerAddress::Transport::Tls;
    return {};
}

Result<void> takePin(Options &options, const QByteArray &value)
{
    if (!options.server.addPin(value))
        return usageError(
            Words::tr("--pin takes the SHA-256 fingerprint of a certificate: 64 hexadecimal digits."));
    return {};
}

Result<void> takeInsecure(Options &options, const QByteArray &)
{
    options.server.insecure = true;
    return {};
}

Result<void> takeServerName(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--sni takes a host's name."));
    options.server.serverName = QString::fromUtf8(value);
    return {};
}

Result<void> takeNodeAddress(Options &options, const QByteArray &value)
{
    if (!options.server.addNodeAddress(value))
        return usageError(Words::tr("--node-address takes ANNOUNCED=REACHABLE, as in "
                                    "10.0.0.5:6379=localhost:7001 or 10.0.0.5=localhost."));
    return {};
}

Result<void> takeSshHost(Options &options, const QByteArray &value)
{
    if (!isValidUtf8(value) || !options.server.setSshHost(QString::fromUtf8(value)))
        return usageError(
            Words::tr("--ssh takes [USER@]HOST[:PORT], as in ops@bastion: a name that ssh knows."));
    return {};
}

Result<void> takeSentinels(Options &options, const QByteArray &value)
{
    auto sentinels = ServerAddress::parseSentinels(QString::fromUtf8(value));
    if (!sentinels)
        return usageError(Words::tr("--sentinel takes HOST:PORT[,HOST:PORT...], as in host1:26379,host2."));
    options.server.sentinels = std::move(*sentinels);
    return {};
}

Result<void> takeMembers(Options &options, const QByteArray &value)
{
    auto members = ServerAddress::parseMembers(QString::fromUtf8(value));
    if (!members)
        return tl::unexpected(members.error());
    options.server.members = std::move(*members);
    return {};
}

Result<void> takePrimaryName(Options &options, const QByteArray &value)
{
    if (value.isEmpty() || !isValidUtf8(value))
        return usageError(Words::tr("--master takes the name under which the Sentinels know the primary."));
    options.server.primaryName = QString::fromUtf8(value);
    return {};
}

Result<void> takeSentinelUser(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(
            Words::tr("--sentinel-user must not be empty. Leave it out for the Sentinels' default user."));
    options.server.sentinelUser = value;
    return {};
}

Result<void> takeUser(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--user must not be empty. Leave it out for the default user."));
    options.server.user = value;
    return {};
}

Result<void> takeHost(Options &options, const QByteArray &value)
{
    const bool isIpv6 = value.count(':') > 1;
    if (value.isEmpty() ||
        std::ranges::any_of(value, [](char c) { return QByteArrayView("/@?#[]").contains(c); }) ||
        (value.contains(':') && !isIpv6))
        return usageError(Words::tr(
            "-h takes a host's name or IP address alone. Give the port with -p, a socket with -s, a URI "
            "with -u."));
    const auto read = ServerAddress::parse(QString::fromUtf8(isIpv6 ? '[' + value + ']' : value));
    if (!read)
        return tl::unexpected(read.error());
    options.server.host = read->host;
    return {};
}

Result<void> takePort(Options &options, const QByteArray &value)
{
    const auto port = wholeNumber(value, 65535);
    if (!port || *port < 1)
        return usageError(Words::tr("-p takes a port from 1 to 65535."));
    options.server.port = static_cast<quint16>(*port);
    return {};
}

Result<void> takeDatabase(Options &options, const QByteArray &value)
{
    const auto database = wholeNumber(value, std::numeric_limits<int>::max());
    if (!database)
        return usageError(Words::tr("-n takes a database's number, from 0."));
    options.server.database = static_cast<int>(*database);
    return {};
}

Result<void> takeSocket(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("-s takes the path of a Unix socket."));
    options.server.transport = ServerAddress::Transport::Unix;
    // QLocalSocket would look for a relative one among the temporary files.
    options.server.socketPath = QFileInfo(QFile::decodeName(value)).absoluteFilePath();
    return {};
}

/// What the environment says of passwords stays.
void takeAddress(Options &options, const ServerAddress &address)
{
    const QByteArray fromEnvironment = options.server.password;
    const QByteArray ofSentinels = options.server.sentinelPassword;
    const QByteArray ofKey = options.server.keyPassphrase;
    options.server = address;
    options.server.sentinelPassword = ofSentinels;
    options.server.keyPassphrase = ofKey;
    if (options.server.password.isEmpty())
        options.server.password = fromEnvironment;
}

/// As an address: before all others.
Result<void> takeStored(Options &options, const QByteArray &value)
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

/// Comes before all others, which win over it.
Result<void> takeUri(Options &options, const QByteArray &value)
{
    if (!isValidUtf8(value))
        return usageError(Words::tr("The address after -u is not valid UTF-8. Percent-encode such bytes."));
    const auto read = ServerAddress::parse(QString::fromUtf8(value));
    if (!read)
        return tl::unexpected(read.error());
    if (!read->password.isEmpty())
        options.warnings.append(
            Words::tr("a password in the address after -u can be read by others on this machine: use "
                      "--askpass or REDISCLI_AUTH"));
    takeAddress(options, *read);
    return {};
}

Result<void> takePassword(Options &options, const QByteArray &value)
{
    options.server.password = value;
    if (!value.isEmpty())
        options.warnings.append(Words::tr(
            "a password after -a can be read by others on this machine: use --askpass or REDISCLI_AUTH"));
    return {};
}

const std::array rows{
    OptionRow{'h', "", "HOST", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "server's host name or IP address (localhost)"), takeHost},
    OptionRow{'p', "", "PORT", connection, QT_TRANSLATE_NOOP("lockscope::app", "server's port (6379)"),
              takePort},
    OptionRow{'s', "", "SOCKET", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "server's Unix socket, instead of host and port"),
              takeSocket},
    OptionRow{'n', "", "DB", connection, QT_TRANSLATE_NOOP("lockscope::app", "number of the database (0)"),
              takeDatabase},
    OptionRow{'u', "", "URI", connection,
              QT_TRANSLATE_NOOP(
                  "lockscope::app",
                  "redis://[[user]:password@]host[:port][/db], rediss:// or unix://; other options win"),
              takeUri},
    OptionRow{0, "connect", "NAME", connection,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "server stored by the window under this name; lockscope: repeatable"),
              takeStored, true},
    OptionRow{0, "user", "NAME", connection, QT_TRANSLATE_NOOP("lockscope::app", "user to log in as"),
              takeUser},
    OptionRow{'a', "", "PASSWORD", connection,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "password; others can read it: prefer --askpass or REDISCLI_AUTH"),
              takePassword},
    OptionRow{0, "askpass", "", connection, QT_TRANSLATE_NOOP("lockscope::app", "prompt for the password"),
              set<&Options::askPassword>},
    OptionRow{0, "tls", "", connection, QT_TRANSLATE_NOOP("lockscope::app", "encrypt the connection"),
              takeTls},
    OptionRow{0, "cacert", "FILE", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "certificates to trust (PEM), instead of the system's"),
              takeFile<&ServerAddress::caFile>},
    OptionRow{0, "cacertdir", "DIR", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "directory of certificates to trust (PEM)"),
              takeFile<&ServerAddress::caFile>},
    OptionRow{0, "cert", "FILE", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "client's certificate (PEM), with --key"),
              takeFile<&ServerAddress::certificateFile>},
    OptionRow{0, "key", "FILE", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "client's private key (PEM), with --cert"),
              takeFile<&ServerAddress::keyFile>},
    OptionRow{0, "key-askpass", "", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "prompt for the passphrase of the key"),
              set<&Options::askKeyPassphrase>},
    OptionRow{0, "sni", "NAME", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "name that the server's certificate must carry (the host)"),
              takeServerName},
    OptionRow{0, "pin", "SHA256", connection,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "trust the server's certificate by its fingerprint alone; repeatable"),
              takePin, true},
    OptionRow{0, "insecure", "", connection, QT_TRANSLATE_NOOP("lockscope::app", "accept any certificate"),
              takeInsecure},
    OptionRow{'c', "", "", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "follow a cluster; any node of one is noticed without it"),
              set<&Options::followsCluster>},
    OptionRow{0, "node-address", "A=B", connection,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "connect to B where the cluster announces A (HOST:PORT or HOST); repeatable"),
              takeNodeAddress, true},
    OptionRow{
        0, "ssh", "[USER@]HOST", connection,
        QT_TRANSLATE_NOOP("lockscope::app", "connect from that host, through a tunnel by the system's ssh"),
        takeSshHost},
    OptionRow{
        0, "sentinel", "A[,B]", connection,
        QT_TRANSLATE_NOOP("lockscope::app", "Sentinels (HOST:PORT) that name the server, with --master"),
        takeSentinels},
    OptionRow{0, "master", "NAME", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "name of the primary that the Sentinels watch"),
              takePrimaryName},
    OptionRow{0, "sentinel-user", "NAME", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "user to log in as at the Sentinels"), takeSentinelUser},
    OptionRow{0, "sentinel-askpass", "", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "prompt for the Sentinels' own password"),
              set<&Options::askSentinelPassword>},
    OptionRow{0, "redlock", "A,B[,C]", connection,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "independent primaries (HOST:PORT) of a Redlock group, shown as one"),
              takeMembers},
    OptionRow{0, "replica", "", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "read from a replica that the Sentinels name"),
              [](Options &options, const QByteArray &) -> Result<void> {
                  options.server.readsReplica = true;
                  return {};
              }},
};

} // namespace

std::span<const OptionRow> serverOptionRows()
{
    return rows;
}

} // namespace lockscope
