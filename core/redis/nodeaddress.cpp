// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/nodeaddress.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestHost = 255;
constexpr QByteArrayView unknownHost = "?";

bool isHost(const QString &host)
{
    return host.size() <= longestHost && std::ranges::all_of(host, [](QChar c) {
               return c.isLetterOrNumber() || c == u'.' || c == u'-' || c == u'_' || c == u':' || c == u'%';
           });
}

} // namespace

std::optional<NodeAddress> NodeAddress::parse(QByteArrayView text)
{
    text = text.first(std::min(text.size(), longestHost + 16));
    if (const qsizetype bus = text.indexOf('@'); bus >= 0)
        text = text.first(bus);
    if (const qsizetype comma = text.indexOf(','); comma >= 0)
        text = text.first(comma);
    const qsizetype colon = text.lastIndexOf(':');
    if (colon < 0)
        return std::nullopt;
    bool isNumber = false;
    const qint64 port = text.sliced(colon + 1).toByteArray().toInt(&isNumber);
    QByteArrayView host = text.first(colon);
    if (host.startsWith('[') && host.endsWith(']'))
        host = host.sliced(1, host.size() - 2);
    const auto address = from(host, isNumber ? port : 0);
    if (address && address->host.isEmpty() && !host.isEmpty() && host != unknownHost)
        return std::nullopt;
    return address;
}

std::optional<NodeAddress> NodeAddress::from(QByteArrayView host, qint64 port)
{
    if (port < 1 || port > 65535)
        return std::nullopt;
    const QString name = host == unknownHost ? QString() : QString::fromUtf8(host.toByteArray());
    return NodeAddress{isHost(name) ? name : QString(), static_cast<quint16>(port)};
}

QString NodeAddress::toDisplayString() const
{
    return (host.contains(u':') ? u'[' + host + u']' : host) + u':' + QString::number(port);
}

} // namespace lockscope
