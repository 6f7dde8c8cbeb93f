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

/// A real redis-server for one test: own temporary directory, Unix socket and free loopback port, no persistence; stopped by
/// its pid. Every member fails the test by qFatal() where the server can't be had: a test never skips.
class RedisServer
{
public:
    /// `settings` are added to the command line: {"--requirepass", "secret"}, or before it where the first of them is a file:
    /// {"/path/of.conf", "--sentinel"}; "%port" is the port that was found. `environment` ("NAME=value") is added to its environment.
    explicit RedisServer(QStringList settings = {}, const QStringList &environment = {});
    ~RedisServer();
    RedisServer(const RedisServer &) = delete;
    RedisServer &operator=(const RedisServer &) = delete;

    /// The major version of the Redis that the server in PATH is, or says to be compatible with.
    static int majorVersion();

    ServerAddress socketAddress() const; ///< by Unix socket
    ServerAddress tcpAddress() const;    ///< by 127.0.0.1
    quint16 port() const { return m_port; }
    QString socketPath() const;
    QString directory() const { return m_directory.path(); }
    qint64 pid() const { return m_process.processId(); }

    void start();                                  ///< again, after stop() or kill()
    void restartWith(const QStringList &settings); ///< these are added to the others
    void stop();                                   ///< orderly
    void kill();                                   ///< at once
    void pause();                                  ///< SIGSTOP: connections stay, nothing is answered
    void resume();

    /// The second eye: runs redis-cli against this server and returns what it printed, without the last line end.
    QByteArray cli(const QList<QByteArray> &arguments, const QByteArray &input = {}) const;

private:
    QStringList m_settings;
    QTemporaryDir m_directory;
    quint16 m_port = 0;
    QProcess m_process;
};

/// ACL rules as the server in PATH knows them. Redis 6.0 has none for channels, where all are open, nor for reading alone; who is
/// to be refused a channel is refused PUBLISH there.
QByteArrayList knownRules(QByteArrayList words);

/// The file of one of the scripts of lua/ ("token/acquire"), for `redis-cli --eval`: for Redis 6 one without the first line.
QByteArray scriptPath(const QByteArray &script);

/// What a finished program left.
struct Ran
{
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs a program to its end, 60 s at most; arguments are bytes. `environment` entries ("NAME=value") are added.
Ran runProgram(const QString &program, const QList<QByteArray> &arguments, const QByteArray &input = {},
               const QStringList &environment = {});

} // namespace lockscope
