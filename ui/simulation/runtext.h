// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"
#include "core/words/texts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

namespace lockscope {

// What the panel says and shows of a run, in short.

struct StateLook
{
    Glyph glyph;
    StatusColor statusColor;
    QString word;
    QString meaning;
};

StateLook lookOf(WorkerState state);
QString workerName(int worker); ///< "W3" for the third

} // namespace lockscope
