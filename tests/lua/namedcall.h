// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/lua/scriptserver.h"

#include <QLocalSocket>

namespace lockscope {

/// One call of a script that answers in names, as a row of a table: what is there, what is called, what it answers and
/// what it leaves under all its keys.
struct NamedCall
{
    QByteArrayList before; ///< redis-cli lines
    QByteArray script;
    QByteArrayList keys;
    QByteArrayList arguments;
    QByteArray answer;       ///< outcome and holds: `"expired",2`
    qint64 ttl = -2;         ///< of the lock, as it was set; -1 none, -2 gone
    QByteArrayList look;     ///< redis-cli lines
    QByteArrayList found;    ///< what they print; not looked at after a refusal: then no key may have changed
    QByteArray message = {}; ///< or how it begins
};

/// Who subscribes; its own connection.
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

    /// The bodies of all messages so far, once there are `number` of them.
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
    /// Nothing came. A message is written before the reply of the command that caused it.
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

/// Runs `call` on an empty server, by a redis-cli that stays the user that `before` makes it. To be the last statement of
/// a test function.
inline void verifyCall(ScriptServer &server, const NamedCall &call, bool flagged)
{
    QByteArrayList dumps;
    for (const QByteArray &key : call.keys)
        dumps << "DUMP " + ScriptServer::quoted(key);
    const QByteArrayList out =
        server.lines(QByteArrayList{"AUTH default x", "FLUSHALL"} + call.before + dumps +
                     QByteArrayList{ScriptServer::call(call.script, flagged, call.keys, call.arguments),
                                    "AUTH default x"} +
                     dumps + QByteArrayList{"PTTL " + ScriptServer::quoted(call.keys[0])} + call.look);
    const qsizetype number = call.keys.size();
    const qsizetype at = 2 + call.before.size();
    const QByteArray reply = out[at + number];
    const QByteArrayList fields = reply.split(',');
    QVERIFY2(fields.size() >= 4, reply);
    QCOMPARE(fields[0] + ',' + fields[1], call.answer);
    const qint64 told = fields[2].toLongLong();
    QVERIFY2(told < 0 || isTtl(told, call.ttl), reply);
    const QByteArray message = fields.mid(3).join(',');
    if (call.message.isEmpty())
        QCOMPARE(message, "\"\"");
    else
        QCOMPARE(message.left(call.message.size() + 1), '"' + call.message);
    const qint64 pttl = out[at + 2 * number + 2].toLongLong();
    QVERIFY2(isTtl(pttl, call.ttl), QByteArray::number(pttl));
    static const QByteArrayList done{"\"expired\"", "\"released\"", "\"unwound\"",
                                     "\"removed\"", "\"acquired\"", "\"reentered\""};
    if (!done.contains(fields[0]))
        QCOMPARE(out.mid(at + number + 2, number), out.mid(at, number));
    else
        QCOMPARE(out.mid(at + 2 * number + 3), call.found);
}

/// What is no grace is refused, and nothing is changed. `arguments` has it first.
inline void verifyGraces(ScriptServer &server, const QByteArrayList &before, const QByteArray &script,
                         const QByteArrayList &keys, QByteArrayList arguments)
{
    for (const bool flagged : {true, false}) {
        for (const QByteArray &grace : badLeases) {
            arguments[0] = grace;
            const ScriptRun run =
                server.run(before, ScriptServer::call(script, flagged, keys, arguments), keys[0]);
            QVERIFY2(run.reply.startsWith("ERROR,\"ERR grace must be"), run.reply);
            QCOMPARE(run.dumpAfter, run.dumpBefore);
        }
    }
}

/// The servers that give fields an end of their own, as a script sees them: each field has `left` ms.
inline QByteArray fieldsEnd(const QByteArray &left)
{
    return "local real = redis; local redis = setmetatable({acl_check_cmd = function(name) return name == "
           "'HPTTL' end, "
           "call = function(name, ...) if name ~= 'HPTTL' then return real.call(name, ...) end "
           "local all = {} for i = 4, select('#', ...) do all[#all + 1] = " +
           left + " end return all end}, {__index = real})";
}

/// Where the fields end sooner than the key, an answer names that time and says why; where they do not, or it may not be
/// asked, the key's. To be the last statement of a test function.
inline void verifyFieldsEnd(ScriptServer &server, const QByteArrayList &before, const QByteArray &script,
                            bool flagged, const QByteArrayList &keys, const QByteArrayList &arguments)
{
    const auto answer = [&](const QByteArray &lua) {
        const QByteArrayList out =
            server.lines(QByteArrayList{"AUTH default x", "FLUSHALL"} + before +
                         QByteArrayList{ScriptServer::callAfter(lua, script, flagged, keys, arguments)});
        return out.last().split(',');
    };
    const QByteArrayList sooner = answer(fieldsEnd("7000"));
    QVERIFY2(sooner.value(2) == "7000" && sooner.value(3).contains("field"), sooner.join(','));
    for (const QByteArray &lua :
         {fieldsEnd("-1"), fieldsEnd("90000"), QByteArray(),
          QByteArray(
              "local real = redis; local redis = setmetatable({acl_check_cmd = function() return false "
              "end}, {__index = real})")}) {
        const QByteArrayList byKey = answer(lua);
        QVERIFY2(isTtl(byKey.value(2).toLongLong(), 30'000), byKey.join(','));
        QVERIFY2(!byKey.mid(3).join(',').contains("field"), byKey.join(','));
    }
}

/// Calls that are no use of the script: each is told how it is used.
inline void verifyUsage(ScriptServer &server, const QByteArray &script,
                        const QList<std::pair<QByteArrayList, QByteArrayList>> &keysAndArguments)
{
    for (const auto &[keys, arguments] : keysAndArguments) {
        const QByteArray reply = server.lines({ScriptServer::call(script, true, keys, arguments)})[0];
        QVERIFY2(reply.startsWith("ERROR,\"ERR usage"),
                 reply + " to " + keys.join(' ') + " , " + arguments.join(' '));
    }
}

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::NamedCall)
