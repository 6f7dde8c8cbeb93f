// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/tracetext.h"

#include "ui/simulation/runtext.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct TraceWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::TraceEntry)
};

/// %1 is the worker.
QString patternOf(const TraceEntry &entry)
{
    using Kind = TraceEntry::Kind;
    switch (entry.kind) {
    case Kind::Entered:
        return TraceWords::tr("%1 enters the critical section");
    case Kind::Left:
        return TraceWords::tr("%1 leaves the critical section");
    case Kind::DiedInside:
        return TraceWords::tr("%1 crashes in the critical section");
    case Kind::WaitBegan:
        return TraceWords::tr("%1 tries to acquire the lock");
    case Kind::Refused:
        return TraceWords::tr("%1 is refused");
    case Kind::Woken:
        return TraceWords::tr("%1 is woken by a message");
    case Kind::Acquired:
        return TraceWords::tr("%1 has acquired the lock");
    case Kind::HandedOver:
        return TraceWords::tr("%1 has been handed the lock");
    case Kind::Reentered:
        return TraceWords::tr("%1 re-enters the lock");
    case Kind::Renewed:
        return TraceWords::tr("%1 has renewed the lease");
    case Kind::Lost:
        return TraceWords::tr("%1 is told that it no longer holds the lock");
    case Kind::GaveUp:
        return TraceWords::tr("%1 continues without the lock");
    case Kind::TimedOut:
        return TraceWords::tr("%1 times out");
    case Kind::ReleaseBegan:
        return TraceWords::tr("%1 begins to release the lock");
    case Kind::Unwound:
        return TraceWords::tr("%1 has released one level");
    case Kind::Released:
        return TraceWords::tr("%1 has released the lock");
    case Kind::Published:
        return TraceWords::tr("%1 has released the lock; waiters were notified");
    case Kind::NotHeld:
        return TraceWords::tr("%1 cannot release: the lock is gone or another's");
    case Kind::NoReply:
        return TraceWords::tr("%1 got no reply; outcome unknown");
    case Kind::PauseBegan:
        return TraceWords::tr("%1 is paused");
    case Kind::PauseEnded:
        return TraceWords::tr("%1 continues after its pause");
    case Kind::Died:
        return TraceWords::tr("%1 crashes");
    case Kind::LifeBegan:
        return TraceWords::tr("%1 starts");
    case Kind::Disconnected:
        return TraceWords::tr("%1 loses its connection");
    case Kind::Connected:
        return TraceWords::tr("%1 is connected again");
    case Kind::Finished:
        return TraceWords::tr("%1 ends");
    case Kind::NotTold:
        return TraceWords::tr("%1: its last events may be missing");
    case Kind::ServerPaused:
        return TraceWords::tr("the server is paused");
    case Kind::ServerResumed:
        return TraceWords::tr("the server continues");
    case Kind::ServerStopping:
        return TraceWords::tr("a restart or flush of the server is ordered");
    case Kind::ServerBack:
        return TraceWords::tr("the server responds after its restart or flush");
    case Kind::ProcessStalled:
        return TraceWords::tr("a process of workers does not respond");
    case Kind::ProcessResumed:
        return TraceWords::tr("a process of workers responds again");
    case Kind::Orphaned:
        return TraceWords::tr("the lock is found without expiry");
    case Kind::OrphanedNoMore:
        return TraceWords::tr("the lock without expiry is no longer found so");
    }
    return {};
}

} // namespace

QString textOf(const TraceEntry &entry, bool namesLock)
{
    const QString pattern = patternOf(entry);
    const QString text = entry.worker >= 0 ? pattern.arg(workerName(entry.worker)) : pattern;
    return namesLock && entry.lock >= 0
               ? TraceWords::tr("%1 (lock %2)", "what a worker does").arg(text).arg(entry.lock + 1)
               : text;
}

} // namespace lockscope
