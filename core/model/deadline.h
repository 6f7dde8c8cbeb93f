// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/time.h"

#include <chrono>

namespace lockscope {

/// The expiry of a lease. A TTL is exact at some moment between request and reply, so the expiry is an
/// interval; two readings of an unchanged lease overlap, which distinguishes a renewal from a slow reply.
struct Deadline
{
    /// Limit of TTLs: a steady clock counts nanoseconds in 64 bits, which is 292 years.
    static constexpr milliseconds horizon = std::chrono::hours(24 * 365 * 100);

    TimePoint earliest;
    TimePoint latest;

    /// From a PTTL requested at `asked` and received at `heard`.
    static Deadline fromPttl(milliseconds pttl, TimePoint asked, TimePoint heard);
    /// The time left at `now`, never negative.
    milliseconds remaining(TimePoint now) const;

    friend bool operator==(const Deadline &, const Deadline &) = default;
};

/// Absent value: an end before its beginning.
template <>
inline constexpr Deadline noValue<Deadline> = {TimePoint::max(), TimePoint::min()};

} // namespace lockscope
