// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/waitertext.h"

#include "core/words/texts.h"

#include <QDateTime>
#include <QStringList>

#include <algorithm>

namespace lockscope {

StatusMessage waiterState(const Waiter &waiter, qint64 nowMs)
{
    if (waiter.isDead)
        return {StatusColor::Danger, Texts::tr("dead: not subscribed")};
    QStringList words;
    StatusColor statusColor = StatusColor::Muted;
    if (waiter.listening == SubscriptionState::Yes) {
        words << Texts::tr("subscribed");
    } else if (waiter.listening == SubscriptionState::No) {
        words << Texts::tr("not subscribed now");
        statusColor = StatusColor::Warning;
    } else if (waiter.listening == SubscriptionState::NotHeard) {
        words << Texts::tr("not subscribed here");
    }
    if (waiter.timeoutAtMs && *waiter.timeoutAtMs <= nowMs) {
        words << Texts::tr("timed out");
        statusColor = StatusColor::Warning;
    } else if (waiter.timeoutAtMs) {
        const auto left = std::min(milliseconds(*waiter.timeoutAtMs - nowMs), Deadline::horizon);
        words << Texts::tr("until %1").arg(clockTime(TimePoint() + left, TimePoint(), nowMs));
    }
    return {statusColor, words.isEmpty() ? Texts::tr("waiting") : words.join(QStringLiteral(" · "))};
}

Glyph waiterGlyph(const Waiter &waiter)
{
    if (waiter.isDead)
        return Glyph::Cross;
    return waiter.listening == SubscriptionState::No ? Glyph::Triangle : Glyph::Hourglass;
}

} // namespace lockscope
