// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/reply.h"

#include <array>
#include <optional>

namespace lockscope {

inline constexpr std::array<QByteArrayView, 3> notificationQuestion{"CONFIG", "GET",
                                                                    "notify-keyspace-events"};

/// True if notifications cover every change of a lock, on a channel per key, by the reply to
/// notificationQuestion; nullopt: unknown.
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
