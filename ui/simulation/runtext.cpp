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
    const QString meanings[] = {
        RunWords::tr("The strategy's own method."),
        RunWords::tr("GET, compare in the client, DEL: changes in between go unnoticed. Not safe."),
        RunWords::tr("One script compares and deletes; a lock that is gone already counts as not released."),
        RunWords::tr("One script compares and deletes; a lock that is gone already counts as done."),
        RunWords::tr("WATCH, GET, MULTI, DEL, EXEC: a change in between makes it fail."),
        RunWords::tr("DEL without a check of the owner. Not safe."),
    };
    static_assert(std::size(meanings) == size_t(ReleaseMethod::UncheckedDelete) + 1);
    return meanings[size_t(form)];
}

QString meaningOf(WakeMethod form)
{
    const QString meanings[] = {
        RunWords::tr("The strategy's own method."),
        RunWords::tr("Retries after a fixed time."),
        RunWords::tr("Retries after a random time that grows from 1 to 20 ms."),
        RunWords::tr("Each release is published, and all waiters retry at once."),
    };
    static_assert(std::size(meanings) == size_t(WakeMethod::Subscription) + 1);
    return meanings[size_t(form)];
}

QString meaningOf(WaitMode mode)
{
    const QString meanings[] = {
        RunWords::tr("Tries once. If refused, continues without the lock."),
        RunWords::tr("Waits up to the timeout, then continues without the lock."),
        RunWords::tr("Waits until the lock is acquired."),
    };
    static_assert(std::size(meanings) == size_t(WaitMode::Block) + 1);
    return meanings[size_t(mode)];
}

} // namespace lockscope
