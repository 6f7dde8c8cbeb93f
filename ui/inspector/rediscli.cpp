// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/rediscli.h"

#include "core/act/scriptcall.h"
#include "core/base/printable.h"
#include "core/redis/sshlog.h"
#include "core/words/texts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace lockscope {

namespace {

QString shellQuoted(const QString &text)
{
    const bool plain = !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || QLatin1String("_-./:,@%+=").contains(c));
    });
    return plain ? text : u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

/// True if single quotes can carry the bytes legibly.
bool isReadable(const QByteArray &bytes)
{
    return isValidUtf8(bytes) && printable(bytes, bytes.size() + 1) == QString::fromUtf8(bytes);
}

/// Quotes for redis-cli's --quoted-input.
QString redisQuoted(const QByteArray &bytes)
{
    QByteArray quoted = "\"";
    for (const char c : bytes) {
        if (c == '"' || c == '\\')
            quoted += QByteArray("\\") + c;
        else if (c >= ' ' && c < 127 && c != '\'')
            quoted += c;
        else
            quoted += "\\x" + QByteArray(1, c).toHex();
    }
    return QString::fromLatin1(quoted + '"');
}

QStringList programFor(const ServerAddress &server)
{
    QStringList words{QStringLiteral("redis-cli")};
    if (server.transport == ServerAddress::Transport::Unix)
        words << QStringLiteral("-s") << server.socketPath;
    else
        words << QStringLiteral("-h") << server.host << QStringLiteral("-p") << QString::number(server.port);
    if (server.database != 0)
        words << QStringLiteral("-n") << QString::number(server.database);
    if (server.transport == ServerAddress::Transport::Tls)
        words << QStringLiteral("--tls");
    for (const auto &[option, value] :
         {std::pair(QStringLiteral("--cacert"), server.caFile),
          std::pair(QStringLiteral("--cert"), server.certificateFile),
          std::pair(QStringLiteral("--key"), server.keyFile),
          std::pair(QStringLiteral("--sni"), server.serverName),
          std::pair(QStringLiteral("--user"), QString::fromUtf8(server.user))}) {
        if (!value.isEmpty())
            words << option << value;
    }
    if (server.insecure)
        words << QStringLiteral("--insecure");
    if (!server.password.isEmpty())
        words << QStringLiteral("--askpass");
    for (QString &word : words)
        word = shellQuoted(word);
    return words;
}

bool areReadable(const QList<QByteArray> &data)
{
    return std::all_of(data.begin(), data.end(), isReadable);
}

QStringList quotedWords(const QList<QByteArray> &data, bool forRedis)
{
    QStringList words;
    for (const QByteArray &bytes : data)
        words << shellQuoted(forRedis ? redisQuoted(bytes) : QString::fromUtf8(bytes));
    return words;
}

} // namespace

QString redisCliLine(const ServerAddress &server, const QList<QByteArray> &command)
{
    const QList<QByteArray> data = command.sliced(1);
    // --quoted-input reads every argument that starts with a quote, so it is for all data or for none.
    const bool forRedis = !areReadable(data);
    QStringList line = programFor(server);
    if (forRedis)
        line << QStringLiteral("--quoted-input");
    return (line << QString::fromLatin1(command.first()) << quotedWords(data, forRedis)).join(u' ');
}

QString redisCliEvalLine(const RedisCliTarget &target, const QString &path, const QList<QByteArray> &keys,
                         const QList<QByteArray> &arguments)
{
    const QString quoted = shellQuoted(path);
    const QString script =
        target.major >= 7 ? quoted : QStringLiteral("<(tail -n +2 %1)").arg(quoted); // for bash and zsh
    QStringList line = programFor(target.server);
    if (areReadable(keys + arguments))
        return (line << QStringLiteral("--eval") << script << quotedWords(keys, false) << QStringLiteral(",")
                     << quotedWords(arguments, false))
            .join(u' ');
    // --eval does not heed --quoted-input, and with it no argument may be a whole script: so by its hash.
    const QString load = QStringLiteral("\"$(%1 -x SCRIPT LOAD < %2)\"").arg(line.join(u' '), script);
    return (line << QStringLiteral("--quoted-input EVALSHA") << load << QString::number(keys.size())
                 << quotedWords(keys, true) << quotedWords(arguments, true))
        .join(u' ');
}

