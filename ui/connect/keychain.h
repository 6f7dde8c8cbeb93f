// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/connect/secretstore.h"

namespace lockscope {

/// The desktop keychain: org.freedesktop.secrets or KWallet, service "Lockscope". It asks the user to unlock
/// it. Without one, nothing is stored anywhere.
class Keychain : public SecretStore
{
public:
    QFuture<Answer<QByteArray>> read(const QString &key) override;
    QFuture<Answer<void>> write(const QString &key, const QByteArray &secret) override;
    QFuture<Answer<void>> remove(const QString &key) override;

    static Keychain &instance();
};

} // namespace lockscope
