// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArrayList>
#include <QObject>
#include <QTcpServer>

#include <functional>

class QTcpSocket;

namespace lockscope {

/// Stands between clients and a real server, on a free loopback port and in the test's event loop, and sends the server other
/// commands in the place of some, so that replies and pushes stay in their order:
///
///     RewritingProxy service(server.socketAddress());
///     service.rewrite = [](const QByteArrayList &command, bool speaksResp3) {
///         return command[0] == "HELLO" ? RewritingProxy::refusal("NOPROTO unsupported protocol version") : command;
///     };
class RewritingProxy : public QObject
{
    Q_OBJECT

public:
    /// `server`: by its Unix socket.
    explicit RewritingProxy(const ServerAddress &server);
    ~RewritingProxy() override;

    ServerAddress address() const; ///< 127.0.0.1 and the port

    /// A command that does nothing but fail with these words.
    static QByteArrayList refusal(const QByteArray &words);

    /// What the server gets in the place of a command; empty: the connection is closed instead. `speaksResp3`: a HELLO 3 went
    /// through before it on the same connection.
    std::function<QByteArrayList(const QByteArrayList &command, bool speaksResp3)> rewrite;

    int accepted() const { return m_accepted; } ///< connections so far
    /// Every command that clients have sent.
    const QList<QByteArrayList> &commands() const { return m_commands; }
    /// How many of them had this name.
    qsizetype count(const QByteArray &name) const;

private:
    void accept(QTcpSocket *client);

    QTcpServer m_listener;
    QString m_path;
    int m_accepted = 0;
    QList<QByteArrayList> m_commands;
};

} // namespace lockscope
