// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/readyfuture.h"
#include "ui/connect/secretstore.h"

#include <QMap>
#include <QPromise>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

/// Answers at once, or when it is told to.
class FakeSecretStore : public SecretStore
{
public:
    QMap<QString, QByteArray> entries;
    std::optional<Failure> failure; ///< every request ends with it
    bool isSlow = false;            ///< answers only when answerNext() is called
    QStringList requests;           ///< in order, as "read KEY"

    QFuture<Answer<QByteArray>> read(const QString &key) override
    {
        return answered<QByteArray>(QStringLiteral("read ") + key, [this, key]() -> Answer<QByteArray> {
            if (!entries.contains(key))
                return tl::unexpected(Failure{Problem::NotFound});
            return entries.value(key);
        });
    }
    QFuture<Answer<void>> write(const QString &key, const QByteArray &secret) override
    {
        return answered<void>(QStringLiteral("write ") + key, [this, key, secret]() -> Answer<void> {
            entries.insert(key, secret);
            return {};
        });
    }
    QFuture<Answer<void>> remove(const QString &key) override
    {
        return answered<void>(QStringLiteral("remove ") + key, [this, key]() -> Answer<void> {
            if (entries.remove(key) == 0)
                return tl::unexpected(Failure{Problem::NotFound});
            return {};
        });
    }

    void answerNext() { m_pending.takeFirst()(); }

private:
    template <typename T>
    QFuture<Answer<T>> answered(const QString &request, const std::function<Answer<T>()> &act)
    {
        requests.append(request);
        auto promise = std::make_shared<QPromise<Answer<T>>>();
        promise->start();
        const auto answer = [this, promise, act] {
            promise->addResult(failure ? Answer<T>(tl::unexpected(*failure)) : act());
            promise->finish();
        };
        const auto future = promise->future();
        if (isSlow)
            m_pending.append(answer);
        else
            answer();
        return future;
    }

    QList<std::function<void()>> m_pending;
};

} // namespace lockscope
