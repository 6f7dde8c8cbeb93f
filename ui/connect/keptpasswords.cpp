// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/keptpasswords.h"

#include "core/base/printable.h"
#include "ui/connect/secretstore.h"

#include <array>
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

/// All that makes it another server, as in the settings.
QString entryOf(const ServerAddress &address)
{
    return address.toUriWithoutPassword();
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

QFuture<tl::expected<Passwords, QString>> KeptPasswords::read(const ServerAddress &address) const
{
    using Read = tl::expected<Passwords, QString>;
    return m_store.read(entryOf(address)).then([](const SecretStore::Answer<QByteArray> &entry) -> Read {
        if (!entry)
            return tl::unexpected(tr("%1 Type the password.").arg(whyNot(entry.error())));
        const Passwords passwords = Passwords::fromText(*entry);
        if (passwords.isEmpty())
            return tl::unexpected(
                tr("The keychain's entry for this server holds no password. Type the password."));
        return passwords;
    });
}

QFuture<QString> KeptPasswords::keep(const ServerAddress &address) const
{
    const QString server = address.toDisplayString();
    return m_store.write(entryOf(address), Passwords::of(address).toText())
        .then([server](const SecretStore::Answer<void> &done) {
            return done ? QString()
                        : tr("The password of %1 was not kept. %2").arg(server, whyNot(done.error()));
        });
}

QFuture<QString> KeptPasswords::forget(const ServerAddress &address) const
{
    const QString entry = printable(entryOf(address).toUtf8(), entryCodePoints);
    return m_store.remove(entryOf(address)).then([entry](const SecretStore::Answer<void> &done) {
        return done ? QString()
                    : tr("The password may still be in the keychain, in the entry %1. %2")
                          .arg(entry, whyNot(done.error()));
    });
}

QString KeptPasswords::whyNot(const SecretStore::Failure &failure)
{
    const QString detail = printable(failure.detail.toUtf8(), detailCodePoints);
    switch (failure.problem) {
    case SecretStore::Problem::NotFound:
        return tr("The keychain is locked, or has no entry for this server.");
    case SecretStore::Problem::Denied:
        return detail.isEmpty() ? tr("The keychain is locked, or refused access.")
                                : tr("The keychain is locked, or refused access: %1.").arg(detail);
    case SecretStore::Problem::Unavailable:
        break;
    }
    return detail.isEmpty()
               ? tr("The keychain cannot be used. Start one, such as GNOME Keyring or KWallet.")
               : tr("The keychain cannot be used (%1). Start one, such as GNOME Keyring or KWallet.")
                     .arg(detail);
}

} // namespace lockscope
