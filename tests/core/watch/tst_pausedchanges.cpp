// SPDX-License-Identifier: GPL-3.0-or-later
// A picture that was held goes on with one diff, which makes of it what the single ones would have made.
#include "core/watch/pausedchanges.h"

#include <QMap>
#include <QtTest>

#include <random>

using namespace lockscope;

namespace {

using DisplayedState = QMap<QByteArray, int>;

WatchedLock lockWith(const QByteArray &key, int renewals)
{
    WatchedLock lock;
    lock.lock.address.key = LockKey(key);
    lock.renewals = renewals;
    return lock;
}

void apply(DisplayedState &picture, const LockDiff &diff)
{
    for (const LockKey &key : diff.removed)
        picture.remove(key.bytes);
    for (const WatchedLock &lock : diff.changed)
        picture.insert(lock.key().bytes, lock.renewals);
}

} // namespace

class PausedChangesTest : public QObject
{
    Q_OBJECT

private slots:
    void oneDiffForAll()
    {
        std::mt19937 random(7);
        const auto below = [&random](int bound) { return static_cast<int>(random() % unsigned(bound)); };
        for (int round = 0; round < 200; ++round) {
            DisplayedState shown;
            for (int i = 0; i < 5; ++i)
                shown.insert(QByteArray::number(i), -1);
            DisplayedState live = shown;
            PausedChanges held;
            for (int step = 0; step < below(20); ++step) {
                LockDiff diff;
                for (int i = 0; i < 8; ++i) {
                    const QByteArray key = QByteArray::number(i);
                    if (below(4) == 0)
                        diff.changed.append(lockWith(key, step));
                    else if (below(4) == 0 && live.contains(key))
                        diff.removed.append(LockKey(key));
                }
                held.add(diff, [&](const LockKey &key) { return shown.contains(key.bytes); });
                apply(live, diff);
            }
            int differing = 0;
            for (int i = 0; i < 8; ++i)
                differing += shown.value(QByteArray::number(i), -2) != live.value(QByteArray::number(i), -2);
            QCOMPARE(held.size(), differing);
            apply(shown, held.take());
            QCOMPARE(shown, live);
            QCOMPARE(held.size(), 0);
        }
    }

    void whatComesAndGoesLeavesNothing()
    {
        PausedChanges held;
        for (int i = 0; i < 1000; ++i) {
            const QByteArray key = QByteArray::number(i);
            LockDiff diff;
            diff.changed = {lockWith(key, 0)};
            held.add(diff, [](const LockKey &) { return false; });
            LockDiff gone;
            gone.removed = {LockKey(key)};
            held.add(gone, [](const LockKey &) { return false; });
        }
        QCOMPARE(held.size(), 0);
        QVERIFY(held.take().isEmpty());
    }

    void theLatestEventsAreKept()
    {
        PausedChanges held(3);
        for (int i = 0; i < 5; ++i) {
            LockDiff diff;
            LockEvent event;
            event.wallMs = i;
            diff.events = {event};
            held.add(diff, [](const LockKey &) { return true; });
        }
        const LockDiff diff = held.take();
        QCOMPARE(diff.events.size(), 3);
        QCOMPARE(diff.events.first().wallMs, 2);
        QCOMPARE(diff.events.last().wallMs, 4);
    }
};

QTEST_GUILESS_MAIN(PausedChangesTest)
#include "tst_pausedchanges.moc"
