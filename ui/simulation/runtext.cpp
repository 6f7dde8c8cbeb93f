// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtext.h"

namespace lockscope {

StateLook lookOf(WorkerState state)
{
    switch (state) {
    case WorkerState::Starting:
        return {Glyph::Dash, StatusColor::Muted, RunWords::tr("starting"),
                RunWords::tr("The worker is connecting.")};
    case WorkerState::Resting:
        return {Glyph::Ring, StatusColor::Muted, RunWords::tr("resting"),
                RunWords::tr("The worker is between two iterations.")};
    case WorkerState::Waiting:
        return {Glyph::Hourglass, StatusColor::Warning, RunWords::tr("waiting"),
                RunWords::tr("The worker waits for a lock.")};
    case WorkerState::Holding:
        return {Glyph::Padlock, StatusColor::Held, RunWords::tr("holding"),
                RunWords::tr("In its critical section, holding the lock.")};
    case WorkerState::Paused:
        return {Glyph::Pause, StatusColor::Endless, RunWords::tr("paused"),
                RunWords::tr("Paused with its clock, as in a garbage collection.")};
    case WorkerState::Dead:
        return {
            Glyph::Cross, StatusColor::Danger, RunWords::tr("crashed"),
            RunWords::tr("Killed. Its lock stays until the lease expires; then another worker replaces it.")};
    case WorkerState::Disconnected:
        return {Glyph::Plug, StatusColor::Danger, RunWords::tr("disconnected"),
                RunWords::tr("The worker has no connection and retries.")};
    case WorkerState::Finished:
        break;
    }
    return {Glyph::Check, StatusColor::Good, RunWords::tr("finished"),
            RunWords::tr("The worker has finished.")};
}

QString workerName(int worker)
{
    return QStringLiteral("W%1").arg(worker + 1);
}

} // namespace lockscope
