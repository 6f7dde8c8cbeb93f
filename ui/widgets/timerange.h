// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// A time range in ms of one clock or axis, ends included.
struct TimeRange
{
    qint64 fromMs = 0;
    qint64 toMs = 0;

    /// True if the ranges share a moment.
    bool touches(const TimeRange &other) const { return fromMs <= other.toMs && toMs >= other.fromMs; }
    friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

} // namespace lockscope
