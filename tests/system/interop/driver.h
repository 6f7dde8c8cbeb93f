// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/system/cliprogram.h"

#include <QFileInfo>

#include <memory>

namespace lockscope {

/// A program that says something a line at a time and takes orders the same way: the client of a library beside this file,
/// or a feed of ours. Ended with this object.
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

    /// The next line in words; empty where none comes.
    QByteArrayList line()
    {
        const bool there = QTest::qWaitFor(
            [this] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; }, 20'000);
        return there ? m_process.readLine().trimmed().split(' ') : QByteArrayList();
    }
    /// The next line that begins with this word; empty where none comes.
    QByteArrayList line(const QByteArray &first)
    {
        for (;;) {
            const QByteArrayList words = line();
            if (words.value(0) == first || words.value(0).isEmpty())
                return words;
        }
    }
    /// Whether it ends, within a few seconds, without being told to.
    bool ends()
    {
        return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, 5000);
    }
    int exitCode() const { return m_process.exitCode(); } ///< of one that has ended
    void order(const QByteArray &words) { m_process.write(words + '\n'); }
    /// Orders, and answers with the next line.
    QByteArray answerTo(const QByteArray &words)
    {
        order(words);
        return line().join(' ');
    }

private:
    QProcess m_process;
};

/// `watch --json` for these keys.
inline std::unique_ptr<Driver> watchFeed(const RedisServer &server, const QString &pattern)
{
    return std::make_unique<Driver>(
        CliProgram::path(), QStringList{QStringLiteral("-s"), server.socketPath(), QStringLiteral("watch"),
                                        QStringLiteral("--json"), QStringLiteral("--pattern"), pattern});
}

/// The next event of this name; empty where the feed ends or is silent first.
inline QJsonObject nextEvent(Driver &feed, const char *name)
{
    for (;;) {
        const QJsonObject event = jsonIn(feed.line().join(' '));
        if (event.isEmpty() || event[QLatin1String("event")].toString() == QLatin1String(name))
            return event;
    }
}

inline QString interopFile(const char *name)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/system/interop/") + QLatin1String(name);
}

/// Where the libraries of package.json are: LOCKSCOPE_NODE_MODULES, else as packaging/install-node-clients puts them.
inline QString nodeModules()
{
    const QString path = qEnvironmentVariable("LOCKSCOPE_NODE_MODULES",
                                              QStringLiteral(LOCKSCOPE_SOURCE_DIR "/build/npm/node_modules"));
    if (!QFileInfo(path + QStringLiteral("/ioredis/package.json")).exists())
        qFatal("no Node libraries in %s: run packaging/install-node-clients", qPrintable(path));
    return path;
}

/// A client in JavaScript on this server.
inline std::unique_ptr<Driver> nodeDriver(const char *script, const QStringList &arguments)
{
    return std::make_unique<Driver>(QStringLiteral("node"), QStringList{interopFile(script)} + arguments,
                                    QStringList{QStringLiteral("NODE_PATH=") + nodeModules()});
}

/// A client in Python. Debian's: another Python in PATH may know no redis.
inline std::unique_ptr<Driver> pythonDriver(const char *script, const QStringList &arguments)
{
    return std::make_unique<Driver>(QStringLiteral("/usr/bin/python3"),
                                    QStringList{interopFile(script)} + arguments);
}

/// A client in PHP; Debian's as well.
inline std::unique_ptr<Driver> phpDriver(const char *script, const QStringList &arguments)
{
    const QStringList words{QStringLiteral("-d"), QStringLiteral("display_errors=stderr"),
                            interopFile(script)};
    return std::make_unique<Driver>(QStringLiteral("/usr/bin/php"), words + arguments);
}

} // namespace lockscope
