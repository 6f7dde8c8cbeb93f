// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// From one moment to another, in ms of one clock or axis.
struct TimeRange
{
    qint64 fromMs = 0;
    qint64 toMs = 0;

    friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

} // namespace lockscope
