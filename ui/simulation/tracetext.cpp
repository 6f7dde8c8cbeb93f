// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/tracetext.h"

#include "core/base/enumnames.h"
#include "ui/simulation/runtext.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct TracePattern
{
    TraceEntry::Kind kind;
    const char *text; ///< %1 is the worker
};

struct TraceWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::TraceEntry)

    using Kind = TraceEntry::Kind;

public:
    static constexpr TracePattern patterns[] = {
        {Kind::Entered, QT_TR_NOOP("%1 enters")},
        {Kind::Left, QT_TR_NOOP("%1 leaves")},
        {Kind::DiedInside, QT_TR_NOOP("%1 crashes in the critical section")},
        {Kind::WaitBegan, QT_TR_NOOP("%1 tries to acquire")},
        {Kind::Refused, QT_TR_NOOP("%1 is refused")},
        {Kind::Woken, QT_TR_NOOP("%1 is woken")},
        {Kind::Acquired, QT_TR_NOOP("%1 acquires")},
        {Kind::MigratedLock, QT_TR_NOOP("%1 is handed the lock")},
        {Kind::Reentered, QT_TR_NOOP("%1 re-enters")},
        {Kind::Renewed, QT_TR_NOOP("%1 renews the lease")},
        {Kind::Lost, QT_TR_NOOP("%1 finds the lock lost")},
        {Kind::GaveUp, QT_TR_NOOP("%1 continues without the lock")},
        {Kind::TimedOut, QT_TR_NOOP("%1 times out")},
        {Kind::ReleaseBegan, QT_TR_NOOP("%1 begins to release")},
        {Kind::Unwound, QT_TR_NOOP("%1 releases one level")},
        {Kind::Released, QT_TR_NOOP("%1 releases the lock")},
        {Kind::Published, QT_TR_NOOP("%1 releases the lock and notifies waiters")},
        {Kind::NotHeld, QT_TR_NOOP("%1 cannot release: the lock is gone or another's")},
        {Kind::NoReply, QT_TR_NOOP("%1 got no reply; outcome unknown")},
        {Kind::PauseBegan, QT_TR_NOOP("%1 is paused")},
        {Kind::PauseEnded, QT_TR_NOOP("%1 continues")},
        {Kind::Died, QT_TR_NOOP("%1 crashes")},
        {Kind::LifeBegan, QT_TR_NOOP("%1 starts")},
        {Kind::Disconnected, QT_TR_NOOP("%1 loses its connection")},
        {Kind::Connected, QT_TR_NOOP("%1 is connected again")},
        {Kind::Finished, QT_TR_NOOP("%1 ends")},
        {Kind::NotTold, QT_TR_NOOP("%1: its last events may be missing")},
        {Kind::ServerPaused, QT_TR_NOOP("the server is paused")},
        {Kind::ServerResumed, QT_TR_NOOP("the server continues")},
        {Kind::ServerStopping, QT_TR_NOOP("server restart or flush ordered")},
        {Kind::ServerBack, QT_TR_NOOP("the server responds again")},
        {Kind::ProcessStalled, QT_TR_NOOP("a process does not respond")},
        {Kind::ProcessResumed, QT_TR_NOOP("a process responds again")},
        {Kind::Orphaned, QT_TR_NOOP("the lock is found without expiry")},
        {Kind::OrphanedNoMore, QT_TR_NOOP("the lock without expiry has changed")},
    };
};
static_assert(isByValue(TraceWords::patterns, TraceEntry::Kind::OrphanedNoMore, &TracePattern::kind));

} // namespace

QString textOf(const TraceEntry &entry, bool namesLock)
{
    const QString pattern = TraceWords::tr(TraceWords::patterns[size_t(entry.kind)].text);
    const QString text = entry.worker >= 0 ? pattern.arg(workerName(entry.worker)) : pattern;
    return namesLock && entry.lock >= 0
               ? TraceWords::tr("%1 (lock %2)", "what a worker does").arg(text).arg(entry.lock + 1)
               : text;
}

} // namespace lockscope
