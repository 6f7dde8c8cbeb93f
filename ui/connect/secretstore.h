// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFuture>
#include <QHash>
#include <QList>
#include <QString>

#include <tl/expected.hpp>

#include <functional>

namespace lockscope {

/// Keeps secrets from one run to the next, each under a key of its own. Called on the UI thread, where the futures finish: never
/// blocks, but may take as long as the user takes to unlock the store. A request cannot be taken back.
class SecretStore
{
public:
    enum class Problem {
        NotFound, ///< nothing under that key, or its user did not unlock the store: that cannot be told apart
        Denied,   ///< locked, or not for this program
        Unavailable, ///< there is none, or it does not answer as it should
    };
    struct Failure
    {
        Problem problem;
        QString detail{}; ///< the store's own words; may be empty
    };
    template <typename T>
    using Answer = tl::expected<T, Failure>;

    virtual ~SecretStore() = default;

    virtual QFuture<Answer<QByteArray>> read(const QString &key) = 0;
    /// Replaces what is there. `secret` is text without NUL.
    virtual QFuture<Answer<void>> write(const QString &key, const QByteArray &secret) = 0;
    /// Problem::NotFound as in read(): then nothing was removed.
    virtual QFuture<Answer<void>> remove(const QString &key) = 0;

    /// Requests for one key of which the first is not answered yet: the next is made then.
    struct Queue
    {
        QList<std::function<void()>> requests;
        int changes = 0; ///< those that write or remove
    };
    QHash<QString, Queue> queues; ///< KeptPasswords': one store has several users
};

} // namespace lockscope
