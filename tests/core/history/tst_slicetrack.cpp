// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/slicetrack.h"

#include "tests/bench/heap.h"

#include <QtTest>

using namespace lockscope;

class SliceTrackTest : public QObject
{
    Q_OBJECT

private slots:
    void keepsTheOrder()
    {
        SliceTrack track(SliceKind::Hold, 0);
        quint32 first = 0, next = 0;
        for (const int kept : {1, 5, 2, 40, 3, 0, 7}) {
            while (track.size() < size_t(kept)) {
                track.append({.from = next, .to = next + 1});
                ++next;
            }
            while (track.size() > size_t(kept))
                QCOMPARE(track.takeFirst().from, first++);
            for (size_t i = 0; i < track.size(); ++i)
                QCOMPARE(track.at(i).from, first + quint32(i));
        }
    }

    /// Of a hundred thousand lanes with some slices each, what is unused would be most of the memory.
    void whatWasDroppedTakesNoRoom()
    {
        constexpr int tracks = 10'000, kept = 4;
        const double before = heapInUse();
        std::vector<SliceTrack> all(tracks, SliceTrack(SliceKind::Hold, 0));
        for (SliceTrack &track : all) {
            for (quint32 at = 0; at < 100; ++at) {
                track.append({.from = at, .to = at + 1});
                if (track.size() > kept)
                    track.takeFirst();
            }
        }
        constexpr qint64 most = sizeof(SliceTrack) + 2 * (kept + 1) * sizeof(SliceRecord);
        const auto each = qint64((heapInUse() - before) / tracks);
        QVERIFY2(each <= most, qPrintable(QString::number(each)));
    }
};

QTEST_GUILESS_MAIN(SliceTrackTest)
#include "tst_slicetrack.moc"
