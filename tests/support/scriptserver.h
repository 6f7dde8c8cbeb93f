// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QFile>
#include <QLocalSocket>
#include <QtTest>

namespace lockscope {

/// The reply of a call and its effects.
struct ScriptRun
{
    QByteArray reply;
    QByteArray dumpBefore;
    QByteArray dumpAfter; ///< NULL if the key is gone
    QByteArray content;   ///< hash or string
    qint64 pttl = 0;
    int keys = 0; ///< in the database
};

/// True if the TTL was set as given in this row: not more, and not another value of the table (these are 20 s
/// or more apart).
inline bool isTtl(qint64 pttl, qint64 set)
{
    return set < 0 ? pttl == set : pttl <= set && pttl > set - 15'000;
}

/// Runs lua/ scripts on a real server by redis-cli alone, without our own code.
class ScriptServer : public RedisServer
{
public:
    explicit ScriptServer(QStringList settings = {}) : RedisServer(std::move(settings))
    {
        m_cli.start(QStringLiteral("redis-cli"),
                    {QStringLiteral("-s"), socketPath(), QStringLiteral("--csv")});
        if (!m_cli.waitForStarted())
            qFatal("redis-cli does not start: %s", qPrintable(m_cli.errorString()));
    }
    ~ScriptServer()
    {
        m_cli.closeWriteChannel();
        m_cli.waitForFinished();
    }

    /// Returns the script for Redis 7, or without the first line for Redis 6.
    static QByteArray text(const QByteArray &script, bool flagged)
    {
        QFile file(QString::fromUtf8(LOCKSCOPE_SOURCE_DIR "/lua/" + script + ".lua"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no script %s", script.constData());
        const QByteArray text = file.readAll();
        return flagged && majorVersion() >= 7 ? text : text.mid(text.indexOf('\n'));
    }

    /// Quotes bytes as one word of a redis-cli line.
    static QByteArray quoted(const QByteArray &bytes)
    {
        return bytes.isEmpty() ? "\"\"" : "\"\\x" + bytes.toHex('/').replace("/", "\\x") + '"';
    }

    /// Returns the redis-cli line of a call. `lua` is inserted before the script, to simulate another server.
    static QByteArray call(const QByteArray &script, bool flagged, const QByteArrayList &keys,
                           const QByteArrayList &arguments, const QByteArray &lua = {})
    {
        QByteArray whole = text(script, flagged);
        if (!lua.isEmpty())
            whole.insert(whole.indexOf('\n'), '\n' + lua);
        QByteArrayList words{"EVAL", quoted(whole), QByteArray::number(keys.size())};
        for (const QByteArray &word : keys + arguments)
            words << quoted(word);
        return words.join(' ');
    }

    /// Sends lines to a redis-cli that stays open; each gives one line of output.
    QByteArrayList lines(QByteArrayList commands)
    {
        for (QByteArray &command : commands) {
            if (command.startsWith("ACL SETUSER "))
                command = knownRules(command.split(' ')).join(' ');
        }
        m_cli.write(commands.join('\n') + '\n');
        QByteArray out;
        while (out.count('\n') < commands.size()) {
            if (!m_cli.waitForReadyRead())
                qFatal("redis-cli printed:\n%s", out.constData());
            out += m_cli.readAll();
        }
        return out.chopped(1).split('\n');
    }

    /// Runs `before` and `call` on an empty database, then reads `key` as the default user.
    ScriptRun run(const QByteArrayList &before, const QByteArray &call, const QByteArray &key = "lock")
    {
        const QByteArray name = ' ' + quoted(key);
        const QByteArrayList look{"AUTH default x", "DUMP" + name, "HGETALL" + name,
                                  "GET" + name,     "PTTL" + name, "DBSIZE"};
        const QByteArrayList out =
            lines(QByteArrayList{"FLUSHALL"} + before + QByteArrayList{"DUMP" + name, call} + look);
        const qsizetype at = 1 + before.size();
        return {.reply = out[at + 1],
                .dumpBefore = out[at],
                .dumpAfter = out[at + 3],
                .content = out[at + 4].startsWith("ERROR") ? out[at + 5] : out[at + 4],
                .pttl = out[at + 6].toLongLong(),
                .keys = out[at + 7].toInt()};
    }

private:
    QProcess m_cli;
};

/// True if the error has this code; before Redis 7 it is inside the script's error.
inline bool isCause(const QByteArray &reply, const QByteArray &code)
{
    return RedisServer::majorVersion() >= 7
               ? reply.startsWith("ERROR,\"" + code)
               : reply.startsWith("ERROR,\"ERR Error running script") && reply.contains(code);
}

/// Returns a word of the refusal to publish: the channel, or the command after knownRules().
inline QByteArray publishRefusal()
{
    return RedisServer::majorVersion() >= 7 ? "channel" : "command";
}

/// A subscriber with its own connection.
class Listener
{
public:
    Listener(const RedisServer &server, const QByteArray &verb, const QByteArray &channel)
    {
        QObject::connect(&m_socket, &QLocalSocket::readyRead, &m_socket,
                         [this] { m_heard += m_socket.readAll(); });
        m_socket.connectToServer(server.socketPath());
        m_socket.write("*2\r\n" + bulk(verb) + bulk(channel));
        if (!QTest::qWaitFor([this] { return m_heard.endsWith(":1\r\n"); }))
            qFatal("no subscription: %s", m_heard.constData());
        m_heard.clear();
    }

    /// Returns the messages so far, once there are `number` of them.
    QByteArrayList heard(int number)
    {
        const auto bodies = [this] {
            QByteArrayList list;
            for (QByteArrayView rest = m_heard; rest.contains("message\r\n");) {
                rest = rest.sliced(rest.indexOf("message\r\n") + 9);
                const qsizetype next = rest.indexOf("\r\n*");
                const QByteArrayView one = next < 0 ? rest : rest.first(next + 2);
                if (one.endsWith("\r\n"))
                    list << one.toByteArray().trimmed().split('\n').last();
            }
            return list;
        };
        if (!QTest::qWaitFor([&] { return bodies().size() >= number; }))
            qWarning("%lld messages instead of %d", qint64(bodies().size()), number);
        return bodies();
    }
    /// True if no message came. Messages are written before the reply of their command.
    bool heardNothing()
    {
        m_socket.waitForReadyRead(5);
        return m_heard.isEmpty();
    }

private:
    static QByteArray bulk(const QByteArray &text)
    {
        return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
    }

    QLocalSocket m_socket;
    QByteArray m_heard;
};

} // namespace lockscope
