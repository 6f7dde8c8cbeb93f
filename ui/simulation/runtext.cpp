// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtext.h"

#include "core/words/texts.h"

namespace lockscope {

StateLook lookOf(WorkerState state)
{
    switch (state) {
    case WorkerState::Starting:
        return {Glyph::Dash, StatusColor::Muted, Texts::tr("starting"),
                Texts::tr("The worker is connecting.")};
    case WorkerState::Resting:
        return {Glyph::Ring, StatusColor::Muted, Texts::tr("resting"),
                Texts::tr("The worker is between two iterations.")};
    case WorkerState::Waiting:
        return {Glyph::Hourglass, StatusColor::Warning, Texts::tr("waiting"),
                Texts::tr("The worker waits for a lock.")};
    case WorkerState::Holding:
        return {Glyph::Padlock, StatusColor::Held, Texts::tr("holding"),
                Texts::tr("In its critical section, holding the lock.")};
    case WorkerState::Paused:
        return {Glyph::Pause, StatusColor::Endless, Texts::tr("paused"),
                Texts::tr("Paused with its clock, as in a garbage collection.")};
    case WorkerState::Dead:
        return {
            Glyph::Cross, StatusColor::Danger, Texts::tr("crashed"),
            Texts::tr("Killed. Its lock stays until the lease expires; then another worker replaces it.")};
    case WorkerState::Disconnected:
        return {Glyph::Plug, StatusColor::Danger, Texts::tr("disconnected"),
                Texts::tr("The worker has no connection and retries.")};
    case WorkerState::Finished:
        break;
    }
    return {Glyph::Check, StatusColor::Good, Texts::tr("finished"), Texts::tr("The worker has finished.")};
}

QString workerName(int worker)
{
    return QStringLiteral("W%1").arg(worker + 1);
}

} // namespace lockscope
