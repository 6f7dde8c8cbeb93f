// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/historygaps.h"

#include <QtTest>

using namespace lockscope;

namespace {

const LockKey key("lock:a"), other("lock:b");

SharedSlots slotsOf(const LockKey &one)
{
    SlotSet found;
    found.set(size_t(slotOf(one.bytes)));
    return std::make_shared<const SlotSet>(found);
}

/// "150-300 400-", an open one last.
template <typename Gaps>
QString shown(const Gaps &gaps)
{
    QStringList texts;
    for (const HistoryGap &gap : gaps)
        texts << QString::number(gap.fromMs) + u'-' + (gap.toMs ? QString::number(*gap.toMs) : QString());
    return texts.join(u' ');
}

} // namespace

class HistoryGapsTest : public QObject
{
    Q_OBJECT

private slots:
    void lastsFromTheLastConfirmationToTheNext()
    {
        HistoryGaps gaps;
        gaps.confirm(100);
        gaps.begin(200);
        gaps.begin(250);   // it goes on
        gaps.confirm(150); // of before it was told
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("100-"));
        gaps.confirm(300);
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("100-300"));
        QVERIFY(gaps.isIn(key, 299, 400) && !gaps.isIn(key, 300, 400) && !gaps.isIn(key, 50, 100));
    }

    void noneEndsWhileDisconnected()
    {
        HistoryGaps gaps;
        gaps.setDisconnected(true);
        gaps.begin(200);
        gaps.confirm(300);
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("200-"));
        gaps.setDisconnected(false);
        gaps.confirm(400);
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("200-400"));
    }

    void someSlotsAreOfTheirLocksAlone()
    {
        HistoryGaps gaps;
        gaps.setUnknownSlots(slotsOf(key), 200);
        gaps.setUnknownSlots(slotsOf(key), 250); // told again: the same
        gaps.confirm(300);                       // of the others
        QCOMPARE(shown(gaps.of(key)), QStringLiteral("200-"));
        QVERIFY(gaps.of(other).empty() && gaps.ofAll().empty());
        gaps.setUnknownSlots(slotsOf(other), 350);
        gaps.begin(500);
        gaps.confirm(600);
        QCOMPARE(shown(gaps.ofSlot(key)), QStringLiteral("200-350"));
        QCOMPARE(shown(gaps.of(key)), QStringLiteral("200-600")); // they meet
        QCOMPARE(shown(gaps.ofAny()), QStringLiteral("200-"));
    }

    void allSlotsAreAGapOfAll()
    {
        HistoryGaps gaps;
        SlotSet every;
        every.set();
        gaps.setUnknownSlots(std::make_shared<const SlotSet>(every), 200);
        gaps.confirm(300);
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("200-"));
        gaps.setUnknownSlots(slotsOf(key), 400); // then it is known which locks the lost one has
        gaps.confirm(500);
        QCOMPARE(shown(gaps.ofAll()), QStringLiteral("200-500"));
        QCOMPARE(shown(gaps.of(key)), QStringLiteral("200-"));
        QCOMPARE(shown(gaps.of(other)), QStringLiteral("200-500"));
        gaps.setUnknownSlots(nullptr, 600);
        QCOMPARE(shown(gaps.of(key)), QStringLiteral("200-600"));
    }

    /// Of a lane that was read since it was told, it is over.
    void tellsSinceWhenALaneIsUnknown()
    {
        HistoryGaps gaps;
        QVERIFY(!gaps.openSince(key, 0));
        gaps.confirm(100);
        gaps.setUnknownSlots(slotsOf(key), 150);
        gaps.confirm(180);
        gaps.begin(200);
        QCOMPARE(gaps.openSince(key, 90), std::optional<qint64>(100));
        QCOMPARE(gaps.openSince(other, 200), std::optional<qint64>(180));
        QVERIFY(!gaps.openSince(key, 201));
    }

    void theOldestAreForgotten()
    {
        HistoryGaps gaps;
        for (qint64 i = 1; i <= 1005; ++i) {
            gaps.begin(i * 100);
            gaps.confirm(i * 100 + 10);
        }
        QCOMPARE(gaps.ofAll().size(), size_t(1000));
        QCOMPARE(gaps.forgottenMs(), 510);
    }
};

QTEST_APPLESS_MAIN(HistoryGapsTest)
#include "tst_historygaps.moc"
