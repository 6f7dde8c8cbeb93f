// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/keptpasswords.h"

#include "core/base/printable.h"
#include "core/redis/storedservers.h"
#include "ui/connect/secretstore.h"

#include <QCryptographicHash>
#include <QPromise>
#include <QTimer>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace lockscope {

namespace {

constexpr std::array words{
    std::pair("password", &Passwords::server),
    std::pair("sentinel-password", &Passwords::sentinels),
    std::pair("key-passphrase", &Passwords::key),
};

constexpr std::array places{
    std::pair(&Passwords::server, &ServerAddress::password),
    std::pair(&Passwords::sentinels, &ServerAddress::sentinelPassword),
    std::pair(&Passwords::key, &ServerAddress::keyPassphrase),
};

constexpr qsizetype entryCodePoints = 120;
constexpr qsizetype detailCodePoints = 120;

/// Returns everything that identifies the server, as in the settings.
QString entryOf(const ServerAddress &address)
{
    return address.toUriWithoutPassword();
}

constexpr QByteArrayView trustWord = "for=";

/// Differs if another server would be trusted at this address; empty without any such settings.
QByteArray trustOf(const ServerAddress &address)
{
    QList<QByteArray> pins = address.pins;
    std::ranges::sort(pins);
    const QByteArrayList parts{
        address.caFile.toUtf8(),           address.certificateFile.toUtf8(),     address.keyFile.toUtf8(),
        address.serverName.toUtf8(),       address.nodeAddressesText().toUtf8(), pins.join(' '),
        address.insecure ? "insecure" : ""};
    const bool isSaid = std::ranges::any_of(parts, [](const QByteArray &part) { return !part.isEmpty(); });
    return isSaid ? QCryptographicHash::hash(parts.join('\0'), QCryptographicHash::Sha256).toHex()
                  : QByteArray();
}

QByteArray trustIn(const QByteArray &text)
{
    for (const QByteArray &part : text.split('&')) {
        if (part.startsWith(trustWord))
            return part.sliced(trustWord.size());
    }
    return {};
}

/// Sends the next request after the first was answered.
void makeNext(SecretStore &store, const QString &entry, bool wasChange)
{
    const auto queue = store.queues.find(entry);
    queue->requests.removeFirst();
    queue->changes -= wasChange ? 1 : 0;
    if (queue->requests.isEmpty()) {
        store.queues.erase(queue);
        return;
    }
    const auto next = queue->requests.first();
    next();
}

} // namespace

Passwords Passwords::of(const ServerAddress &address)
{
    return {address.password, address.sentinelPassword, address.keyPassphrase};
}

Passwords Passwords::lendTo(ServerAddress &address) const
{
    Passwords lent;
    for (const auto &[secret, place] : places) {
        if ((address.*place).isEmpty())
            address.*place = lent.*secret = this->*secret;
    }
    return lent;
}

void Passwords::takeBackFrom(ServerAddress &address) const
{
    for (const auto &[secret, place] : places) {
        if (!(this->*secret).isEmpty() && address.*place == this->*secret)
            (address.*place).clear();
    }
}

QByteArray Passwords::toText() const
{
    QByteArrayList parts;
    for (const auto &[word, secret] : words) {
        if (!(this->*secret).isEmpty())
            parts.append(word + QByteArray("=") + (this->*secret).toPercentEncoding());
    }
    return parts.join('&');
}

Passwords Passwords::fromText(const QByteArray &text)
{
    Passwords read;
    for (const QByteArray &part : text.split('&')) {
        for (const auto &[word, secret] : words) {
            if (part.startsWith(word + QByteArray("=")))
                read.*secret = QByteArray::fromPercentEncoding(part.sliced(part.indexOf('=') + 1));
        }
    }
    return read;
}

bool KeptPasswords::mayLack(const ServerAddress &address)
{
    return address.password.isEmpty() || (address.isBySentinels() && address.sentinelPassword.isEmpty()) ||
           (!address.keyFile.isEmpty() && address.keyPassphrase.isEmpty());
}

