// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/actionguard.h"

#include "core/base/printable.h"

namespace lockscope {

ActionGuard::ActionGuard(Environment environment, QString serverName)
    : m_environment(environment), m_serverName(std::move(serverName))
{
}

Consent::Kind ActionGuard::asks(Action action) const
{
    if (m_environment == Environment::Production)
        return Consent::Named;
    if (m_environment == Environment::Development || m_skipped.contains(action))
        return Consent::None;
    return Consent::Confirmed;
}

QString ActionGuard::nameOf(const LockKey &key)
{
    return printable(key.bytes, key.bytes.size());
}

QString ActionGuard::nameToType(const LockKey &key, bool isOneOfSeveral) const
{
    return isOneOfSeveral ? m_serverName : nameOf(key);
}

bool ActionGuard::isName(const QString &typed, const QString &name)
{
    return !name.isEmpty() &&
           (typed == name || (typed.trimmed() == name.trimmed() && !name.trimmed().isEmpty()));
}

bool ActionGuard::maySkip() const
{
    return m_environment == Environment::Staging;
}

void ActionGuard::skip(Action action)
{
    if (maySkip())
        m_skipped.insert(action);
}

bool ActionGuard::isAgreed(const ActionRequest &request) const
{
    if (m_environment == Environment::Unset)
        return true;
    const Consent &consent = request.consent;
    const Consent::Kind asked = asks(request.action);
    if (asked != Consent::Named)
        return consent.kind >= asked;
    return consent.kind == Consent::Named &&
           isName(consent.typed, nameToType(request.key, consent.isOneOfSeveral));
}

std::optional<Error> ActionGuard::refusal(const ActionRequest &request) const
{
    if (isAgreed(request))
        return std::nullopt;
    return Error(ErrorKind::NotAgreed,
                 m_environment == Environment::Production
                     ? Phrase(QT_TRANSLATE_NOOP("phrases", "production requires typing the lock's name"))
                     : Phrase(QT_TRANSLATE_NOOP("phrases", "not confirmed")));
}

} // namespace lockscope
