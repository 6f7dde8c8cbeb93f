// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArrayList>
#include <QHash>
#include <QObject>
#include <QTcpServer>

#include <functional>

class QTcpSocket;

namespace lockscope {

/// A proxy on a free loopback port in the test's event loop that replaces some commands, so that replies and
/// pushes keep their order:
///
///     RewritingProxy service(server.socketAddress());
///     service.rewrite = [](const QByteArrayList &command, bool speaksResp3) {
///         return command[0] == "HELLO" ? RewritingProxy::refusal("NOPROTO unsupported protocol version") : command;
///     };
class RewritingProxy : public QObject
{
    Q_OBJECT

public:
    /// `server` must have a Unix socket.
    explicit RewritingProxy(const ServerAddress &server);
    ~RewritingProxy() override;

    ServerAddress address() const; ///< 127.0.0.1

    /// Returns a command that only fails with these words.
    static QByteArrayList refusal(const QByteArray &words);

    /// Replaces a command; an empty result closes the connection. `speaksResp3`: the connection has sent
    /// HELLO 3.
    std::function<QByteArrayList(const QByteArrayList &command, bool speaksResp3)> rewrite;

    /// Cuts every connection whose last AUTH had another password.
    void cutUnless(const std::function<bool(const QByteArray &password)> &isGood);

    int accepted() const { return m_accepted; } ///< total
    const QList<QByteArrayList> &commands() const { return m_commands; }
    /// Returns the number of commands with this name.
    qsizetype count(const QByteArray &name) const;

private:
    void accept(QTcpSocket *client);

    QString m_path;
    int m_accepted = 0;
    QList<QByteArrayList> m_commands;
    QHash<QTcpSocket *, QByteArray> m_passwords; ///< of the clients' last AUTH
    QTcpServer m_listener;                       ///< with its clients: they go before the rest
};

} // namespace lockscope
