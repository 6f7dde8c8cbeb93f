// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/serverlist.h"

namespace lockscope {

namespace {

/// The name before "=", unless "=" is part of the address, as in "?ssh=ops@bastion".
QString takeName(QString &line)
{
    const qsizetype equals = line.indexOf(u'=');
    const qsizetype scheme = line.indexOf(QLatin1String("://"));
    const qsizetype query = line.indexOf(u'?');
    if (equals < 0 || (scheme >= 0 && scheme < equals) || (query >= 0 && query < equals))
        return {};
    const QString name = line.first(equals).trimmed();
    line = line.sliced(equals + 1).trimmed();
    return name;
}

} // namespace

QList<ServerLine> parseServerList(const QString &text)
{
    QList<ServerLine> lines;
    int number = 0;
    for (QString line : text.split(u'\n')) {
        ++number;
        line = line.trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        StoredServer server;
        server.name = takeName(line);
        auto address = ServerAddress::parse(line);
        if (!address) {
            lines.append({number, tl::unexpected(address.error())});
            continue;
        }
        const bool hadPassword = !address->password.isEmpty();
        address->password.clear();
        server.address = *address;
        lines.append({number, server, hadPassword});
    }
    return lines;
}

} // namespace lockscope
