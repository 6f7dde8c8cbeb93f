// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companions.h"

#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

CompactOptional<qint64> epochMsIn(const QByteArray &text)
{
    bool isNumber = false;
    const double ms = text.toDouble(&isNumber); // a score may have a fraction
    return isNumber && ms > 0 && ms < 1e16 ? CompactOptional(static_cast<qint64>(ms))
                                           : CompactOptional<qint64>();
}

QByteArray textIn(const Reply &reply)
{
    return reply.isText() ? reply.text : QByteArray();
}

bool isThere(const Reply &reply)
{
    return reply.isInteger() && reply.integer > 0;
}

void takeFencingToken(PartialCompanionState &reading, const Reply &reply, Family self)
{
    if (const QByteArray token = textIn(reply); !token.isEmpty()) {
        reading.state.fencingToken = token;
        reading.state.implied.insert(self);
    }
}

QList<Waiter> waitersIn(const Reply &members, Family family)
{
    const auto isWaiter = specOf(family).companions.isWaiter;
    QList<Waiter> queue;
    for (const Reply &member : members.elements) {
        if (!isWaiter || isWaiter(member.text))
            queue.append(Waiter{OwnerId(member.text), {}, SubscriptionState::Unknown, false});
    }
    return queue;
}

void takeQueue(PartialCompanionState &reading, const Reply &members, Family self)
{
    if (members.isError() && !members.text.startsWith("WRONGTYPE"))
        return; // on another node
    Waiters &waiters = reading.state.waiters;
    const QList<Waiter> queue = waitersIn(members, self);
    if (!waiters.queue.isEmpty() || (reading.queueRead && queue.isEmpty()))
        return; // the other kind of queue has been there
    reading.queueRead = true;
    waiters.queue = queue;
    waiters.count = queue.size();
    reading.queueOf = self;
    if (!queue.isEmpty() && specOf(self).companions.decideKind)
        reading.state.implied.insert(self);
    reading.isLonger = members.elements.size() >= static_cast<size_t>(Waiters::most);
}

void takeTimeouts(QList<Waiter> &queue, const Reply &scores)
{
    const std::vector<Reply> &members = scores.elements;
    for (size_t i = 0; i + 1 < members.size(); i += 2) {
        const auto waiter = std::ranges::find(queue, OwnerId(members[i].text), &Waiter::id);
        if (waiter != queue.end())
            waiter->timeoutAtMs = epochMsIn(members[i + 1].text);
    }
}

} // namespace lockscope