/// Runs at once if the entry has no pending request.
template <typename T>
QFuture<T> KeptPasswords::inTurn(const QString &entry, bool changes,
                                 const std::function<QFuture<T>()> &request) const
{
    auto promise = std::make_shared<QPromise<T>>();
    promise->start();
    const auto future = promise->future();
    const auto make = [&store = m_store, entry, changes, promise, request] {
        request().then([&store, entry, changes, promise](const T &answer) {
            promise->addResult(answer);
            promise->finish();
            makeNext(store, entry, changes);
        });
    };
    SecretStore::Queue &queue = m_store.queues[entry];
    queue.changes += changes ? 1 : 0;
    queue.requests.append(make);
    if (queue.requests.size() == 1)
        make();
    return future;
}

QFuture<tl::expected<Passwords, QString>> KeptPasswords::read(const ServerAddress &address) const
{
    using Read = tl::expected<Passwords, QString>;
    using Answer = SecretStore::Answer<QByteArray>;
    const QString key = entryOf(address);
    const auto request = [&store = m_store, key] { return store.read(key); };
    return inTurn<Answer>(key, false, request).then([trust = trustOf(address)](const Answer &entry) -> Read {
        if (!entry)
            return tl::unexpected(tr("%1 Type the password.").arg(whyNot(entry.error())));
        if (trustIn(*entry) != trust)
            return tl::unexpected(
                tr("The kept password belongs to other certificates or node addresses. Type it."));
        const Passwords passwords = Passwords::fromText(*entry);
        if (passwords.isEmpty())
            return tl::unexpected(tr("No password in the keychain. Type it."));
        return passwords;
    });
}

QFuture<QString> KeptPasswords::keep(const ServerAddress &address) const
{
    using Answer = SecretStore::Answer<void>;
    const QString key = entryOf(address);
    QByteArray text = Passwords::of(address).toText();
    if (const QByteArray trust = trustOf(address); !trust.isEmpty())
        text += '&' + trustWord.toByteArray() + trust;
    const auto request = [&store = m_store, key, text] { return store.write(key, text); };
    return inTurn<Answer>(key, true, request).then([address](const Answer &done) {
        if (done)
            setKeepsPasswords(address, true);
        return done ? QString()
                    : tr("The password of %1 was not kept. %2")
                          .arg(address.toDisplayString(), whyNot(done.error()));
    });
}

QFuture<QString> KeptPasswords::forget(const ServerAddress &address) const
{
    using Answer = SecretStore::Answer<void>;
    const QString key = entryOf(address);
    const auto request = [&store = m_store, key] { return store.remove(key); };
    return inTurn<Answer>(key, true, request).then([address, key](const Answer &done) {
        // Where there may be none, its user is told so, and no more is to be done about it.
        if (done || done.error().problem == SecretStore::Problem::NotFound)
            setKeepsPasswords(address, false);
        return done ? QString()
                    : tr("The password may still be in the keychain entry %1. %2")
                          .arg(printable(key.toUtf8(), entryCodePoints), whyNot(done.error()));
    });
}

void KeptPasswords::finish(std::chrono::milliseconds atMost) const
{
    const auto isChanging = [](const SecretStore::Queue &queue) { return queue.changes > 0; };
    QTimer patience;
    patience.setSingleShot(true);
    patience.start(atMost);
    while (patience.isActive() && std::ranges::any_of(m_store.queues, isChanging))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    for (auto queue = m_store.queues.cbegin(); queue != m_store.queues.cend(); ++queue) {
        if (const auto address = ServerAddress::parse(queue.key()); address && isChanging(*queue))
            setKeepsPasswords(*address, true);
    }
}

QString KeptPasswords::whyNot(const SecretStore::Failure &failure)
{
    const QString detail = printable(failure.detail.toUtf8(), detailCodePoints);
    const QString text = failure.problem == SecretStore::Problem::NotFound
                             ? tr("The keychain is locked, or has no entry for this server.")
                         : failure.problem == SecretStore::Problem::Denied
                             ? tr("The keychain is locked, or refused access.")
                             : tr("No keychain. Start GNOME Keyring, KWallet or another one.");
    return detail.isEmpty() || failure.problem == SecretStore::Problem::NotFound
               ? text
               : QStringLiteral("%1 (%2)").arg(text, detail);
}

} // namespace lockscope
