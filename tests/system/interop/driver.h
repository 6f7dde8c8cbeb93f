// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/system/cliprogram.h"

#include <QFileInfo>

#include <memory>

namespace lockscope {

/// A program with line-based input and output: the client of a library, or a feed of ours. Ends with this
/// object.
class Driver
{
public:
    Driver(const QString &program, const QStringList &arguments, const QStringList &environment = {})
    {
        m_process.setEnvironment(QProcess::systemEnvironment() + environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program, arguments);
    }
    ~Driver()
    {
        m_process.closeWriteChannel();
        m_process.terminate();
        if (!m_process.waitForFinished(5000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;

    /// Returns the words of the next line; empty if none comes.
    QByteArrayList line()
    {
        const bool there = QTest::qWaitFor(
            [this] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; }, 20'000);
        return there ? m_process.readLine().trimmed().split(' ') : QByteArrayList();
    }
    /// Returns the next line that begins with this word; empty if none comes.
    QByteArrayList line(const QByteArray &first)
    {
        for (;;) {
            const QByteArrayList words = line();
            if (words.value(0) == first || words.value(0).isEmpty())
                return words;
        }
    }
    /// True if it ends by itself within 5 s.
    bool ends()
    {
        return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, 5000);
    }
    int exitCode() const { return m_process.exitCode(); } ///< once it has ended
    void order(const QByteArray &words) { m_process.write(words + '\n'); }
    /// Sends an order and returns the next line.
    QByteArray answerTo(const QByteArray &words)
    {
        order(words);
        return line().join(' ');
    }

private:
    QProcess m_process;
};

/// Starts `watch --json` for these keys.
inline std::unique_ptr<Driver> watchFeed(const RedisServer &server, const QString &pattern)
{
    return std::make_unique<Driver>(
        CliProgram::path(), QStringList{QStringLiteral("-s"), server.socketPath(), QStringLiteral("watch"),
                                        QStringLiteral("--json"), QStringLiteral("--pattern"), pattern});
}

/// Returns the next event of this name; empty if the feed ends or stays silent.
inline QJsonObject nextEvent(Driver &feed, const char *name)
{
    for (;;) {
        const QJsonObject event = jsonIn(keptJson("watch", feed.line().join(' ') + '\n'));
        if (event.isEmpty() || event[QLatin1String("event")].toString() == QLatin1String(name))
            return event;
    }
}

inline QString interopFile(const char *name)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/system/interop/") + QLatin1String(name);
}

/// Returns the folder of Node libraries: LOCKSCOPE_NODE_MODULES or that of install-node-clients.
inline QString nodeModules()
{
    const QString path = qEnvironmentVariable("LOCKSCOPE_NODE_MODULES",
                                              QStringLiteral(LOCKSCOPE_SOURCE_DIR "/build/npm/node_modules"));
    if (!QFileInfo(path + QStringLiteral("/ioredis/package.json")).exists())
        qFatal("no Node libraries in %s: run packaging/install-node-clients", qPrintable(path));
    return path;
}

/// Starts a JavaScript client on this server.
inline std::unique_ptr<Driver> nodeDriver(const char *script, const QStringList &arguments)
{
    return std::make_unique<Driver>(QStringLiteral("node"), QStringList{interopFile(script)} + arguments,
                                    QStringList{QStringLiteral("NODE_PATH=") + nodeModules()});
}

/// Starts a Python client with Debian's Python: another one in PATH may lack redis.
inline std::unique_ptr<Driver> pythonDriver(const char *script, const QStringList &arguments)
{
    return std::make_unique<Driver>(QStringLiteral("/usr/bin/python3"),
                                    QStringList{interopFile(script)} + arguments);
}

/// Starts a PHP client with Debian's PHP.
inline std::unique_ptr<Driver> phpDriver(const char *script, const QStringList &arguments)
{
    const QStringList words{QStringLiteral("-d"), QStringLiteral("display_errors=stderr"),
                            interopFile(script)};
    return std::make_unique<Driver>(QStringLiteral("/usr/bin/php"), words + arguments);
}

} // namespace lockscope
