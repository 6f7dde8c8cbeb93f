// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/token.h"

#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"

#include <QUuid>

#include <utility>

namespace lockscope {

QByteArray Token::newToken()
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

QByteArray Token::wholeSeconds(milliseconds lease)
{
    return QByteArray::number(qint64(std::chrono::ceil<std::chrono::seconds>(lease).count()));
}

Result<int> Token::storedHolds()
{
    const Result<Reply> stored = connection().send({"GET", key()});
    if (!stored)
        return tl::unexpected(stored.error());
    if (!stored->isText())
        return 0;
    if (!m_next.isEmpty() && stored->text == m_next)
        m_held = std::exchange(m_next, {}); // an attempt whose answer was lost
    return stored->text == m_held ? 1 : 0;
}

Result<bool> Token::extend(milliseconds lease)
{
    static const Script script("token/extend.lua");
    const QByteArray held = token();
    return answerFrom(script.run(connection(), {key()}, {held, leaseInSeconds(lease), "named"}))
        .map([](const ScriptReply &answer) { return answer.outcome == "extended"; });
}

const QByteArray &Token::candidate()
{
    if (m_next.isEmpty())
        m_next = newToken();
    return m_next;
}

AcquireResult Token::won()
{
    m_held = std::exchange(m_next, {});
    return AcquireResult{.verdict = AcquireResult::Verdict::Acquired};
}

} // namespace lockscope
