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

/// Stores secrets by key. Used on the UI thread, where the futures finish. Never blocks, but an answer may
/// wait for the user to unlock the store. Requests cannot be canceled.
class SecretStore
{
public:
    enum class Problem {
        NotFound,    ///< no entry, or the user did not unlock the store
        Denied,      ///< locked, or access refused to this program
        Unavailable, ///< no store, or an invalid answer
    };
    struct Failure
    {
        Problem problem;
        QString detail{}; ///< text of the store; may be empty
    };
    template <typename T>
    using Answer = tl::expected<T, Failure>;

    virtual ~SecretStore() = default;

    virtual QFuture<Answer<QByteArray>> read(const QString &key) = 0;
    /// Replaces an existing secret. `secret` is text without NUL.
    virtual QFuture<Answer<void>> write(const QString &key, const QByteArray &secret) = 0;
    /// Problem::NotFound, as in read(), means that nothing was removed.
    virtual QFuture<Answer<void>> remove(const QString &key) = 0;

    struct Queue
    {
        QList<std::function<void()>> requests;
        int changes = 0;
    };
    QHash<QString, Queue> queues; ///< used by KeptPasswords, since one store has several users
};

} // namespace lockscope
