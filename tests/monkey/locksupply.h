// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QLocalSocket>
#include <QRandomGenerator>

namespace lockscope {

/// A server with locks of several families, waiters and a deadlock, and the other clients that keep it changing. They use its Unix
/// socket; so what comes by TCP is the window's.
class LockSupply
{
public:
    LockSupply();

    const RedisServer &server() const { return m_server; }
    /// Puts back what has gone, and does a few things of what clients do.
    void refresh(QRandomGenerator &random);

private:
    void send(const QByteArrayList &command);
    void finish();
    void addFair(const QByteArray &key, const QByteArray &owner, const QByteArrayList &waiters);
    void addAll();

    RedisServer m_server;
    QLocalSocket m_socket;
};

} // namespace lockscope
