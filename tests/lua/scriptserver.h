// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QFile>
#include <QtTest>

namespace lockscope {

/// One call of a script, as a row of a table: what is there, what is called, what its two forms answer, what
/// is left. Everything as `redis-cli --csv` prints it: strings quoted, nil as NULL, errors as ERROR,"…",
/// arrays on one line.
struct ScriptStep
{
    QByteArrayList before; ///< redis-cli lines that make the key `lock`
    QByteArray script;
    QByteArrayList arguments;
    QByteArray published; ///< or how it begins, for an error
    QByteArray outcome;
    qint64 holds = -1;
    QByteArray after; ///< the hash or string, or "same" for the value as it was, or "gone"
    qint64 ttl = -2;  ///< in ms, as it was set; -1 none, -2 gone
    QByteArray message = {};
};

/// What a lease or a grace must not be.
inline const QByteArrayList badLeases{"abc",
                                      "nan",
                                      "inf",
                                      "-1",
                                      "+1",
                                      "0",
                                      "0.0004",
                                      "1e3",
                                      "0x10",
                                      " 1",
                                      "1 ",
                                      "1.",
                                      ".5",
                                      "1,5",
                                      "1.2.3",
                                      "--1",
                                      "1000000000000.001",
                                      QByteArray(400, '9'),
                                      QByteArray("30\0", 3),
                                      QByteArray("30\n", 3)};

/// The data of a test with the columns `seconds` and `milliseconds`.
inline void leaseRows()
{
    QTest::addColumn<QByteArray>("seconds");
    QTest::addColumn<qint64>("milliseconds");
    for (const auto &[seconds, milliseconds] : {std::pair<QByteArray, qint64>{"30", 30'000},
                                                {"030", 30'000},
                                                {"2.5", 2'500},
                                                {"0.1", 100},
                                                {"0.001", 1},
                                                {"0.0005", 1},
                                                {"86400.0", 86'400'000},
                                                {"999999999999.999", 999'999'999'999'999},
                                                {"1000000000000", 1'000'000'000'000'000}})
        QTest::newRow(seconds) << seconds << milliseconds;
}

/// What one call answered and left.
struct ScriptRun
{
    QByteArray reply;
    QByteArray dumpBefore;
    QByteArray dumpAfter; ///< NULL where the key is gone
    QByteArray content;   ///< of the hash or string
    qint64 pttl = 0;
    int keys = 0; ///< in the whole database
};

/// A time to live that was set within a row: at most what was set, and not so much less that it could be
/// another one of the table (they lie 20 s or more apart).
inline bool isTtl(qint64 pttl, qint64 set)
{
    return set < 0 ? pttl == set : pttl <= set && pttl > set - 15'000;
}

/// Runs scripts of lua/ on a real server with nothing of ours in between: redis-cli sends them and prints the
/// answer.
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

    /// Rows of the data of all functions: the form for Redis 7, which Redis 6 does not take, and the one for Redis 6.
    static void addForms()
    {
        if (majorVersion() >= 7)
            QTest::newRow("for Redis 7") << true;
        QTest::newRow("for Redis 6") << false;
    }

    static QByteArray path(const QByteArray &script)
    {
        return LOCKSCOPE_SOURCE_DIR "/lua/" + script + ".lua";
    }

    /// As Redis 7 takes it, or without the first line, as Redis 6 needs it.
    static QByteArray text(const QByteArray &script, bool flagged)
    {
        QFile file(QString::fromUtf8(path(script)));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no script %s", script.constData());
        const QByteArray text = file.readAll();
        return flagged && majorVersion() >= 7 ? text : text.mid(text.indexOf('\n'));
    }

    /// With what another server would have told it: `lua` runs before the script.
    static QByteArray callAfter(const QByteArray &lua, const QByteArray &script, bool flagged,
                                const QByteArrayList &keys, const QByteArrayList &arguments)
    {
        QByteArray whole = text(script, flagged);
        whole.insert(whole.indexOf('\n'), '\n' + lua);
        QByteArrayList words{"EVAL", quoted(whole), QByteArray::number(keys.size())};
        for (const QByteArray &word : keys + arguments)
            words << quoted(word);
        return words.join(' ');
    }

    /// Any bytes as one word of a redis-cli line.
    static QByteArray quoted(const QByteArray &bytes)
    {
        return bytes.isEmpty() ? "\"\"" : "\"\\x" + bytes.toHex('/').replace("/", "\\x") + '"';
    }

    /// The redis-cli line of a call.
    static QByteArray call(const QByteArray &script, bool flagged, const QByteArrayList &keys,
                           const QByteArrayList &arguments)
    {
        QByteArrayList words{"EVAL", quoted(text(script, flagged)), QByteArray::number(keys.size())};
        for (const QByteArray &word : keys + arguments)
            words << quoted(word);
        return words.join(' ');
    }

    /// Types lines into one redis-cli that runs all the time; one line of answer each.
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

    /// On an empty database: the lines of `before`, then `call`, then a look at `key` by the default user.
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

/// Whether an error of this code is the answer: before Redis 7 it stands inside the one of the script.
inline bool isCause(const QByteArray &reply, const QByteArray &code)
{
    return RedisServer::majorVersion() >= 7
               ? reply.startsWith("ERROR,\"" + code)
               : reply.startsWith("ERROR,\"ERR Error running script") && reply.contains(code);
}

/// A word of the refusal to publish: by the channel, or by knownRules() as the command.
inline QByteArray publishRefusal()
{
    return RedisServer::majorVersion() >= 7 ? "channel" : "command";
}

/// A named answer with a time left of `milliseconds`, less what the call itself took.
inline void verifyLease(const ScriptRun &run, const QByteArray &outcomeAndHolds, qint64 milliseconds)
{
    QVERIFY2(run.reply.startsWith(outcomeAndHolds + ','), run.reply);
    const qint64 pttl = run.reply.split(',').value(2).toLongLong();
    QVERIFY2(pttl >= 0 && isTtl(pttl, milliseconds), run.reply);
}

/// An error that begins so, and neither an absent lock nor the one that `present` makes is touched.
inline void verifyRefused(ScriptServer &server, const QByteArrayList &present, const QByteArray &call,
                          const QByteArray &error)
{
    const ScriptRun absent = server.run({}, call);
    QCOMPARE(absent.reply.left(7 + error.size()), "ERROR,\"" + error);
    QCOMPARE(absent.keys, 0);
    const ScriptRun held = server.run(present, call);
    QCOMPARE(held.reply, absent.reply);
    QCOMPARE(held.dumpAfter, held.dumpBefore);
    QVERIFY2(isTtl(held.pttl, 60'000), QByteArray::number(held.pttl));
    QCOMPARE(held.keys, 1);
}

inline void verifyLeft(const ScriptRun &run, const ScriptStep &step)
{
    if (step.after == "gone")
        QCOMPARE(run.dumpAfter, "NULL");
    else if (step.after == "same")
        QCOMPARE(run.dumpAfter, run.dumpBefore);
    else
        QCOMPARE(run.content, step.after);
    QVERIFY2(isTtl(run.pttl, step.ttl), QByteArray::number(run.pttl));
    QCOMPARE(run.keys, step.after == "gone" ? 0 : 1);
}

/// Both forms of one step, each from the start. To be the last statement of a test function.
inline void verifyStep(ScriptServer &server, const QByteArray &family, const ScriptStep &step, bool flagged)
{
    const QByteArray script = family + '/' + step.script;
    const ScriptRun published =
        server.run(step.before, ScriptServer::call(script, flagged, {"lock"}, step.arguments));
    QCOMPARE(step.published.startsWith("ERROR") ? published.reply.left(step.published.size())
                                                : published.reply,
             step.published);
    verifyLeft(published, step);

    const ScriptRun named = server.run(
        step.before, ScriptServer::call(script, flagged, {"lock"}, step.arguments + QByteArrayList{"named"}));
    const QByteArrayList fields = named.reply.split(',');
    QVERIFY2(fields.size() >= 3, named.reply);
    QCOMPARE(fields[0], '"' + step.outcome + '"');
    QCOMPARE(fields[1], QByteArray::number(step.holds));
    QVERIFY2(isTtl(fields[2].toLongLong(), step.ttl), named.reply);
    QCOMPARE(fields.mid(3).join(','), step.message.isEmpty() ? QByteArray() : '"' + step.message + '"');
    verifyLeft(named, step);
}

} // namespace lockscope
