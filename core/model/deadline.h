// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/time.h"

#include <chrono>

namespace lockscope {

/// When a lease ends. A TTL is true at some moment between asking and hearing, so the end lies in an
/// interval; two readings of an unchanged lease overlap, which tells a renewal from a slow reply.
struct Deadline
{
    /// Longer TTLs count as this: a steady clock counts nanoseconds in 64 bits, which is 292 years.
    static constexpr milliseconds horizon = std::chrono::hours(24 * 365 * 100);

    TimePoint earliest;
    TimePoint latest;

    /// From a PTTL asked at `asked` and heard at `heard`.
    static Deadline fromPttl(milliseconds pttl, TimePoint asked, TimePoint heard);
    /// Time left at `now`, never negative.
    milliseconds remaining(TimePoint now) const;

    friend bool operator==(const Deadline &, const Deadline &) = default;
};

/// An end before its beginning.
template <>
inline constexpr Deadline noValue<Deadline> = {TimePoint::max(), TimePoint::min()};

} // namespace lockscope
