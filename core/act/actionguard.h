// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/actionrequest.h"
#include "core/redis/environment.h"
#include "core/redis/error.h"

#include <QSet>
#include <QString>

#include <optional>

namespace lockscope {

/// What a server's environment asks of its operators before an action. A value: whoever shows what is asked and whoever refuses
/// what was not agreed to have the same. Where the environment is not set, asking is left to whoever shows it.
class ActionGuard
{
public:
    /// `serverName`: as the user knows it, to be typed where several locks are acted on.
    explicit ActionGuard(Environment environment = Environment::Unset, QString serverName = {});

    Environment environment() const { return m_environment; }

    /// How a user is to agree.
    Consent::Kind asks(Action action) const;
    /// A lock's name as it is shown whole, which everybody can type: bytes that are no letters are escaped.
    static QString nameOf(const LockKey &key);
    /// The text to be typed for Consent::Named: the lock's name, or, of several at once, the server's.
    QString nameToType(const LockKey &key, bool isOneOfSeveral) const;

    /// Blanks around it do not count.
    static bool isName(const QString &typed, const QString &name);

    /// Whether the user may say that an action needs no question any more: of staging, and not of what may be production.
    bool maySkip() const;
    /// Until the connection ends.
    void skip(Action action);

    /// Why the request is not sent; nullopt where it was agreed to as asked. ErrorKind::NotAgreed.
    std::optional<Error> refusal(const ActionRequest &request) const;

private:
    bool isAgreed(const ActionRequest &request) const;

    Environment m_environment;
    QString m_serverName;
    QSet<Action> m_skipped;
};

} // namespace lockscope
