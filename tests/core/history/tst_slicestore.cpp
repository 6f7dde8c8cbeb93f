// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/slicestore.h"

#include <QtTest>

using namespace lockscope;

namespace {

constexpr qint64 start = 1'760'000'000'000;
const LockKey key("lock:a");

void hold(SliceStore &store, const LockKey &lock, qint64 from, qint64 to, const QByteArray &owner = "web-1")
{
    store.reach(start + from);
    SliceLane &lane = store.lane(lock, {});
    SliceTrack &holds = lane.track(SliceKind::Hold, 0);
    store.append(lane, holds, {.from = store.fromBase(start + from), .value = store.use(OwnerId(owner))});
    if (to > from)
        store.end(lane, holds, store.fromBase(start + to), SliceEnd::Released);
    store.keepBounds();
}

} // namespace

class SliceStoreTest : public QObject
{
    Q_OBJECT

private slots:
    /// What goes on stays; what is told is from when on it is whole.
    void dropsTheOldest()
    {
        SliceStore store(10, 1'000'000);
        hold(store, LockKey("standing"), 0, 0);
        for (int i = 1; i <= 100; ++i)
            hold(store, key, i * 10, i * 10 + 5);
        QCOMPARE(store.slices(), 10);
        QCOMPARE(store.dropped(), 91);
        QCOMPARE(store.firstMs(), start + 915);
        const SliceTrack *holds = store.find(key)->find(SliceKind::Hold, 0);
        QCOMPARE(store.toAxis(holds->at(0).from), start + 920);
        QVERIFY(store.find(LockKey("standing"))->find(SliceKind::Hold, 0)->open());
    }

    void dropsLanesWhereAllGoesOn()
    {
        SliceStore store(10, 1'000'000);
        for (int i = 0; i < 30; ++i)
            hold(store, LockKey(QByteArray::number(i)), i, i);
        QCOMPARE(store.slices(), 10);
        QCOMPARE(store.laneCount(), 10);
        QVERIFY(store.find(LockKey("29")));
    }

    /// An owner's bytes count once, until its last slice is dropped.
    void boundsBytes()
    {
        SliceStore store(1'000'000, 100'000);
        for (int i = 0; i < 1000; ++i)
            hold(store, key, i * 10, i * 10 + 5, QByteArray(1000, 'a'));
        QCOMPARE(store.slices(), 1000);
        for (int i = 1000; i < 2000; ++i)
            hold(store, key, i * 10, i * 10 + 5, QByteArray(1000, 'a') + QByteArray::number(i));
        QVERIFY(store.slices() > 50 && store.slices() < 100);
    }

    void anEmptyLaneIsForgotten()
    {
        SliceStore store(10, 1'000'000);
        store.reach(start);
        SliceLane &lane = store.lane(key, {});
        SliceTrack &counts = lane.track(SliceKind::WaitCount, 0);
        store.append(lane, counts, {.from = 1, .value = 3});
        const quint64 revision = store.revision();
        store.takeBack(counts);
        QVERIFY(store.revision() > revision);
        QCOMPARE(store.slices(), 0);
        QVERIFY(store.find(key));
        store.forgetIfEmpty(lane);
        QVERIFY(!store.find(key));
        hold(store, LockKey("lock:b"), 10, 20); // in its place
        QCOMPARE(store.lanes().size(), size_t(1));
    }

    /// Of 49 days that a record can tell.
    void theBaseMoves()
    {
        constexpr qint64 day = 86'400'000;
        SliceStore store(1000, 1'000'000);
        hold(store, key, 0, 1000);
        hold(store, LockKey("standing"), 2000, 2000);
        const qint64 base = store.baseMs();
        hold(store, key, 24 * day, 24 * day + 1000);
        QCOMPARE(store.baseMs(), base);
        hold(store, key, 100 * day, 100 * day + 1000);
        QVERIFY(store.baseMs() > start + 80 * day);
        const SliceTrack *holds = store.find(key)->find(SliceKind::Hold, 0);
        QCOMPARE(store.toAxis(holds->last().to), start + 100 * day + 1000);
        QCOMPARE(store.toAxis(holds->at(0).to), store.baseMs());
        QVERIFY(store.find(LockKey("standing"))->find(SliceKind::Hold, 0)->open());
        QCOMPARE(store.firstMs(), store.baseMs());
    }

    void shedsAllOfIt()
    {
        SliceStore store(10'000, 10'000'000);
        for (int i = 0; i < 600; ++i)
            hold(store, LockKey(QByteArray::number(i)), i, i);
        QVERIFY(store.shed());
        QVERIFY(!store.shed());
        QCOMPARE(store.emptied().revision(), store.revision() + 1);
    }
};

QTEST_APPLESS_MAIN(SliceStoreTest)
#include "tst_slicestore.moc"
