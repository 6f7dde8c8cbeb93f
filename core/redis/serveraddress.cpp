// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/serveraddress.h"

#include "core/base/ascii.h"

#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cctype>
#include <optional>

namespace lockscope {

namespace {

constexpr quint16 sentinelPort = 26379;
constexpr int maxSentinels = 32;
constexpr int maxMembers = 15;

template <typename... Arguments>
tl::unexpected<Error> refuse(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::InvalidArgument, why, arguments...);
}

bool hasControlCharacter(QStringView text)
{
    return std::ranges::any_of(text, [](QChar c) { return c.category() == QChar::Other_Control; });
}

// Blanks and invisible characters come with text pasted from a chat or a web page, and no address has any.
bool hasBlankOrInvisible(QStringView text)
{
    return std::ranges::any_of(text, [](QChar c) {
        return c.isSpace() || c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
    });
}

bool isHostName(QStringView text)
{
    return std::ranges::all_of(text, [](QChar c) {
        return c.isLetterOrNumber() || c.isSurrogate() || c.isMark() || c == u'-' || c == u'.' || c == u'_';
    });
}

/// Absent if a '%' is not followed by two hexadecimal digits.
std::optional<QByteArray> percentDecoded(QStringView text)
{
    const QByteArray encoded = text.toUtf8();
    const auto isHexDigit = [&](qsizetype at) {
        return at < encoded.size() && std::isxdigit(static_cast<unsigned char>(encoded[at])) != 0;
    };
    for (qsizetype at = encoded.indexOf('%'); at >= 0; at = encoded.indexOf('%', at + 1)) {
        if (!isHexDigit(at + 1) || !isHexDigit(at + 2))
            return std::nullopt;
    }
    return QByteArray::fromPercentEncoding(encoded);
}

/// Digits only: toInt() alone would take a sign and blanks.
std::optional<int> wholeNumber(QStringView text)
{
    const auto isDigit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    bool fits = false;
    const int value = text.toInt(&fits);
    if (!fits || !std::ranges::all_of(text, isDigit))
        return std::nullopt;
    return value;
}

Result<void> readDatabase(ServerAddress &address, QStringView text)
{
    const std::optional<int> database = wholeNumber(text);
    if (!database)
        return refuse(
            QT_TRANSLATE_NOOP("phrases", "The database must be a whole number, as in redis://host:6379/2."));
    address.database = *database;
    return {};
}

Result<void> readQuery(ServerAddress &address, QStringView query)
{
    for (const QStringView item : query.split(u'&')) {
        constexpr QLatin1String ssh("ssh=");
        if (item.startsWith(ssh)) {
            const auto host = percentDecoded(item.sliced(ssh.size()));
            if (!host || !address.setSshHost(QString::fromUtf8(*host)))
                return refuse(QT_TRANSLATE_NOOP("phrases", "After ssh= write [USER@]HOST[:PORT]."));
            continue;
        }
        constexpr QLatin1String proxy("proxy=");
        if (item.startsWith(proxy)) {
            const auto url = percentDecoded(item.sliced(proxy.size()));
            if (!url || !address.setProxy(QString::fromUtf8(*url)))
                return refuse(QT_TRANSLATE_NOOP(
                    "phrases", "After proxy= write http://HOST:PORT or socks5://HOST:PORT."));
            continue;
        }
        constexpr QLatin1String sentinelUser("sentinel-user=");
        if (address.isBySentinels() && item == QLatin1String("replica")) {
            address.readsReplica = true;
            continue;
        }
        if (const auto user = percentDecoded(item.sliced(std::min(sentinelUser.size(), item.size())));
            address.isBySentinels() && user && item.startsWith(sentinelUser)) {
            address.sentinelUser = *user;
            continue;
        }
        if (!item.startsWith(QLatin1String("db=")) && !item.startsWith(QLatin1String("database=")))
            return refuse(
                QT_TRANSLATE_NOOP("phrases", "After '?' only db=N, ssh=HOST and proxy=URL are known."));
        if (const auto read = readDatabase(address, item.sliced(item.indexOf(u'=') + 1)); !read)
            return read;
    }
    return {};
}

Result<void> readLogin(ServerAddress &address, QStringView login)
{
    const qsizetype colon = login.indexOf(u':');
    // Some programs read a lone word before '@' as the user, others as the password.
    if (colon < 0)
        return refuse(QT_TRANSLATE_NOOP(
            "phrases", "Before '@' write user:password, or :password for the default user."));
    const auto user = percentDecoded(login.first(colon));
    const auto password = percentDecoded(login.sliced(colon + 1));
    if (!user || !password)
        return refuse(QT_TRANSLATE_NOOP("phrases", "Write a literal '%' as %25."));
    address.user = *user;
    address.password = *password;
    return {};
}

Result<void> readPort(ServerAddress &address, QStringView text)
{
    const std::optional<int> port = wholeNumber(text);
    if (!port || *port < 1 || *port > 65535)
        return refuse(QT_TRANSLATE_NOOP("phrases", "The port is a number from 1 to 65535."));
    address.port = static_cast<quint16>(*port);
    return {};
}

Result<void> readHostAndPort(ServerAddress &address, QStringView text)
{
    if (text.contains(u','))
        return refuse(QT_TRANSLATE_NOOP(
            "phrases",
            "Give one host, redis-sentinel://host1,host2/name or redis-redlock://host1,host2,host3."));
    qsizetype colon = -1;
    if (text.startsWith(u'[')) {
        const qsizetype bracket = text.indexOf(u']');
        const QString host =
            bracket < 0
                ? QString()
                : text.sliced(1, bracket - 1).toString().replace(QStringLiteral("%25"), QStringLiteral("%"));
        QHostAddress ip;
        if (!ip.setAddress(host) || ip.protocol() != QAbstractSocket::IPv6Protocol)
            return refuse(QT_TRANSLATE_NOOP("phrases", "Write an IPv6 address as in [::1]:6379."));
        address.host = host;
        text = text.sliced(bracket + 1);
        if (text.isEmpty())
            return {};
        if (!text.startsWith(u':'))
            return refuse(QT_TRANSLATE_NOOP("phrases", "Write an IPv6 address as in [::1]:6379."));
        colon = 0;
    } else {
        if (text.count(u':') > 1)
            return refuse(QT_TRANSLATE_NOOP("phrases", "Write an IPv6 address as in [::1]:6379."));
        colon = text.indexOf(u':');
        const QStringView host = colon < 0 ? text : text.first(colon);
        if (host.isEmpty())
            return refuse(QT_TRANSLATE_NOOP("phrases", "The host is missing."));
        if (!isHostName(host))
            return refuse(QT_TRANSLATE_NOOP("phrases", "Invalid character in the host or path."));
        address.host = host.toString();
    }
    return colon < 0 ? Result<void>() : readPort(address, text.sliced(colon + 1));
}

Result<void> readSentinels(ServerAddress &address, QStringView hosts, QStringView path)
{
    auto sentinels = ServerAddress::parseSentinels(hosts);
    if (!sentinels)
        return tl::unexpected(sentinels.error());
    address.sentinels = std::move(*sentinels);
    const qsizetype slash = path.indexOf(u'/');
    const auto name = percentDecoded(slash < 0 ? path : path.first(slash));
    if (!name || name->isEmpty())
        return refuse(
            QT_TRANSLATE_NOOP("phrases", "Write Sentinels as in redis-sentinel://host1,host2/name."));
    address.primaryName = QString::fromUtf8(*name);
    return slash < 0 || slash + 1 == path.size() ? Result<void>()
                                                 : readDatabase(address, path.sliced(slash + 1));
}

/// Comma-separated hosts, with `port` as the default.
Result<QList<NodeAddress>> readNodes(QStringView text, quint16 port)
{
    QList<NodeAddress> nodes;
    for (const QStringView each : text.split(u',')) {
        ServerAddress address;
        address.port = port;
        if (const auto read = readHostAndPort(address, each); !read)
            return tl::unexpected(read.error());
        nodes.append({address.host, address.port});
    }
    return nodes;
}

Result<void> readMembers(ServerAddress &address, QStringView hosts)
{
    auto members = ServerAddress::parseMembers(hosts);
    if (!members)
        return tl::unexpected(members.error());
    address.members = std::move(*members);
    return {};
}

enum class AddressKind { Itself, BySentinels, AsGroup };

Result<void> readTcp(ServerAddress &address, QStringView rest, AddressKind kind = AddressKind::Itself)
{
    const auto endOfAuthority = [](QStringView text) {
        return std::ranges::find_if(text, [](QChar c) { return c == u'/' || c == u'?' || c == u'#'; }) -
               text.begin();
    };
    // A password may hold '@', ':' or '/' as they are, as long as there is one way to read the address.
    // One behind "ssh=" is the SSH host's, one behind "proxy=" the proxy's.
    static const QRegularExpression detour(QStringLiteral("[?&](ssh|proxy)="));
    const qsizetype way = rest.toString().indexOf(detour);
    const qsizetype at = rest.first(way < 0 ? rest.size() : way).lastIndexOf(u'@');
    const qsizetype firstAt = at < 0 ? at : rest.indexOf(u'@');
    const qsizetype firstEnd = endOfAuthority(rest);
    if (firstAt >= 0 && firstAt < firstEnd && firstEnd < at)
        return refuse(QT_TRANSLATE_NOOP("phrases",
                                        "The address is ambiguous. In the user and password, write '@' as "
                                        "%40, '/' as %2F, '?' as %3F and '#' as %23."));
    if (at >= 0) {
        if (const auto read = readLogin(address, rest.first(at)); !read)
            return read;
        rest = rest.sliced(at + 1);
    }
    const qsizetype end = endOfAuthority(rest);
    const QStringView hosts = rest.first(end);
    rest = rest.sliced(end);
    // As Lettuce writes the primary's name: behind '#'.
    const qsizetype hash = kind == AddressKind::BySentinels ? rest.indexOf(u'#') : -1;
    const QStringView primary = hash < 0 ? QStringView() : rest.sliced(hash + 1);
    rest = hash < 0 ? rest : rest.first(hash);
    const qsizetype question = rest.indexOf(u'?');
    const QStringView path = question < 0 ? rest : rest.first(question);
    if (kind == AddressKind::BySentinels) {
        const QString ours = hash < 0 ? path.sliced(std::min<qsizetype>(path.size(), 1)).toString()
                                      : primary.toString() + path.toString();
        if (const auto read = readSentinels(address, hosts, ours); !read)
            return read;
    } else if (const auto read = kind == AddressKind::AsGroup ? readMembers(address, hosts)
                                                              : readHostAndPort(address, hosts);
               !read) {
        return read;
    }
    if (kind != AddressKind::BySentinels && !path.isEmpty() && path != u'/') {
        if (const auto read = readDatabase(address, path.startsWith(u'/') ? path.sliced(1) : path); !read)
            return read;
    }
    return question < 0 ? Result<void>() : readQuery(address, rest.sliced(question + 1));
}

Result<void> readSocket(ServerAddress &address, QStringView rest)
{
    address.transport = ServerAddress::Transport::Unix;
    // The path may hold an '@' as well: a login ends at the first '@' that a path follows.
    if (!rest.startsWith(u'/')) {
        const qsizetype at = rest.indexOf(QLatin1String("@/"));
        if (at < 0)
            return refuse(QT_TRANSLATE_NOOP(
                "phrases", "The socket path must start with '/', as in unix:///run/redis.sock."));
        if (const auto read = readLogin(address, rest.first(at)); !read)
            return read;
        rest = rest.sliced(at + 1);
    }
    const qsizetype question = rest.indexOf(u'?');
    const auto path = percentDecoded(question < 0 ? rest : rest.first(question));
    if (!path)
        return refuse(QT_TRANSLATE_NOOP("phrases", "Write a literal '%' as %25."));
    address.socketPath = QString::fromUtf8(*path);
    if (hasControlCharacter(address.socketPath))
        return refuse(QT_TRANSLATE_NOOP("phrases", "Invalid character in the host or path."));
    return question < 0 ? Result<void>() : readQuery(address, rest.sliced(question + 1));
}

Result<void> readUri(ServerAddress &address, QStringView scheme, QStringView rest)
{
    QString name = scheme.toString().toLower();
    for (const auto &[other, ours] : {std::pair("valkeys", "rediss"), std::pair("valkey", "redis")}) {
        if (name.startsWith(QLatin1String(other)))
            name = QLatin1String(ours) + name.sliced(qsizetype(qstrlen(other)));
    }
    if (name == QLatin1String("unix") || name == QLatin1String("redis+unix") ||
        name == QLatin1String("redis-socket"))
        return readSocket(address, rest);
    if (name == QLatin1String("rediss") || name == QLatin1String("rediss-sentinel") ||
        name == QLatin1String("rediss-redlock"))
        address.transport = ServerAddress::Transport::Tls;
    if (name == QLatin1String("redis") || name == QLatin1String("rediss"))
        return readTcp(address, rest);
    if (name == QLatin1String("redis-sentinel") || name == QLatin1String("rediss-sentinel"))
        return readTcp(address, rest, AddressKind::BySentinels);
    if (name == QLatin1String("redis-redlock") || name == QLatin1String("rediss-redlock"))
        return readTcp(address, rest, AddressKind::AsGroup);
    if (name.contains(QLatin1String("sentinel")))
        return refuse(
            QT_TRANSLATE_NOOP("phrases", "Write Sentinels as in redis-sentinel://host1,host2/name."));
    if (name.contains(QLatin1String("redlock")))
        return refuse(
            QT_TRANSLATE_NOOP("phrases", "Write a Redlock group as in redis-redlock://host1,host2,host3."));
    if (name.contains(QLatin1String("cluster")))
        return refuse(QT_TRANSLATE_NOOP("phrases", "Give any node of the cluster, as in redis://host:6379."));
    return refuse(QT_TRANSLATE_NOOP(
        "phrases",
        "The address must start with redis://, rediss://, redis-sentinel://, redis-redlock:// or unix://."));
}

} // namespace

