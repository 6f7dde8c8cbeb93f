// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/credential.h"
#include "core/redis/serveraddress.h"

#include <QObject>
#include <QTimer>

namespace lockscope {

/// The password of one connection: the address' own, or what its command prints, asked for anew before that ends.
class LoginPassword : public QObject
{
    Q_OBJECT

public:
    explicit LoginPassword(QObject *parent);

    /// Emits obtained(), at once without a command, or failed().
    void obtain(const ServerAddress &address);
    /// Emits nothing more until obtain().
    void stop();
    /// The server has refused it.
    void refused();
    /// The address with the password.
    const ServerAddress &login() const { return m_login; }

signals:
    void obtained();
    void failed(const lockscope::Error &why);
    void ending(); ///< obtain() another; again some seconds after a refusal or failure

private:
    void take(const Result<Credential> &credential);

    ServerAddress m_login;
    QObject *m_awaited = nullptr; ///< what waits for the command
    QTimer m_renewal;
};

} // namespace lockscope
