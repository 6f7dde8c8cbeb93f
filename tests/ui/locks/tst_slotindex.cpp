// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/slotindex.h"

#include "tests/ui/samplelocks.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class SlotIndexTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void anEmptyOneFindsNothing()
    {
        const std::vector<WatchedLock> none;
        const SlotIndex index(none);
        QCOMPARE(index.find(LockKey("lock:a")), SlotIndex::nowhere);
        QCOMPARE(index.findAll({reentrant("lock:a")}), std::vector<int>{SlotIndex::nowhere});
    }

    void likeAHash()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        std::vector<WatchedLock> locks(600);
        for (size_t slot = 0; slot < locks.size(); ++slot)
            locks[slot] = reentrant("lock:" + QByteArray::number(static_cast<int>(slot)));
        SlotIndex index(locks);
        QSet<int> known;
        const QList<WatchedLock> all(locks.begin(), locks.end());
        for (int step = 0; step < 20'000; ++step) {
            // At times nearly full, at times nearly empty.
            const int most = (step / 4'000) % 2 == 0 ? 600 : 40;
            const int slot = random.bounded(most);
            if (known.contains(slot)) {
                const LockKey key = all[slot].key();
                QCOMPARE(index.removeAll({key, LockKey("no lock"), key}), std::vector<int>{slot});
                known.remove(slot);
            } else {
                index.insert(slot);
                known.insert(slot);
            }
            if (step % 500 != 0)
                continue;
            const std::vector<int> found = index.findAll(all);
            for (int each = 0; each < 600; ++each) {
                const int expected = known.contains(each) ? each : SlotIndex::nowhere;
                QCOMPARE(index.find(all[each].key()), expected);
                QCOMPARE(found[size_t(each)], expected);
            }
        }
        QCOMPARE(index.size(), int(known.size()));
        QList<LockKey> keys;
        for (const WatchedLock &lock : all)
            keys << lock.key();
        QCOMPARE(index.removeAll(keys).size(), size_t(known.size()));
        QCOMPARE(index.size(), 0);
    }
};

QTEST_APPLESS_MAIN(SlotIndexTest)
#include "tst_slotindex.moc"
