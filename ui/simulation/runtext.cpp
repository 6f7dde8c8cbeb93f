// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtext.h"

#include "core/simulation/model/strategyspec.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct RunWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

} // namespace

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
                RunWords::tr("The worker holds the lock and is in its critical section.")};
    case WorkerState::Paused:
        return {Glyph::Pause, StatusColor::Endless, RunWords::tr("paused"),
                RunWords::tr("The worker and its clock are paused, as in a garbage collection.")};
    case WorkerState::Dead:
        return {Glyph::Cross, StatusColor::Danger, RunWords::tr("crashed"),
                RunWords::tr("The worker was killed. Its lock stays until the lease expires; then another "
                             "worker replaces it.")};
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

QString meaningOf(StrategyKind kind)
{
    return inWords(Phrase(specOf(kind).meaning));
}

QString meaningOf(ReleaseMethod form)
{
    switch (form) {
    case ReleaseMethod::Usual:
        return RunWords::tr("The strategy's own method.");
    case ReleaseMethod::CheckThenDelete:
        return RunWords::tr("GET, compare in the client, DEL: changes in between go unnoticed. Not safe.");
    case ReleaseMethod::CompareAndDelete:
        return RunWords::tr(
            "One script compares and deletes; a lock that is gone already counts as not released.");
    case ReleaseMethod::CompareAndDeleteDone:
        return RunWords::tr("One script compares and deletes; a lock that is gone already counts as done.");
    case ReleaseMethod::WatchedTransaction:
        return RunWords::tr("WATCH, GET, MULTI, DEL, EXEC: a change in between makes it fail.");
    case ReleaseMethod::UncheckedDelete:
        break;
    }
    return RunWords::tr("DEL without a check of the owner. Not safe.");
}

QString meaningOf(WakeMethod form)
{
    switch (form) {
    case WakeMethod::Usual:
        return RunWords::tr("The strategy's own method.");
    case WakeMethod::Poll:
        return RunWords::tr("Retries after a fixed time.");
    case WakeMethod::Backoff:
        return RunWords::tr("Retries after a random time that grows from 1 to 20 ms.");
    case WakeMethod::Subscription:
        break;
    }
    return RunWords::tr("Each release is published, and all waiters retry at once.");
}

QString meaningOf(WaitMode mode)
{
    switch (mode) {
    case WaitMode::Try:
        return RunWords::tr("Tries once. If refused, continues without the lock.");
    case WaitMode::Timeout:
        return RunWords::tr("Waits up to the timeout, then continues without the lock.");
    case WaitMode::Block:
        break;
    }
    return RunWords::tr("Waits until the lock is acquired.");
}

} // namespace lockscope
