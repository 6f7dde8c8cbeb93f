// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/reply.h"

#include <array>
#include <optional>

namespace lockscope {

inline constexpr std::array<QByteArrayView, 3> notificationQuestion{"CONFIG", "GET",
                                                                    "notify-keyspace-events"};

/// Whether notifications tell of whatever can happen to a lock, on a channel for each key, by the answer to
/// notificationQuestion; nullopt: the answer does not say.
inline std::optional<bool> tellsEnough(const Result<Reply> &answer)
{
    if (!answer || !answer->isArray() || answer->elements.size() != 2)
        return std::nullopt;
    const QByteArray &flags = answer->elements[1].text;
    const bool everyKind =
        flags.contains('A') || (flags.contains('g') && flags.contains('$') && flags.contains('h'));
    return flags.contains('K') && everyKind;
}

} // namespace lockscope
