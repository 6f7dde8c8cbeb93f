// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/keychain.h"

#include "core/redis/readyfuture.h"

#include <QPromise>

#include <qt6keychain/keychain.h>

#include <memory>

namespace lockscope {

namespace {

SecretStore::Failure failureOf(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return {SecretStore::Problem::NotFound};
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return {SecretStore::Problem::Denied, job.errorString()};
    default:
        return {SecretStore::Problem::Unavailable, job.errorString()};
    }
}

/// Runs a QtKeychain job, which deletes itself. Deleting a started job earlier would leave dangling pointers
/// in the library.
template <typename T, typename Job, typename Prepare, typename Take>
QFuture<SecretStore::Answer<T>> run(const QString &key, const Prepare &prepare, const Take &take)
{
    auto *job = new Job(QStringLiteral("Lockscope"));
    job->setInsecureFallback(false); // its default, and never anything else
    job->setKey(key);
    prepare(*job);
    auto promise = std::make_shared<QPromise<SecretStore::Answer<T>>>();
    promise->start();
    QObject::connect(job, &QKeychain::Job::finished, job, [promise, take](const QKeychain::Job *finished) {
        if (finished->error() == QKeychain::NoError)
            promise->addResult(take(static_cast<const Job &>(*finished)));
        else
            promise->addResult(SecretStore::Answer<T>(tl::unexpected(failureOf(*finished))));
        promise->finish();
    });
    const auto future = promise->future();
    job->start();
    return future;
}

} // namespace

QFuture<SecretStore::Answer<QByteArray>> Keychain::read(const QString &key)
{
    using Job = QKeychain::ReadPasswordJob;
    return run<QByteArray, Job>(
        key, [](Job &) {}, [](const Job &job) { return Answer<QByteArray>(job.textData().toUtf8()); });
}

QFuture<SecretStore::Answer<void>> Keychain::write(const QString &key, const QByteArray &secret)
{
    using Job = QKeychain::WritePasswordJob;
    // As text: entries of other bytes are looked up twice, and where the keychain stays locked its user is asked twice.
    return run<void, Job>(
        key, [&](Job &job) { job.setTextData(QString::fromUtf8(secret)); },
        [](const Job &) { return Answer<void>(); });
}

QFuture<SecretStore::Answer<void>> Keychain::remove(const QString &key)
{
    // Removing succeeds where the keychain stays locked, too. What can be read is unlocked.
    return read(key)
        .then([key](const Answer<QByteArray> &found) {
            if (!found)
                return readyFuture(Answer<void>(tl::unexpected(found.error())));
            using Job = QKeychain::DeletePasswordJob;
            return run<void, Job>(
                key, [](Job &) {}, [](const Job &) { return Answer<void>(); });
        })
        .unwrap();
}

Keychain &Keychain::instance()
{
    static Keychain keychain;
    return keychain;
}

} // namespace lockscope
