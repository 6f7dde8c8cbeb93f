// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"

#include "core/redis/almostredis.h"
#include "core/redis/blockingconnection.h"
#include "core/redis/readyfuture.h"

#include <QCryptographicHash>
#include <QFile>

#include <span>
#include <vector>

namespace lockscope {

namespace {

QByteArray sha1(const QByteArray &text)
{
    return QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex();
}

/// Sends a script by either kind of connection.
auto call(auto &connection, QByteArrayView verb, const QByteArray &script, const auto &keys,
          const auto &arguments)
{
    const QByteArray keyCount = QByteArray::number(keys.size());
    std::vector<QByteArrayView> command{verb, script, keyCount};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return connection.send(std::span<const QByteArrayView>(command));
}

/// In the words of Redis and Valkey. Any other text with this beginning may be part of another reply.
bool isNotKnown(const Result<Reply> &reply)
{
    return !reply && (reply.error().detail == "NOSCRIPT No matching script. Please use EVAL." ||
                      reply.error().detail == "NOSCRIPT No matching script.");
}

} // namespace

Script::Script(QByteArrayView path)
{
    QFile file(QStringLiteral(":/lua/") + QString::fromUtf8(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no script %s in the program", qPrintable(file.fileName()));
    m_flagged = file.readAll();
    // The line end stays, so that the line numbers in a server's messages are those of the file.
    m_plain = m_flagged.sliced(m_flagged.indexOf('\n'));
    m_flaggedSha1 = sha1(m_flagged);
    m_plainSha1 = sha1(m_plain);
}

QFuture<Result<Reply>> Script::run(Link &connection, const QList<QByteArray> &keys,
                                   const QList<QByteArray> &arguments) const
{
    // Without a context: it is the connection itself that finishes the first future, so it is alive in between.
    return call(connection, "EVALSHA", sha1For(connection.server()), keys, arguments)
        .then([script = *this, &connection, keys, arguments](const Result<Reply> &reply) {
            if (!isNotKnown(reply))
                return readyFuture(reply);
            return call(connection, "EVAL", script.textFor(connection.server()), keys, arguments);
        })
        .unwrap();
}

Result<Reply> Script::run(BlockingConnection &connection, std::initializer_list<QByteArrayView> keys,
                          std::initializer_list<QByteArrayView> arguments) const
{
    Result<Reply> reply = call(connection, "EVALSHA", sha1For(connection.server()), keys, arguments);
    if (!isNotKnown(reply))
        return reply;
    return call(connection, "EVAL", textFor(connection.server()), keys, arguments);
}

QByteArray Script::textFor(const ServerInfo &server) const
{
    return isRedis7(server) ? m_flagged : m_plain;
}

QByteArray Script::sha1For(const ServerInfo &server) const
{
    return isRedis7(server) ? m_flaggedSha1 : m_plainSha1;
}

} // namespace lockscope
