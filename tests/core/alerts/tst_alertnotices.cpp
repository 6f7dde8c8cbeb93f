// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertnotices.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint() + 1000h;

/// "show 1", "close 1", "count 5"
QStringList reported(AlertNotices &notices, TimePoint now)
{
    using What = AlertNotices::Order::What;
    QStringList lines;
    for (const auto &[what, number, others, isQuiet] : notices.takeOrders(now))
        lines << (what == What::Show      ? QStringLiteral("show %1").arg(number)
                  : what == What::Close   ? QStringLiteral("close %1").arg(number)
                  : isQuiet && others > 0 ? QStringLiteral("quietly %1").arg(others)
                                          : QStringLiteral("count %1").arg(others));
    return lines;
}

QStringList lines(const char *text)
{
    return QString::fromLatin1(text).split(QStringLiteral(", "), Qt::SkipEmptyParts);
}

/// Alerts 1 to `count` at once, and what comes of them.
QStringList toldOf(AlertNotices &notices, quint64 count)
{
    for (quint64 number = 1; number <= count; ++number)
        notices.tell(number, start);
    return reported(notices, start);
}

} // namespace

class TstAlertNotices : public QObject
{
    Q_OBJECT

private slots:
    void aFewAreShownTheOthersCounted()
    {
        AlertNotices notices;
        QCOMPARE(toldOf(notices, 50), lines("show 1, show 2, show 3, count 47"));
        QCOMPARE(reported(notices, start + 1h), QStringList());
        // A minute later there is room again.
        notices.tell(60, start + 61s);
        QCOMPARE(reported(notices, start + 61s), lines("show 60"));
    }

    void theNumberIsNotShownAllTheTime()
    {
        AlertNotices notices;
        QCOMPARE(toldOf(notices, 4), lines("show 1, show 2, show 3, count 1"));
        notices.tell(5, start + 1s);
        notices.tell(6, start + 2s);
        QCOMPARE(reported(notices, start + 2s), QStringList());
        QCOMPARE(reported(notices, start + AlertNotices::countPace), lines("count 3"));
        notices.withdraw(5);
        QCOMPARE(reported(notices, start + 11s), QStringList());
        QCOMPARE(reported(notices, start + 50s), lines("quietly 2"));
        QCOMPARE(reported(notices, start + 61s), QStringList());
        notices.withdraw(4);
        notices.withdraw(6);
        QCOMPARE(reported(notices, start + 50s), lines("count 0"));
        QCOMPARE(reported(notices, start + 51s), QStringList());
    }

    void whatHasGoneBeforeItWasCountedDisturbsNobody()
    {
        AlertNotices notices;
        QCOMPARE(toldOf(notices, 5), lines("show 1, show 2, show 3, count 2"));
        notices.tell(6, start + 1s);
        notices.withdraw(6);
        QCOMPARE(reported(notices, start + 20s), QStringList());
        notices.withdraw(5);
        notices.tell(7, start + 21s);
        notices.withdraw(7);
        QCOMPARE(reported(notices, start + 40s), lines("quietly 1"));
    }

    void whatIsToldAnewTakesItsOwnPlace()
    {
        AlertNotices notices;
        QCOMPARE(toldOf(notices, 1), lines("show 1"));
        for (int i = 0; i < 2; ++i) {
            notices.withdraw(1);
            notices.tell(1, start);
            QCOMPARE(reported(notices, start), lines("show 1"));
        }
        notices.withdraw(1); // too often
        notices.tell(1, start);
        QCOMPARE(reported(notices, start), lines("close 1, count 1"));
    }

    void whatComesAgainIsToldEverMoreSeldom()
    {
        int told = 0;
        for (int times = 1; times <= 1000; ++times)
            told += AlertNotices::tellsOfTime(times) ? 1 : 0;
        QCOMPARE(told, 10);
        QVERIFY(AlertNotices::tellsOfTime(1) && AlertNotices::tellsOfTime(2));
    }

    void whatIsOverIsClosed()
    {
        AlertNotices notices;
        QCOMPARE(toldOf(notices, 1), lines("show 1"));
        notices.withdraw(1);
        notices.withdraw(1);
        notices.withdraw(2); // was not told of
        QCOMPARE(reported(notices, start), lines("close 1"));
    }
};

QTEST_GUILESS_MAIN(TstAlertNotices)
#include "tst_alertnotices.moc"
