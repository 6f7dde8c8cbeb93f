// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/recordingmessages.h"

#include "core/base/printable.h"
#include "core/words/texts.h"

namespace lockscope {

QString describe(GapCause cause)
{
    switch (cause) {
    case GapCause::None:
        break;
    case GapCause::NotRunning:
        return Texts::tr("nothing was recorded");
    case GapCause::Overrun:
        return Texts::tr("too many events to write");
    case GapCause::WriteFailed:
        return Texts::tr("the file could not be written");
    case GapCause::NotWatched:
        return Texts::tr("not all locks were known");
    case GapCause::Damaged:
        return Texts::tr("the file is damaged");
    }
    return {};
}

QString describe(const RecordingGap &gap)
{
    if (gap.cause != GapCause::Overrun && gap.cause != GapCause::WriteFailed)
        return describe(gap.cause);
    return Texts::tr("%1; events lost: at least %2", "why a recording has a gap")
        .arg(describe(gap.cause), grouped(gap.lost));
}

} // namespace lockscope
