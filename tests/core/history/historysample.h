// SPDX-License-Identifier: GPL-3.0-or-later
// What a history is told of one lock, and what it says of it in words.
#pragma once

#include "core/history/lockhistory.h"

#include <QRegularExpression>

namespace lockscope::historysample {

using namespace std::chrono_literals;

inline constexpr qint64 start = 1'760'000'000'000;
inline const LockKey key("lock:a");

inline LockOwner owner(const QByteArray &id, qint64 count = 1)
{
    return {OwnerId(id), QByteArray::number(count), count};
}

inline LockEvent happened(EventKind kind, qint64 at, const QList<LockOwner> &owners = {owner("web-1")},
                          CompactOptional<milliseconds> ttl = 30'000ms, int others = 0)
{
    LockEvent told;
    told.kind = kind;
    told.address.key = key;
    told.owners = owners;
    told.ttl = ttl;
    told.wallMs = start + at;
    told.others = others;
    return told;
}

inline LockEvent unseen(LockEvent told, milliseconds time)
{
    told.unseenFor = time;
    return told;
}

/// "hold0 5-9 web-1" and the like, in ms since the start.
inline QStringList shown(const LockHistory &history, qint64 from = 0, qint64 to = 1'000'000, qint64 step = 1)
{
    static const QList<const char *> kinds{"hold", "wait", "count", "lease", "unknown", "mark"};
    static const QList<const char *> ends{"goes on",  "released", "expired", "forced",  "owner changed",
                                          "vanished", "acquired", "left",    "changed", "unwatched"};
    QStringList lines;
    history.visit(key, start + from, start + to, start + to, step, [&](const HistorySlice &slice) {
        QString line = QString::fromLatin1(kinds[int(slice.kind)]) + QString::number(slice.row);
        line += QStringLiteral(" %1-%2").arg(slice.fromMs - start).arg(slice.toMs - start);
        if (slice.kind == SliceKind::Hold || slice.kind == SliceKind::Wait)
            line += u' ' + QString::fromLatin1(history.store().owner(slice.value).bytes);
        if (slice.kind == SliceKind::Hold && slice.detail != 1)
            line += QStringLiteral(" x%1").arg(slice.detail);
        if (slice.kind == SliceKind::WaitCount)
            line += QStringLiteral(" %1").arg(slice.value);
        if (slice.kind == SliceKind::Lease)
            line += slice.value == HistorySlice::noExpiry ? QStringLiteral(" endless")
                                                          : QStringLiteral(" %1 ms").arg(slice.value);
        if (slice.merged > 1)
            line += QStringLiteral(" of %1").arg(slice.merged);
        lines << line + QStringLiteral(", ") + QString::fromLatin1(ends[int(slice.end)]);
    });
    return lines;
}

inline QStringList only(const QStringList &lines, const char *kind)
{
    return lines.filter(QRegularExpression(u'^' + QString::fromLatin1(kind)));
}

/// "!a" is a dead one.
inline WatchedLock waitedOn(const QList<QByteArray> &queue, qint64 count = -1,
                            WaiterCertainty certainty = WaiterCertainty::Exact,
                            const QByteArray &holder = "web-1")
{
    CompanionState companions;
    for (const QByteArray &id : queue) {
        const bool isDead = id.startsWith('!');
        companions.waiters.queue.append(
            {OwnerId(isDead ? id.mid(1) : id), {}, SubscriptionState::Unknown, isDead});
    }
    companions.waiters.count = count < 0 ? queue.size() : count;
    companions.waiters.certainty = certainty;
    WatchedLock lock;
    lock.lock.address.key = key;
    lock.lock.owners = {owner(holder)};
    lock.lock.companions = CompanionStatePtr(companions);
    return lock;
}

inline LockDiff events(const QList<LockEvent> &list)
{
    LockDiff diff;
    diff.events = list;
    return diff;
}

} // namespace lockscope::historysample
