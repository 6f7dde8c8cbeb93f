// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/jsondocuments.h"
#include "tests/support/redisserver.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <future>

namespace lockscope {

/// Runs lockscope-cli with its own state directory.
class CliProgram
{
public:
    CliProgram()
    {
        if (!m_state.isValid())
            qFatal("no temporary directory");
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
        qunsetenv("REDISCLI_AUTH");
    }
    ~CliProgram() { qunsetenv("XDG_STATE_HOME"); }
    CliProgram(const CliProgram &) = delete;
    CliProgram &operator=(const CliProgram &) = delete;

    static QString path() { return QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"); }
    QString auditPath() const { return m_state.filePath(QStringLiteral("lockscope/audit.jsonl")); }

    static Ran run(const QList<QByteArray> &arguments, const QStringList &environment = {})
    {
        const Ran ran = runProgram(path(), arguments, {}, environment);
        keepJson(arguments, ran.out);
        return ran;
    }
    /// Runs on this server by its socket.
    static Ran on(const RedisServer &server, const QList<QByteArray> &arguments)
    {
        return run(QList<QByteArray>{"-s", QFile::encodeName(server.socketPath())} + arguments);
    }

    /// Runs with this process's event loop, for a FakePeer in it.
    static Ran companions(const QList<QByteArray> &arguments)
    {
        auto running = std::async(std::launch::async, [arguments] { return run(arguments); });
        const auto ended = [&] {
            return running.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        };
        return QTest::qWaitFor(ended, 30'000) ? running.get() : Ran();
    }

    QByteArray audit() const
    {
        QFile file(auditPath());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QList<QJsonObject> auditRecords() const
    {
        QList<QJsonObject> records;
        for (const QByteArray &line : keptJson("audit", audit()).split('\n')) {
            if (!line.isEmpty())
                records.append(QJsonDocument::fromJson(line).object());
        }
        return records;
    }

private:
    QTemporaryDir m_state;
};

inline QJsonObject jsonIn(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

/// Describes a run for the message of a failed comparison.
inline QByteArray reported(const Ran &ran)
{
    return "exit " + QByteArray::number(ran.exitCode) + '\n' + ran.out + '\n' + ran.err;
}
#define VERIFY_EXIT(ran, code)                                                                               \
    do {                                                                                                     \
        const Ran &verifiedRan = (ran);                                                                      \
        QVERIFY2(verifiedRan.exitCode == (code), reported(verifiedRan).constData());                         \
    } while (false)

} // namespace lockscope
