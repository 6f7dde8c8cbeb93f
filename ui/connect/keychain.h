// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/connect/secretstore.h"

namespace lockscope {

/// The keychain of the user's desktop: what answers to org.freedesktop.secrets, or KWallet. It asks the user itself where it is
/// locked. Entries belong to the service "Lockscope". Nothing is written anywhere else where there is none.
class Keychain : public SecretStore
{
public:
    QFuture<Answer<QByteArray>> read(const QString &key) override;
    QFuture<Answer<void>> write(const QString &key, const QByteArray &secret) override;
    QFuture<Answer<void>> remove(const QString &key) override;

    /// The program's own.
    static Keychain &instance();
};

} // namespace lockscope
