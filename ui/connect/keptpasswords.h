// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "ui/connect/secretstore.h"

#include <QCoreApplication>
#include <QFuture>

#include <chrono>

namespace lockscope {

struct Passwords
{
    QByteArray server;
    QByteArray sentinels;
    QByteArray key; ///< passphrase

    static Passwords of(const ServerAddress &address);
    bool isEmpty() const { return server.isEmpty() && sentinels.isEmpty() && key.isEmpty(); }
    /// Fills the missing passwords of `address` and returns the filled ones.
    Passwords lendTo(ServerAddress &address) const;
    void takeBackFrom(ServerAddress &address) const;
    /// Serializes to one line that fromText() reads; any bytes are allowed.
    QByteArray toText() const;
    static Passwords fromText(const QByteArray &text);

    friend bool operator==(const Passwords &, const Passwords &) = default;
};

/// The passwords of stored servers in a secret store, one entry per full address (transport, user, host,
/// port, route). An entry records the pins, CA, server name, client certificate and node addresses: passwords
/// go only to the server they were kept for. Requests for one entry run in order, across windows.
/// StoredServer::keepsPasswords follows the answers. Futures finish on the UI thread.
class KeptPasswords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::KeptPasswords)

public:
    explicit KeptPasswords(SecretStore &store) : m_store(store) {}

    /// True if a kept password might be missing; a server may also need none.
    static bool mayLack(const ServerAddress &address);

    /// Returns the passwords kept for exactly this address, or a sentence that explains why there are none.
    QFuture<tl::expected<Passwords, QString>> read(const ServerAddress &address) const;
    /// Replaces the passwords kept for `address`. Returns an empty string, or why it failed.
    QFuture<QString> keep(const ServerAddress &address) const;
    /// Removes passwords. Returns an empty string, or why they may remain.
    QFuture<QString> forget(const ServerAddress &address) const;
    /// Processes events until pending changes are done, at most this long. Servers with unfinished changes
    /// are marked as having kept passwords.
    void finish(std::chrono::milliseconds atMost) const;

private:
    static QString whyNot(const SecretStore::Failure &failure);
    template <typename T>
    QFuture<T> inTurn(const QString &entry, bool changes, const std::function<QFuture<T>()> &request) const;

    SecretStore &m_store;
};

} // namespace lockscope
