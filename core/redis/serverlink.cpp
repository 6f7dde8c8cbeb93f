// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/serverlink.h"

#include "core/redis/sharedservers.h"

#include <QDateTime>
#include <QHostAddress>
#include <QUrl>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxLength = 8'192;
constexpr const char *start = "lockscope://open?";

/// The server alone, of an address with the way there.
ServerAddress bare(const ServerAddress &address)
{
    ServerAddress server;
    server.transport = address.transport;
    server.host = address.host;
    server.port = address.port;
    server.socketPath = address.socketPath;
    server.database = address.database;
    server.sentinels = address.sentinels;
    server.primaryName = address.primaryName;
    server.readsReplica = address.readsReplica;
    server.members = address.members;
    return server;
}

/// True for an address that names another server on each machine.
bool isLocal(const ServerAddress &address)
{
    return address.transport == ServerAddress::Transport::Unix ||
           std::ranges::any_of(namedNodes(address), [](const NodeAddress &node) {
               return node.host.compare(QLatin1String("localhost"), Qt::CaseInsensitive) == 0 ||
                      QHostAddress(node.host).isLoopback();
           });
}

std::optional<qint64> momentIn(const QByteArray &text)
{
    const QDateTime at = QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs);
    return text.endsWith('Z') && at.isValid() ? std::optional(at.toMSecsSinceEpoch()) : std::nullopt;
}

} // namespace

Result<ServerLink> ServerLink::parse(const QByteArray &text)
{
    const auto refused =
        failedWith(ErrorKind::InvalidArgument,
                   QT_TRANSLATE_NOOP("phrases", "This link is not one that Lockscope makes."));
    const QUrl url = text.size() > maxLength ? QUrl() : QUrl::fromEncoded(text, QUrl::StrictMode);
    const bool isPlain = url.userInfo().isEmpty() && url.port() < 0 && !url.hasFragment() &&
                         (url.path().isEmpty() || url.path() == u'/');
    if (!url.isValid() || url.scheme() != u"lockscope" || url.host() != u"open" || !isPlain)
        return refused;
    ServerLink link;
    QByteArrayList names;
    for (const QByteArray &item : url.query(QUrl::FullyEncoded).toLatin1().split('&')) {
        const qsizetype equals = std::max<qsizetype>(item.indexOf('='), 0);
        const QByteArray name = item.first(equals);
        const QByteArray value =
            QByteArray::fromPercentEncoding(item.sliced(equals).sliced(equals > 0 ? 1 : 0));
        if (value.isEmpty() || names.contains(name))
            return refused;
        names.append(name);
        if (name == "server") {
            const auto server = ServerAddress::parse(QString::fromUtf8(value));
            if (!server)
                return tl::unexpected(server.error());
            link.server = bare(*server);
            if (*server != link.server)
                return failedWith(
                    ErrorKind::InvalidArgument,
                    QT_TRANSLATE_NOOP("phrases", "This link says how to reach or log in to its server, which "
                                                 "a link must not. Nothing of it is used."));
        } else if (name == "key") {
            link.key = value;
        } else if (name == "at") {
            link.wallMs = momentIn(value);
            if (!link.wallMs)
                return refused;
        } else {
            return refused;
        }
    }
    return names.contains("server") ? Result<ServerLink>(link) : refused;
}

QByteArray ServerLink::toText() const
{
    if (!server.sshHost.isEmpty() && isLocal(server))
        return {};
    QByteArray text = start;
    text += "server=" + bare(server).toUriWithoutPassword().toUtf8().toPercentEncoding();
    if (!key.isEmpty())
        text += "&key=" + key.toPercentEncoding();
    if (wallMs)
        text +=
            "&at=" + QDateTime::fromMSecsSinceEpoch(*wallMs, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
    return text.size() > maxLength ? QByteArray() : text;
}

std::optional<StoredServer> ServerLink::known() const
{
    const QString uri = bare(server).toUriWithoutPassword();
    QList<StoredServer> same = knownServers();
    same.removeIf([&](const StoredServer &each) {
        const bool isElsewhere = !each.address.sshHost.isEmpty() && isLocal(each.address);
        return isElsewhere || bare(each.address).toUriWithoutPassword() != uri;
    });
    const auto direct =
        std::ranges::find_if(same, [](const StoredServer &each) { return each.address.sshHost.isEmpty(); });
    if (direct != same.end())
        return *direct;
    const bool isOne = std::ranges::all_of(
        same, [&](const StoredServer &each) { return each.address.sshHost == same.first().address.sshHost; });
    return isOne && !same.isEmpty() ? std::optional(same.first()) : std::nullopt;
}

} // namespace lockscope
