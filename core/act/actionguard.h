// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/actionrequest.h"
#include "core/redis/environment.h"
#include "core/redis/error.h"

#include <QSet>
#include <QString>

#include <optional>

namespace lockscope {

/// The confirmations that a server's environment requires before an action. A value, shared by the code that
/// asks and the code that refuses. If the environment is not set, asking is left to the caller.
class ActionGuard
{
public:
    /// `serverName`: the user's name for it, to be typed for several locks.
    explicit ActionGuard(Environment environment = Environment::Unset, QString serverName = {});

    Environment environment() const { return m_environment; }

    Consent::Kind asks(Action action) const;
    /// A lock's full name for display and typing: bytes that are not text are escaped.
    static QString nameOf(const LockKey &key);
    /// The text to type for Consent::Named: the lock's name or, for several locks, the server's.
    QString nameToType(const LockKey &key, bool isOneOfSeveral) const;

    /// Ignores blanks around the text.
    static bool isName(const QString &typed, const QString &name);

    /// True if the user may disable the question before an action: for staging, not for possible production.
    bool maySkip() const;
    /// Disables the question until the connection ends.
    void skip(Action action);

    /// The refusal of a request without the required consent (ErrorKind::NotAgreed); absent: permitted.
    std::optional<Error> refusal(const ActionRequest &request) const;

private:
    bool isAgreed(const ActionRequest &request) const;

    Environment m_environment;
    QString m_serverName;
    QSet<Action> m_skipped;
};

} // namespace lockscope
