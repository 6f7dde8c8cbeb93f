// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "ui/connect/secretstore.h"

#include <QCoreApplication>
#include <QFuture>

#include <chrono>

namespace lockscope {

/// What an address holds that nobody else may know.
struct Passwords
{
    QByteArray server;
    QByteArray sentinels;
    QByteArray key; ///< its passphrase

    static Passwords of(const ServerAddress &address);
    bool isEmpty() const { return server.isEmpty() && sentinels.isEmpty() && key.isEmpty(); }
    /// Puts those into `address` that it has none of, and returns them.
    Passwords lendTo(ServerAddress &address) const;
    /// The address then has none of these any more.
    void takeBackFrom(ServerAddress &address) const;
    /// One line that fromText() reads back, whatever bytes they are.
    QByteArray toText() const;
    static Passwords fromText(const QByteArray &text);

    friend bool operator==(const Passwords &, const Passwords &) = default;
};

/// The passwords of stored servers, in a store of secrets: one entry for each server, under its whole address with transport, user,
/// host, port and the way there, which also says whom that server had to be: its pins, CA, server name, client certificate and
/// addresses of nodes. So none goes to another server than the one it was kept for. What is asked of one entry is done in that
/// order, by whichever window. StoredServer::keepsPasswords follows the store's answers. Futures finish on the UI thread.
class KeptPasswords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::KeptPasswords)

public:
    /// `store` must outlive this.
    explicit KeptPasswords(SecretStore &store) : m_store(store) {}

    /// Whether something could be missing that is kept: a server needs no password, a key no passphrase.
    static bool mayLack(const ServerAddress &address);

    /// What is kept for exactly this address, or a sentence that says why there is nothing.
    QFuture<tl::expected<Passwords, QString>> read(const ServerAddress &address) const;
    /// Keeps what `address` holds instead of what was kept for it. Empty: done; otherwise a sentence that says why not.
    QFuture<QString> keep(const ServerAddress &address) const;
    /// Empty: removed; otherwise a sentence that says why they may still be there.
    QFuture<QString> forget(const ServerAddress &address) const;
    /// Lets what was to be kept or forgotten be done, with events, but no longer than that. A server of which it was not is stored
    /// as one with kept passwords, for its user to see.
    void finish(std::chrono::milliseconds atMost) const;

private:
    static QString whyNot(const SecretStore::Failure &failure);
    template <typename T>
    QFuture<T> inTurn(const QString &entry, bool changes, const std::function<QFuture<T>()> &request) const;

    SecretStore &m_store;
};

} // namespace lockscope