bool ServerAddress::addPin(const QByteArray &text)
{
    constexpr qsizetype digits = 64;
    QByteArray hex = text.trimmed().toLower();
    if (hex.startsWith("sha256:"))
        hex = hex.sliced(7);
    hex.replace(':', QByteArray()).replace(' ', QByteArray());
    const bool isHex = std::ranges::all_of(hex, [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
    if (hex.size() != digits || !isHex)
        return false;
    if (!pins.contains(hex))
        pins.append(hex);
    return true;
}

bool ServerAddress::setSshHost(const QString &text)
{
    constexpr QLatin1String scheme("ssh://");
    const QString place = text.startsWith(scheme) ? text.sliced(scheme.size()) : text;
    // What a shell or ssh's own configuration would read as more than a name ends here, too.
    constexpr QStringView others(u"-._@:[]%+\\");
    const bool isPlain =
        std::ranges::all_of(place, [others](QChar c) { return c.isLetterOrNumber() || others.contains(c); });
    const QString name = place.sliced(place.lastIndexOf(u'@') + 1);
    if (!isPlain || name.isEmpty() || place.startsWith(u'-') || place.startsWith(u'@') ||
        name.startsWith(u'-'))
        return false;
    if (name.startsWith(u':') || name.endsWith(u':'))
        return false;
    sshHost = place;
    return true;
}

bool ServerAddress::setProxy(const QString &text)
{
    QUrl url(text, QUrl::StrictMode);
    const bool isKnown = url.scheme() == u"http" || url.scheme() == u"socks5";
    const bool isPlain = url.path().size() <= 1 && !url.hasQuery() && !url.hasFragment();
    if (!url.isValid() || !isKnown || !isPlain || url.host().isEmpty() || url.port() <= 0)
        return false;
    proxyPassword = url.password(QUrl::FullyDecoded).toUtf8();
    proxy = url.toString(QUrl::RemovePassword | QUrl::RemovePath);
    return true;
}

bool ServerAddress::addNodeAddress(const QByteArray &text)
{
    const QList<QByteArray> sides = text.split('=');
    const auto isUsable = [](const QByteArray &side) {
        const auto node = NodeAddress::parse(side.contains(':') ? side : side + ":1");
        return node && !node->host.isEmpty();
    };
    // Both with a port, or both without.
    if (sides.size() != 2 || !isUsable(sides[0]) || !isUsable(sides[1]) ||
        sides[0].contains(':') != sides[1].contains(':'))
        return false;
    nodeAddresses.insert(QString::fromUtf8(sides[0]), QString::fromUtf8(sides[1]));
    return true;
}

QString ServerAddress::nodeAddressesText() const
{
    QStringList pairs;
    for (auto pair = nodeAddresses.cbegin(); pair != nodeAddresses.cend(); ++pair)
        pairs.append(pair.key() + u'=' + *pair);
    pairs.sort();
    return pairs.join(QStringLiteral(", "));
}

void ServerAddress::clearSentinels()
{
    sentinels.clear();
    primaryName.clear();
    sentinelUser.clear();
    sentinelPassword.clear();
    readsReplica = false;
}

ServerAddress ServerAddress::sentinel(const NodeAddress &node) const
{
    ServerAddress address = *this;
    address.clearSentinels();
    address.host = node.host;
    address.port = node.port;
    address.database = 0; // it has none
    address.user = sentinelUser;
    address.password = sentinelPassword;
    address.passwordCommand.clear();
    return address;
}

ServerAddress ServerAddress::member(const NodeAddress &node) const
{
    ServerAddress address = *this;
    address.members.clear();
    address.host = node.host;
    address.port = node.port;
    return address;
}

Result<QList<NodeAddress>> ServerAddress::parseSentinels(QStringView text)
{
    const auto nodes = readNodes(text, sentinelPort);
    if (!nodes)
        return nodes;
    QList<NodeAddress> sentinels;
    for (const NodeAddress &node : *nodes) {
        if (!sentinels.contains(node))
            sentinels.append(node);
    }
    if (sentinels.size() > maxSentinels)
        return refuse(QT_TRANSLATE_NOOP("phrases", "At most %1 servers can be given."), maxSentinels);
    return sentinels;
}

Result<QList<NodeAddress>> ServerAddress::parseMembers(QStringView text)
{
    auto members = readNodes(text, ServerAddress().port);
    if (!members)
        return members;
    if (members->size() < 2)
        return refuse(QT_TRANSLATE_NOOP("phrases", "A Redlock group needs at least two servers."));
    if (members->size() > maxMembers)
        return refuse(QT_TRANSLATE_NOOP("phrases", "At most %1 servers can be given."), maxMembers);
    for (auto node = members->cbegin(); node != members->cend(); ++node) {
        // Counted twice it would make a majority that is none.
        if (std::find(members->cbegin(), node, *node) != node)
            return refuse(QT_TRANSLATE_NOOP("phrases", "The Redlock group names %1 twice."),
                          node->toDisplayString());
    }
    return members;
}

Result<ServerAddress> ServerAddress::parse(const QString &text)
{
    ServerAddress address;
    if (text.isEmpty())
        return refuse(QT_TRANSLATE_NOOP("phrases", "The host is missing."));
    if (text.startsWith(u'/')) {
        // A path as it stands in the file system: nothing in it is encoded, and blanks are its own.
        if (hasControlCharacter(text))
            return refuse(QT_TRANSLATE_NOOP("phrases", "Invalid character in the host or path."));
        address.transport = Transport::Unix;
        address.socketPath = text;
        return address;
    }
    if (hasBlankOrInvisible(text))
        return refuse(QT_TRANSLATE_NOOP(
            "phrases", "The address contains a blank or invisible character. Percent-encode it (%20)."));
    Result<void> read;
    if (const qsizetype colon = text.indexOf(QLatin1String("://")); colon >= 0)
        read = readUri(address, QStringView(text).first(colon), QStringView(text).sliced(colon + 3));
    else if (text.contains(u'@'))
        return refuse(QT_TRANSLATE_NOOP("phrases", "To log in, write redis://user:password@host:6379."));
    else
        read = readTcp(address, text);
    if (!read)
        return tl::unexpected(read.error());
    return address;
}

} // namespace lockscope