namespace {

/// Returns the path of a lua/ script on this machine, installed or in the build. Others must find it by name.
QString scriptPath(const QByteArray &path)
{
    const QString name = QStringLiteral("lua/") + QString::fromLatin1(path);
    const QDir programs(QCoreApplication::applicationDirPath());
    for (const QString &candidate :
         {QStringLiteral("../share/lockscope/") + name, QStringLiteral("../../../") + name}) {
        const QString file = QDir::cleanPath(programs.filePath(candidate));
        if (QFileInfo::exists(file))
            return file;
    }
    return name;
}

constexpr quint16 tunnelPort = 16379;

/// Returns the local end of the tunnel opened by tunnelTo(), since redis-cli has no SSH.
ServerAddress throughTunnel(const ServerAddress &server)
{
    ServerAddress local = server;
    local.transport = server.transport == ServerAddress::Transport::Tls ? ServerAddress::Transport::Tls
                                                                        : ServerAddress::Transport::Tcp;
    local.host = QStringLiteral("127.0.0.1");
    local.port = tunnelPort;
    local.sshHost.clear();
    if (local.transport == ServerAddress::Transport::Tls && local.serverName.isEmpty())
        local.serverName = server.host;
    return local;
}

QString tunnelTo(const ServerAddress &server)
{
    const SshDestination destination(server.sshHost);
    const QString host = server.host.contains(u':') ? u'[' + server.host + u']' : server.host;
    const QString target = server.transport == ServerAddress::Transport::Unix
                               ? server.socketPath
                               : host + u':' + QString::number(server.port);
    QStringList words{QStringLiteral("ssh"), QStringLiteral("-N"), QStringLiteral("-L"),
                      QString::number(tunnelPort) + u':' + target};
    if (!destination.port.isEmpty())
        words << QStringLiteral("-p") << destination.port;
    words << destination.name;
    for (QString &word : words)
        word = shellQuoted(word);
    return words.join(u' ');
}

QByteArray readingOf(KeyType type)
{
    switch (type) {
    case KeyType::Hash:
        return "HGETALL";
    case KeyType::String:
        return "GET";
    case KeyType::Set:
        return "SMEMBERS";
    default:
        return "TYPE";
    }
}

} // namespace

QString redisCliFor(const RedisCliTarget &target, const Lock &lock)
{
    const ServerAddress &server = target.server;
    if (!server.sshHost.isEmpty()) {
        return Texts::tr("# First, in another terminal:") + QStringLiteral("\n# ") + tunnelTo(server) +
               u'\n' + redisCliFor({throughTunnel(server), false, target.major}, lock);
    }
    // It follows redirections as we do.
    const auto following = [&target](QString text) {
        return target.isCluster ? text.replace(QLatin1String("redis-cli "), QLatin1String("redis-cli -c "))
                                : text;
    };
    const QByteArray &key = lock.key().bytes;
    QStringList lines;
    if (!server.proxy.isEmpty())
        lines.append(Texts::tr("# redis-cli has no option for a proxy."));
    if (lock.type == KeyType::SortedSet)
        lines << redisCliLine(server, {"ZRANGE", key, "0", "-1", "WITHSCORES"});
    else
        lines << redisCliLine(server, {readingOf(lock.type), key});
    lines << redisCliLine(server, {"PTTL", key});
    if (lock.owners.isEmpty() || lock.problems.testFlag(Problem::TooBig))
        return following(lines.join(u'\n'));

    ActionRequest end = ActionRequest::on(lock, Action::ForceExpire);
    end.expected = lock.owners;
    if (validationError(end))
        return following(lines.join(u'\n'));
    ServerInfo info; // in a cluster, keys of other slots are left out
    info.mode = target.isCluster ? "cluster" : "standalone";
    info.major = target.major;
    const ScriptCall call = scriptCall(end, info);
    lines << Texts::tr("# Force-expires the lock only if owner and hold count are unchanged:")
          << QStringLiteral("# ") +
                 redisCliEvalLine(target, scriptPath(call.path), call.keys, call.arguments);
    return following(lines.join(u'\n'));
}

} // namespace lockscope
