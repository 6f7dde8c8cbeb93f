// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/simulateoptions.h"
#include "app/words.h"
#include "core/act/acquirerefusal.h"
#include "core/base/printable.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/words/actionpreview.h"
#include "core/words/phrases.h"

#include <QFile>

#include <algorithm>
#include <limits>
#include <vector>

namespace lockscope {

namespace {

constexpr unsigned connection = everywhere | namesServer;
constexpr unsigned byOwner = scopeOf(Verb::Acquire) | scopeOf(Verb::Release) | scopeOf(Verb::Extend);
constexpr unsigned actions = byOwner | scopeOf(Verb::ForceExpire) | scopeOf(Verb::RemoveWaiter);
constexpr unsigned oneKey = scopeOf(Verb::Get) | scopeOf(Verb::Who) | actions;

/// Seconds as a lease takes them, or 0.
std::optional<milliseconds> seconds(const QByteArray &text)
{
    if (const auto lease = Lease::fromSeconds(text))
        return lease->value();
    const bool zero =
        text.contains('0') && std::ranges::all_of(text, [](char c) { return c == '0' || c == '.'; });
    return zero && text.count('.') <= 1 ? std::optional(milliseconds(0)) : std::nullopt;
}

template <bool Options::*flag>
Result<void> set(Options &options, const QByteArray &)
{
    options.*flag = true;
    return {};
}

template <std::optional<milliseconds> Options::*duration>
Result<void> takeSeconds(Options &options, const QByteArray &value)
{
    options.*duration = seconds(value);
    if (!(options.*duration))
        return usageError(
            Words::tr("A duration is a number of seconds, 0 or at least 0.001, as in 30 or 0.5."));
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

Result<void> takeSentinels(Options &options, const QByteArray &value)
{
    auto sentinels = ServerAddress::parseSentinels(QString::fromUtf8(value));
    if (!sentinels)
        return usageError(Words::tr("--sentinel takes HOST:PORT[,HOST:PORT...], as in host1:26379,host2."));
    options.server.sentinels = std::move(*sentinels);
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

Result<void> takeOwner(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--owner must not be empty."));
    options.owner = OwnerId(value);
    return {};
}

Result<void> takeWaiter(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--waiter must not be empty."));
    options.owner = OwnerId(value);
    return {};
}

Result<void> takePattern(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--pattern must not be empty."));
    options.patterns.append(value);
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
    options.server.socketPath = QFile::decodeName(value);
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
    const QByteArray fromEnvironment = options.server.password;
    const QByteArray ofSentinels = options.server.sentinelPassword;
    const QByteArray ofKey = options.server.keyPassphrase;
    options.server = *read;
    options.server.sentinelPassword = ofSentinels;
    options.server.keyPassphrase = ofKey;
    if (options.server.password.isEmpty())
        options.server.password = fromEnvironment;
    else
        options.warnings.append(
            Words::tr("a password in the address after -u can be read by others on this machine: use "
                      "--askpass or REDISCLI_AUTH"));
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

Result<void> takeFamily(Options &options, const QByteArray &value)
{
    options.family = familyFromName(value);
    if (!options.family || options.family->isUnknown())
        return usageError(Words::tr("--family takes a family as list shows it: reentrant, token, …"));
    if (const Phrase reason = acquireRefusal(*options.family); !reason.isEmpty())
        return usageError(inWords(reason));
    return {};
}

Result<void> takeLease(Options &options, const QByteArray &value)
{
    options.lease = Lease::fromSeconds(value);
    if (!options.lease)
        return usageError(Words::tr("--lease takes a number of seconds, at least 0.001, as in 30 or 0.5."));
    return {};
}

Result<void> takeExpectedOwner(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--expect-owner must not be empty."));
    options.expected.append(LockOwner{OwnerId(value), {}, {}});
    return {};
}

Result<void> takeExpectedHolds(Options &options, const QByteArray &value)
{
    if (options.expected.isEmpty() || options.expected.back().holdCount)
        return usageError(
            Words::tr("Each --expect-holds must follow the --expect-owner that it belongs to."));
    options.expected.back().holdCount = parseCount(value);
    if (!options.expected.back().holdCount)
        return usageError(Words::tr("--expect-holds takes a whole number from 1 to 999999999999999."));
    options.expected.back().rawHoldCount = value;
    return {};
}

Result<void> takeShare(Options &options, const QByteArray &value)
{
    bool isNumber = false;
    const double percent = value.toDouble(&isNumber);
    const bool isPlain =
        std::ranges::all_of(value, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    if (!isNumber || !isPlain || percent < 0.1 || percent > 100)
        return usageError(Words::tr("--share takes a percentage from 0.1 to 100, as in 25."));
    options.share = percent / 100;
    return {};
}

Result<void> takeAclServer(Options &options, const QByteArray &value)
{
    options.aclServer = aclServerFromName(value);
    if (!options.aclServer)
        return usageError(Words::tr("--server takes 6, 7, 8 or valkey."));
    return {};
}

constexpr std::array rows{
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
    OptionRow{0, "replica", "", connection,
              QT_TRANSLATE_NOOP("lockscope::app", "read from a replica that the Sentinels name"),
              [](Options &options, const QByteArray &) -> Result<void> {
                  options.server.readsReplica = true;
                  return {};
              }},
    OptionRow{
        0, "pattern", "GLOB", everywhere & ~scopeOf(Verb::Simulate),
        QT_TRANSLATE_NOOP("lockscope::app", "key pattern to scan for; repeatable (lock:*, lock_*, *:lock)"),
        takePattern, true},
    OptionRow{0, "read-only", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "refuse every action"),
              set<&Options::readOnly>},
    OptionRow{0, "demo", "", everywhere,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "use a private server with a running simulation; removed at the end"),
              set<&Options::demo>},
    OptionRow{0, "version", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print the version and end"),
              set<&Options::version>},
    OptionRow{0, "help", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print this and end"),
              set<&Options::help>},
    OptionRow{0, "json", "", anyVerb, QT_TRANSLATE_NOOP("lockscope::app", "print JSON"), set<&Options::json>},
    OptionRow{0, "base64", "", oneKey,
              QT_TRANSLATE_NOOP("lockscope::app", "KEY and the given owners are base64"),
              set<&Options::base64>},
    OptionRow{0, "owner", "ID", byOwner, QT_TRANSLATE_NOOP("lockscope::app", "owner ID"), takeOwner},
    OptionRow{0, "lease", "SECONDS", byOwner | scopeOf(Verb::Simulate),
              QT_TRANSLATE_NOOP("lockscope::app", "lease time in seconds (simulate: 2)"), takeLease},
    OptionRow{0, "family", "F", scopeOf(Verb::Acquire),
              QT_TRANSLATE_NOOP("lockscope::app", "family: reentrant, token, ... (reentrant)"), takeFamily},
    OptionRow{
        0, "wait", "SECONDS", scopeOf(Verb::Acquire),
        QT_TRANSLATE_NOOP("lockscope::app", "retry time in seconds while another owner holds the lock (0)"),
        takeSeconds<&Options::wait>},
    OptionRow{0, "all", "", scopeOf(Verb::Release) | scopeOf(Verb::List),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "release: all levels; list: also hidden keys that are probably no locks"),
              set<&Options::all>},
    OptionRow{0, "expect-owner", "ID", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "expected owner; repeatable"), takeExpectedOwner, true},
    OptionRow{0, "expect-holds", "N", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "expected hold count of the preceding --expect-owner"),
              takeExpectedHolds, true},
    OptionRow{
        0, "only", "", scopeOf(Verb::ForceExpire),
        QT_TRANSLATE_NOOP("lockscope::app", "expire only the given owners, such as one of several readers"),
        set<&Options::onlyExpected>},
    OptionRow{0, "waiter", "ID", scopeOf(Verb::RemoveWaiter),
              QT_TRANSLATE_NOOP("lockscope::app", "dead waiter in the queue"), takeWaiter},
    OptionRow{0, "grace", "SECONDS", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "grace period in seconds before the lock expires (0)"),
              takeSeconds<&Options::grace>},
    OptionRow{0, "explain", "", scopeOf(Verb::Get),
              QT_TRANSLATE_NOOP("lockscope::app", "explain the lock's state and the effects of force-expire"),
              set<&Options::explain>},
    OptionRow{0, "duration", "SECONDS", scopeOf(Verb::Watch) | scopeOf(Verb::Simulate) | scopeOf(Verb::Who),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "duration in seconds (watch: until Ctrl-C; simulate: 5; who: 3, at most 30)"),
              takeSeconds<&Options::duration>},
    OptionRow{0, "share", "PERCENT", scopeOf(Verb::List) | scopeOf(Verb::Search) | scopeOf(Verb::Watch),
              QT_TRANSLATE_NOOP(
                  "lockscope::app",
                  "load budget in percent of one server core; 100: full speed (5; 25 for the first scan)"),
              takeShare},
    OptionRow{0, "server", "VERSION", scopeOf(Verb::AclLine),
              QT_TRANSLATE_NOOP("lockscope::app", "6, 7, 8 (also Redis 7.4) or valkey (7)"), takeAclServer},
    OptionRow{
        0, "clients", "", scopeOf(Verb::AclLine) | scopeOf(Verb::AclCheck),
        QT_TRANSLATE_NOOP("lockscope::app", "include what the verb who needs (CLIENT LIST and MONITOR)"),
        set<&Options::findsClients>},
};

