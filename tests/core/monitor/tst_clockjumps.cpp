// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clockjumps.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray at(std::chrono::microseconds time)
{
    return "# Server\r\nredis_version:7.0.15\r\nserver_time_usec:" +
           QByteArray::number(qint64(time.count())) + "\r\nuptime_in_seconds:5\r\n";
}

} // namespace

class TestClockJumps : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aClockThatRunsIsNotSet()
    {
        ClockJumps jumps;
        const TimePoint start(1h);
        QVERIFY(!jumps.happened(at(1'795'000'000s), start, start + 1ms)); // nothing to compare with
        QVERIFY(!jumps.happened(at(1'795'000'001s), start + 1s, start + 1001ms));
        QVERIFY(!jumps.happened(at(1'795'000'002s + 30ms), start + 2s, start + 2001ms)); // it is slewed
        // A server that was slow to answer may have made the text at any moment of it.
        QVERIFY(!jumps.happened(at(1'795'000'003s + 30ms), start + 3s, start + 10s));
        QVERIFY(!jumps.happened(at(1'795'000'011s + 30ms), start + 11s, start + 11s));
    }

    void aClockThatIsSetIsNoticedOnce()
    {
        for (const std::chrono::microseconds by :
             {std::chrono::microseconds(1min), std::chrono::microseconds(-1h),
              std::chrono::microseconds(200ms)}) {
            ClockJumps jumps;
            const TimePoint start(1h);
            QVERIFY(!jumps.happened(at(1'795'000'000s), start, start));
            QVERIFY(jumps.happened(at(1'795'000'001s + by), start + 1s, start + 1s));
            QVERIFY(!jumps.happened(at(1'795'000'002s + by), start + 2s, start + 2s));
            jumps.reset();
            QVERIFY(!jumps.happened(at(1'795'000'003s), start + 3s, start + 3s));
        }
    }

    void whoDoesNotSayTheTimeIsNotJudged()
    {
        ClockJumps jumps;
        const TimePoint start(1h);
        for (const QByteArray &text : {QByteArray(), QByteArray("# Server\r\nredis_version:6.0.16\r\n"),
                                       QByteArray("\nserver_time_usec:\r\n"),
                                       QByteArray("\nserver_time_usec:99999999999999999999\r\n"),
                                       QByteArray("\nserver_time_usec:9223372036854775807\r\n"),
                                       QByteArray("\nserver_time_usec:-5\r\n")}) {
            QVERIFY(!jumps.happened(at(1'795'000'000s), start, start));
            QVERIFY(!jumps.happened(text, start + 1s, start + 1s));
            QVERIFY(!jumps.happened(at(5s), start + 2s, start + 2s));
            jumps.reset();
        }
    }
};

QTEST_GUILESS_MAIN(TestClockJumps)
#include "tst_clockjumps.moc"
