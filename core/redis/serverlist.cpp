// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/serverlist.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

constexpr QLatin1String readOnlyWord("read-only");

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

QString unquoted(const QString &text)
{
    const bool isQuoted = text.size() > 1 && text.startsWith(u'"') && text.endsWith(u'"');
    return isQuoted ? QString::fromUtf8(QByteArray::fromPercentEncoding(text.sliced(1).chopped(1).toUtf8()))
                    : text;
}

/// Quotes what would be read as something else.
QString quoted(const QString &text)
{
    static const QRegularExpression odd(QStringLiteral("[=?:\"\\p{C}]|^[#[]|^include "));
    return text == text.simplified() && !text.contains(odd)
               ? text
               : u'"' + QString::fromLatin1(text.toUtf8().toPercentEncoding(" ")) + u'"';
}

Result<void> readServer(StoredServer &server, const QString &line)
{
    QStringList words = line.simplified().split(u' ');
    auto address = ServerAddress::parse(words.takeFirst());
    if (!address)
        return tl::unexpected(address.error());
    server.address = *address;
    for (const QString &word : std::as_const(words)) {
        const auto environment = environmentName.valueOf(word.toLatin1());
        if (word == readOnlyWord)
            server.readOnly = true;
        else if (environment && server.environment == Environment::Unset)
            server.environment = *environment;
        else
            return failedWith(
                ErrorKind::InvalidArgument,
                QT_TRANSLATE_NOOP(
                    "phrases",
                    "Only development, staging or production, and read-only can follow the address."));
    }
    return {};
}

} // namespace

QList<ServerLine> parseServerList(const QString &text)
{
    QList<ServerLine> lines;
    QString group;
    int number = 0;
    for (QString line : text.split(u'\n')) {
        ++number;
        line = line.trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        if (line.startsWith(u'[') && line.endsWith(u']') && !ServerAddress::parse(line)) { // not "[::1]"
            group = unquoted(line.sliced(1).chopped(1).trimmed());
            continue;
        }
        if (constexpr QLatin1String include("include "); line.startsWith(include)) {
            lines.append(
                {number,
                 failedWith(ErrorKind::InvalidArgument,
                            QT_TRANSLATE_NOOP("phrases", "Only the files of shared lists include others.")),
                 false, line.sliced(include.size()).trimmed()});
            continue;
        }
        StoredServer server;
        server.group = group;
        server.name = unquoted(takeName(line));
        if (const auto read = readServer(server, line); !read) {
            lines.append({number, tl::unexpected(read.error())});
            continue;
        }
        ServerAddress &address = server.address;
        const bool hadPassword = !address.password.isEmpty() || !address.proxyPassword.isEmpty();
        address.password.clear();
        address.proxyPassword.clear();
        lines.append({number, server, hadPassword});
    }
    return lines;
}

QString serverListText(QList<StoredServer> servers)
{
    std::ranges::stable_sort(servers, {}, &StoredServer::group); // those without any come first
    QString text, group;
    for (const StoredServer &server : std::as_const(servers)) {
        if (server.group != group)
            text += QStringLiteral("\n[%1]\n").arg(quoted(server.group));
        group = server.group;
        if (!server.name.isEmpty())
            text += quoted(server.name) + QStringLiteral(" = ");
        text += server.address.toUriWithoutPassword();
        if (server.environment != Environment::Unset)
            text += u' ' + QString::fromLatin1(environmentName(server.environment));
        text += (server.readOnly ? u' ' + readOnlyWord : QString()) + u'\n';
    }
    return text;
}

} // namespace lockscope
