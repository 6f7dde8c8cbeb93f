// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// From one moment to another, in ms of one clock or axis.
struct TimeRange
{
    qint64 fromMs = 0;
    qint64 toMs = 0;

    /// Have a moment in common, ends included.
    bool touches(const TimeRange &other) const { return fromMs <= other.toMs && toMs >= other.fromMs; }
    friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

} // namespace lockscope
