// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QProcess>

namespace lockscope {

/// A redis-server of our own, on a Unix socket in a private temporary directory; no port, no persistence. It
/// is gone with this object, even if the whole program is killed.
class PrivateServer : public QObject
{
    Q_OBJECT

public:
    explicit PrivateServer(QObject *parent = nullptr);
    ~PrivateServer() override;

    /// Starts it and waits for its answer, at most 10 s. An Error says what to install, or what the server
    /// printed.
    Result<void> start();

    // Injected faults, executed in order and asynchronously.
    /// Stops the process: connections stay, but nothing is answered.
    void pause();
    void resume();
    /// Like kill -9: all data, scripts and connections are lost, and a new server starts on the same socket.
    /// Ends a pause.
    void restart();

    ServerAddress address() const;

private:
    bool tryToStart(const QString &program);
    void stop();
    void send(const char *word);
    QString socketPath() const { return m_directory + QStringLiteral("/s"); }

    QString m_directory;
    QProcess m_process;
};

} // namespace lockscope
