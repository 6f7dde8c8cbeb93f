// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QProcess>

namespace lockscope {

/// A redis-server of our own: no port, but a Unix socket in a temporary directory that is closed to other users; no
/// persistence. It and its directory are gone when this object is, and also when the whole program is killed.
class PrivateServer : public QObject
{
    Q_OBJECT

public:
    explicit PrivateServer(QObject *parent = nullptr);
    ~PrivateServer() override;

    /// Starts it and waits until it answers, 10 s at most. An Error says what to install or what the server
    /// printed.
    Result<void> start();

    // Faults to simulate, carried out in order, each at once but not yet when the call returns. None blocks.
    /// Stops the process: connections stay, nothing is answered.
    void pause();
    void resume();
    /// As after kill -9: all data, scripts and connections are lost, and a new server comes up on the same
    /// socket. Ends a pause.
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
