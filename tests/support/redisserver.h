// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace lockscope {

/// A real redis-server for one test: temporary directory, Unix socket, free loopback port, no persistence;
/// stopped by PID. Members call qFatal() if the server fails: tests never skip.
class RedisServer
{
public:
    /// `settings` are appended to the command line, or form it if the first is a file: {"/path/of.conf",
    /// "--sentinel"}; "%port" is the chosen port. `environment`: additional "NAME=value".
    explicit RedisServer(QStringList settings = {}, const QStringList &environment = {});
    ~RedisServer();
    RedisServer(const RedisServer &) = delete;
    RedisServer &operator=(const RedisServer &) = delete;

    /// Returns the major Redis version of the server in PATH, or the one it is compatible with.
    static int majorVersion();

    ServerAddress socketAddress() const; ///< Unix socket
    ServerAddress tcpAddress() const;    ///< 127.0.0.1
    quint16 port() const { return m_port; }
    QString socketPath() const;
    QString directory() const { return m_directory.path(); }
    qint64 pid() const { return m_process.processId(); }

    void start();                                  ///< after stop() or kill()
    void restartWith(const QStringList &settings); ///< in addition to the others
    void stop();
    void kill();  ///< SIGKILL
    void pause(); ///< SIGSTOP: connections stay, without answers
    void resume();

    /// Runs redis-cli against this server and returns its output without the last line end.
    QByteArray cli(const QList<QByteArray> &arguments, const QByteArray &input = {}) const;

private:
    QStringList m_settings;
    QTemporaryDir m_directory;
    quint16 m_port = 0;
    QProcess m_process;
};

/// Adapts ACL rules to the server in PATH. Redis 6.0 has no channel rules (all are open) and no read-only
/// keys; a forbidden channel becomes a forbidden PUBLISH.
QByteArrayList knownRules(QByteArrayList words);

/// Returns the file of a lua/ script ("token/acquire") for `redis-cli --eval`, without line 1 for Redis 6.
QByteArray scriptPath(const QByteArray &script);

/// The result of a program.
struct Ran
{
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs a program for at most 60 s; arguments are bytes. `environment`: additional "NAME=value".
Ran runProgram(const QString &program, const QList<QByteArray> &arguments, const QByteArray &input = {},
               const QStringList &environment = {});

} // namespace lockscope
