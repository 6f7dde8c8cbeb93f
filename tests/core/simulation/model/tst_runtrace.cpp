// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/runtrace.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

using Kind = TraceEntry::Kind;

namespace {

TraceEntry entry(Kind kind, microseconds at)
{
    return {.kind = kind, .worker = 0, .lock = 0, .at = at};
}

} // namespace

class RunTraceTest : public QObject
{
    Q_OBJECT

private slots:
    void isBounded()
    {
        RunTrace trace(4);
        for (int i = 0; i < 6; ++i)
            trace.add(entry(Kind::Entered, microseconds(i)));
        QCOMPARE(trace.entries().size(), 4);
        QCOMPARE(trace.leftOut(), 2);
        QVERIFY(trace.fullAt() == 4us);
    }

    void whatWasBeforeTheStartIsAtTheStart()
    {
        RunTrace trace;
        trace.add(entry(Kind::LifeBegan, -40ms));
        QVERIFY(trace.entries()[0].at == 0us);
    }

    void refusalsLeaveRoomForTheRest()
    {
        RunTrace trace(4);
        for (int i = 0; i < 5; ++i)
            trace.add(entry(Kind::Refused, microseconds(i)));
        QCOMPARE(trace.entries().size(), 2);
        QCOMPARE(trace.leftOut(), 3);
        QVERIFY(!trace.fullAt()); // what happened is complete all the same
        trace.add(entry(Kind::Acquired, 9us));
        QCOMPARE(trace.entries().last().kind, Kind::Acquired);
    }

    void tracesAreJoined()
    {
        RunTrace whole(3), workers(1);
        workers.add(entry(Kind::WaitBegan, 5us));
        workers.add(entry(Kind::Acquired, 6us));
        whole.add(entry(Kind::Entered, 7us));
        whole.addAs(3, workers);
        QCOMPARE(whole.entries().size(), 2);
        QCOMPARE(whole.entries().last().worker, qint16(3));
        QCOMPARE(whole.leftOut(), 1);
        QVERIFY(whole.fullAt() == 6us);
        whole.add(RunTrace(whole)); // beyond the bound
        QCOMPARE(whole.entries().size(), 3);
        QCOMPARE(whole.leftOut(), 3);
    }

    void momentsOfASourceKeepTheirOrder()
    {
        RunTrace trace;
        trace.add(entry(Kind::Entered, 2us));
        trace.add(entry(Kind::WaitBegan, 1us));
        trace.add(entry(Kind::Left, 2us));
        trace.sort();
        QCOMPARE(trace.entries()[0].kind, Kind::WaitBegan);
        QCOMPARE(trace.entries()[1].kind, Kind::Entered);
        QCOMPARE(trace.entries()[2].kind, Kind::Left);
    }
};

QTEST_APPLESS_MAIN(RunTraceTest)
#include "tst_runtrace.moc"
