// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runtext.h"

#include "core/simulation/model/strategyspec.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

} // namespace

StateLook lookOf(WorkerState state)
{
    switch (state) {
    case WorkerState::Starting:
        return {Glyph::Dash, StatusColor::Muted, Words::tr("starting"), Words::tr("It is connecting.")};
    case WorkerState::Resting:
        return {Glyph::Ring, StatusColor::Muted, Words::tr("resting"),
                Words::tr("It wants no lock at the moment.")};
    case WorkerState::Waiting:
        return {Glyph::Hourglass, StatusColor::Warning, Words::tr("waiting"),
                Words::tr("It wants a lock that it does not have yet.")};
    case WorkerState::Holding:
        return {
            Glyph::Padlock, StatusColor::Held, Words::tr("holding"),
            Words::tr("It holds the lock and is in its critical section: the work that the lock protects.")};
    case WorkerState::Paused:
        return {Glyph::Pause, StatusColor::Endless, Words::tr("paused"),
                Words::tr(
                    "It stands still, its clock too, as a process that is swapped out or collects garbage.")};
    case WorkerState::Dead:
        return {
            Glyph::Cross, StatusColor::Danger, Words::tr("dead"),
            Words::tr("It was killed. A lock that it held stays until its lease ends; then another worker "
                      "takes its place.")};
    case WorkerState::Disconnected:
        return {Glyph::Plug, StatusColor::Danger, Words::tr("disconnected"),
                Words::tr("It has no connection to the server and tries again.")};
    case WorkerState::Finished:
        break;
    }
    return {Glyph::Check, StatusColor::Good, Words::tr("finished"),
            Words::tr("It has done all that it had to do.")};
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
        return Words::tr("The strategy's own way.");
    case ReleaseMethod::CheckThenDelete:
        return Words::tr("GET, compare in the client, DEL: what happens in between is not seen. Not safe.");
    case ReleaseMethod::CompareAndDelete:
        return Words::tr(
            "One script compares and deletes; a lock that is gone already counts as not released.");
    case ReleaseMethod::CompareAndDeleteDone:
        return Words::tr("One script compares and deletes; a lock that is gone already counts as done.");
    case ReleaseMethod::WatchedTransaction:
        return Words::tr("WATCH, GET, MULTI, DEL, EXEC: a change in between makes it fail.");
    case ReleaseMethod::UncheckedDelete:
        break;
    }
    return Words::tr("DEL, whoever's lock is there. Not safe.");
}

QString meaningOf(WakeMethod form)
{
    switch (form) {
    case WakeMethod::Usual:
        return Words::tr("The strategy's own way.");
    case WakeMethod::Poll:
        return Words::tr("Asks again after a fixed time.");
    case WakeMethod::Backoff:
        return Words::tr("Asks again after a random time that grows from 1 to 20 ms.");
    case WakeMethod::Subscription:
        break;
    }
    return Words::tr("Every release is published, and all who wait ask again at once.");
}

QString meaningOf(WaitMode mode)
{
    switch (mode) {
    case WaitMode::Try:
        return Words::tr("Tries once and goes on without the lock where it is refused.");
    case WaitMode::Timeout:
        return Words::tr("Waits for so long, then goes on without the lock.");
    case WaitMode::Block:
        break;
    }
    return Words::tr("Waits until it has the lock.");
}

} // namespace lockscope
