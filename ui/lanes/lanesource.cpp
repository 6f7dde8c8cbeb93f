// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanesource.h"

#include "ui/lanes/laneview.h"
#include "ui/lanes/timescale.h"

namespace lockscope {

QString LaneSource::timeText(qint64 atMs, qint64 stepMs) const
{
    return TimeScale::labelOf(wallMs(atMs), stepMs);
}

qint64 LaneSource::labelStepMs(double leastMs) const
{
    return TimeScale::clockStepMs(leastMs);
}

QString LaneSource::lastText() const
{
    return LaneView::tr("Now");
}

} // namespace lockscope
