// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replay.h"
#include "tests/support/told.h"

#include <QtTest>

#include <algorithm>

namespace lockscope {

/// What a page would know of all that it is told.
class ReplayListener : public QObject
{
public:
    explicit ReplayListener(const QString &path) : replay(path)
    {
        connect(&replay, &Replay::rewound, this, [this] {
            locks.clear();
            events.clear();
            gaps.clear();
            states.clear();
        });
        connect(&replay, &Replay::locksRestored, this, [this](const LockDiff &part) {
            apply(part, false);
            if (!replay.isTellingPast())
                show(part);
        });
        onTold<LockDiff>(replay, this, [this](const LockDiff &diff) {
            apply(diff, true);
            if (!replay.isTellingPast())
                show(diff);
        });
        onTold<ConnectionStatus>(replay, this,
                                 [this](const ConnectionStatus &status) { states.append(status.state); });
        connect(&replay, &Replay::gapTold, this, [this](const RecordingGap &gap) { gaps.append(gap); });
        connect(&replay, &Replay::failed, this, [this](const Error &why) { failure = why; });
        connect(&replay, &Replay::opened, this, [this] { isOpen = true; });
        replay.open();
    }
    [[nodiscard]] bool opens() const
    {
        return QTest::qWaitFor([this] { return isOpen || failure.has_value(); }) && isOpen;
    }
    /// With what came before it.
    [[nodiscard]] bool seek(milliseconds moment)
    {
        replay.seek(moment);
        return arrives();
    }
    /// To an event after what is shown, or before it.
    [[nodiscard]] bool step(bool isForward, const ListedEvents &listed = {})
    {
        replay.seekEvent(isForward, listed);
        return arrives();
    }
    [[nodiscard]] bool arrives()
    {
        bool isThere = false;
        const auto connection =
            connect(&replay, &Replay::arrived, this, [&] { isThere = replay.isPastTold(); });
        const bool came = QTest::qWaitFor([&] { return isThere; });
        disconnect(connection);
        return came;
    }

    Replay replay;
    QHash<LockKey, WatchedLock> locks;
    QList<LockEvent> events;
    QList<RecordingGap> gaps;
    QList<Link::State> states;
    QSet<LockKey> table; ///< as a page has it, which takes nothing back
    std::optional<Error> failure;
    bool isOpen = false;

private:
    void show(const LockDiff &diff)
    {
        for (const LockKey &key : diff.removed)
            table.remove(key);
        for (const WatchedLock &lock : diff.changed)
            table.insert(lock.key());
    }
    void apply(const LockDiff &diff, bool haveHappened)
    {
        for (const LockKey &key : diff.removed)
            locks.remove(key);
        for (const WatchedLock &lock : diff.changed)
            locks.insert(lock.key(), lock);
        if (haveHappened)
            events += diff.events;
    }
};

/// "lock=owner" of each, in order.
inline QByteArrayList namesOf(const QHash<LockKey, WatchedLock> &locks)
{
    QByteArrayList names;
    for (const WatchedLock &lock : locks)
        names.append(lock.key().bytes + '=' + lock.lock.owners.value(0).owner.bytes);
    std::ranges::sort(names);
    return names;
}

} // namespace lockscope
