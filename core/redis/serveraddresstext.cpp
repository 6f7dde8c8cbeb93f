// SPDX-License-Identifier: GPL-3.0-or-later
// What an address looks like: to people, and in a settings file.
#include "core/redis/serveraddress.h"

#include <algorithm>

namespace lockscope {

namespace {

/// The first few; a longer name adds no information.
QString membersText(const QList<NodeAddress> &members)
{
    constexpr qsizetype shown = 3;
    QStringList names;
    for (const NodeAddress &member : members.first(std::min(shown, members.size())))
        names.append(member.toDisplayString());
    if (members.size() > shown)
        names.append(u'+' + QString::number(members.size() - shown));
    return names.join(u',');
}

} // namespace

QString ServerAddress::toDisplayString() const
{
    QString shown;
    QStringList notes;
    if (transport == Transport::Unix) {
        shown = socketPath;
        if (database != 0)
            notes.append(QStringLiteral("db ") + QString::number(database));
    } else {
        shown = isBySentinels() ? primaryName
                : isGroup()     ? membersText(members)
                                : NodeAddress{host, port}.toDisplayString();
        if (database != 0)
            shown += u'/' + QString::number(database);
    }
    if (transport == Transport::Tls)
        notes.append(QStringLiteral("TLS"));
    if (isBySentinels())
        notes.append(QStringLiteral("Sentinel ") + sentinels.first().toDisplayString());
    if (isGroup())
        notes.append(QStringLiteral("Redlock"));
    if (!sshHost.isEmpty())
        notes.append(QStringLiteral("SSH ") + sshHost);
    if (!proxy.isEmpty())
        notes.append(proxy);
    return notes.isEmpty() ? shown : shown + QLatin1String(" (") + notes.join(QStringLiteral(", ")) + u')';
}

QString ServerAddress::toUriWithoutPassword() const
{
    const auto encoded = [](const QByteArray &text, const char *kept = "") {
        return QString::fromLatin1(text.toPercentEncoding(kept));
    };
    const bool isByPath = transport == Transport::Unix;
    const bool isEncrypted = transport == Transport::Tls;
    QString uri = isByPath      ? QStringLiteral("unix")
                  : isEncrypted ? QStringLiteral("rediss")
                                : QStringLiteral("redis");
    if (isBySentinels() && !isByPath)
        uri += u"-sentinel";
    else if (isGroup())
        uri += u"-redlock";
    uri += u"://";
    if (!user.isEmpty())
        uri += encoded(user) + QLatin1String(":@");
    QStringList query;
    if (isByPath) {
        uri += encoded(socketPath.toUtf8(), "/");
        if (database != 0)
            query.append(QStringLiteral("db=") + QString::number(database));
    } else {
        QStringList hosts;
        for (const NodeAddress &node : isBySentinels() ? sentinels
                                       : isGroup()     ? members
                                                       : QList{NodeAddress{host, port}})
            hosts.append(node.toDisplayString().replace(u'%', QStringLiteral("%25")));
        uri += hosts.join(u',');
    }
    if (isBySentinels() && !isByPath) {
        uri += u'/' + encoded(primaryName.toUtf8());
        if (!sentinelUser.isEmpty())
            query.append(QStringLiteral("sentinel-user=") + encoded(sentinelUser));
        if (readsReplica)
            query.append(QStringLiteral("replica"));
    }
    if (database != 0 && !isByPath)
        uri += u'/' + QString::number(database);
    if (!sshHost.isEmpty())
        query.append(QStringLiteral("ssh=") + encoded(sshHost.toUtf8(), ":"));
    if (!proxy.isEmpty())
        query.append(QStringLiteral("proxy=") + encoded(proxy.toUtf8(), ":"));
    return query.isEmpty() ? uri : uri + u'?' + query.join(u'&');
}

} // namespace lockscope
