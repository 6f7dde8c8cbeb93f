// SPDX-License-Identifier: GPL-3.0-or-later
// What a server sends besides its answers.
#pragma once

#include "core/redis/reply.h"

namespace lockscope {

/// A message of a channel or a pattern, in RESP2.
inline bool isMessage(const Reply &reply)
{
    return reply.isArray() && !reply.elements.empty() &&
           (reply.elements[0].text == "message" || reply.elements[0].text == "pmessage");
}

/// In RESP3, SUBSCRIBE is answered only by a push.
inline bool isSubscription(const Reply &push)
{
    return !push.elements.empty() &&
           (push.elements[0].text == "subscribe" || push.elements[0].text == "psubscribe");
}

/// True for a line of MONITOR, which begins with a time; its own answer is OK.
inline bool isObservation(const Reply &reply)
{
    return reply.isStatus() && !reply.text.isEmpty() && reply.text[0] >= '0' && reply.text[0] <= '9';
}

} // namespace lockscope
