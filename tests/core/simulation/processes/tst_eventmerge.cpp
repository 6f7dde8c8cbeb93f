// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/eventmerge.h"

#include <QRegularExpression>
#include <QtTest>

#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

RefereeEvent eventAt(microseconds at, int worker)
{
    RefereeEvent event;
    event.at = at;
    event.worker = worker;
    return event;
}

QList<int> workersOf(const QList<RefereeEvent> &events)
{
    QList<int> workers;
    for (const RefereeEvent &one : events)
        workers.append(one.worker);
    return workers;
}

} // namespace

class TestEventMerge : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void anEventWaitsForAllSources()
    {
        EventMerge merge(3);
        merge.add(0, eventAt(10us, 1));
        merge.add(1, eventAt(5us, 2));
        merge.mark(0, 20us);
        merge.mark(1, 20us);
        QVERIFY(merge.take().isEmpty()); // of the third one nothing is known
        merge.mark(2, 7us);
        QCOMPARE(workersOf(merge.take()), QList<int>({2}));
        merge.add(2, eventAt(8us, 3));
        merge.mark(2, 30us);
        QCOMPARE(workersOf(merge.take()), QList<int>({3, 1}));
        QVERIFY(merge.isEmpty(0) && merge.isEmpty(1) && merge.isEmpty(2));
    }

    void aClosedSourceHoldsUpNobody()
    {
        EventMerge merge(2);
        merge.add(0, eventAt(-3us, 1)); // before the run's start
        merge.add(0, eventAt(4us, 2));
        merge.close(1);
        merge.mark(0, 4us);
        QCOMPARE(workersOf(merge.take()), QList<int>({1, 2}));
        merge.mark(1, 1us); // a mark is never taken back
        merge.add(0, eventAt(9us, 3));
        merge.close(0);
        QCOMPARE(workersOf(merge.take()), QList<int>({3}));
    }

    void equalTimesKeepTheirSourcesOrder()
    {
        EventMerge merge(2);
        for (int worker = 0; worker < 4; ++worker)
            merge.add(size_t(worker % 2), eventAt(7us, worker));
        merge.close(0);
        merge.close(1);
        QCOMPARE(workersOf(merge.take()), QList<int>({0, 2, 1, 3}));
    }

    /// Of a process that stood still: its time can't be before what was judged already.
    void aLateEventCountsAsOfTheLastOne()
    {
        EventMerge merge(2);
        merge.add(0, eventAt(50us, 1));
        merge.mark(0, 60us);
        merge.mark(1, 60us);
        QCOMPARE(merge.take().size(), 1);
        merge.add(1, eventAt(20us, 2));
        merge.add(1, eventAt(55us, 3));
        const QList<RefereeEvent> late = merge.take();
        QCOMPARE(workersOf(late), QList<int>({2, 3}));
        QCOMPARE(late[0].at, 50us);
        QCOMPARE(late[1].at, 55us);
    }

    void manyComeInTheOrderOfTheirTimes()
    {
        constexpr size_t sources = 5;
        std::mt19937 random(4); // NOLINT(cert-msc51-cpp): the same each time
        EventMerge merge(sources);
        std::vector<microseconds> times(sources, 0us);
        QList<RefereeEvent> merged;
        for (int i = 0; i < 20'000; ++i) {
            const size_t source = random() % sources;
            times[source] += microseconds(random() % 9);
            if (random() % 3 == 0)
                merge.mark(source, times[source]);
            else
                merge.add(source, eventAt(times[source], int(source)));
            if (random() % 50 == 0)
                merged += merge.take();
        }
        for (size_t source = 0; source < sources; ++source)
            merge.close(source);
        const qsizetype before = merged.size();
        merged += merge.take();
        QVERIFY(before > 1000);
        QVERIFY(merged.size() > 12'000);
        QVERIFY(std::ranges::is_sorted(merged, {}, &RefereeEvent::at));
    }
};

QTEST_GUILESS_MAIN(TestEventMerge)
#include "tst_eventmerge.moc"