constexpr std::array verbs{
    VerbRow{Verb::List, "list", "", QT_TRANSLATE_NOOP("lockscope::app", "scan once and list every lock")},
    VerbRow{Verb::Get, "get", "KEY", QT_TRANSLATE_NOOP("lockscope::app", "show one lock")},
    VerbRow{Verb::Acquire, "acquire", "KEY --owner ID --lease SECONDS",
            QT_TRANSLATE_NOOP("lockscope::app", "acquire a lock as ID")},
    VerbRow{Verb::Release, "release", "KEY --owner ID",
            QT_TRANSLATE_NOOP("lockscope::app", "release one level, or all levels")},
    VerbRow{Verb::Extend, "extend", "KEY --owner ID --lease SECONDS",
            QT_TRANSLATE_NOOP("lockscope::app", "set a new lease if ID holds the lock")},
    VerbRow{Verb::ForceExpire, "force-expire", "KEY --expect-owner ID",
            QT_TRANSLATE_NOOP("lockscope::app", "expire the lock now if owner and hold count still match")},
    VerbRow{Verb::RemoveWaiter, "remove-waiter", "KEY --waiter ID",
            QT_TRANSLATE_NOOP("lockscope::app", "remove a dead waiter from a fair queue")},
    VerbRow{Verb::Watch, "watch", "",
            QT_TRANSLATE_NOOP("lockscope::app", "print changes live, one event per line")},
    VerbRow{
        Verb::Search, "search", "",
        QT_TRANSLATE_NOOP("lockscope::app", "find locks by content, whatever their names; reads every key")},
    VerbRow{Verb::Who, "who", "KEY",
            QT_TRANSLATE_NOOP("lockscope::app",
                              "find the clients of a lock by reading every command (MONITOR); costly")},
    VerbRow{Verb::AuditVerify, "audit verify", "[FILE]",
            QT_TRANSLATE_NOOP("lockscope::app", "check the hash chain of the audit log")},
    VerbRow{Verb::AclLine, "acl", "monitor|operator|sentinels",
            QT_TRANSLATE_NOOP("lockscope::app", "print the command that creates an ACL user with the "
                                                "permissions needed and no others")},
    VerbRow{Verb::AclCheck, "acl check", "[monitor|operator]",
            QT_TRANSLATE_NOOP("lockscope::app", "list the permissions that this login lacks")},
    VerbRow{Verb::Simulate, "simulate", "(--scenario NAME | --strategy NAME ...)",
            QT_TRANSLATE_NOOP("lockscope::app", "simulate lock contention and faults, and print a report; on "
                                                "a private server unless one is given")},
};

} // namespace

tl::unexpected<Error> usageError(const QString &why)
{
    return tl::unexpected(Error{ErrorKind::InvalidArgument, why.toUtf8()});
}

std::optional<qint64> wholeNumber(const QByteArray &text, qint64 max)
{
    bool fits = false;
    const qint64 number = text.toLongLong(&fits);
    const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return fits && digits && number <= max ? std::optional(number) : std::nullopt;
}

std::span<const OptionRow> optionRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> joined(rows.begin(), rows.end());
        joined.insert(joined.end(), simulateRows().begin(), simulateRows().end());
        return joined;
    }();
    return all;
}

std::span<const VerbRow> verbRows()
{
    return verbs;
}

} // namespace lockscope
