// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runlanes.h"

#include "tests/ui/simulation/sampletrace.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class RunLanesTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        const Report report = sampleTraced();
        m_lanes.begin(report.keys, report.plan.workers);
        m_lanes.take(report.trace.entries());
        m_lanes.setFindings(report.findings.examples);
        m_lanes.setEnd(1300ms);
    }

    void aLaneForTheSectionAndOneForEachWorker()
    {
        QCOMPARE(m_lanes.laneCount(), 4);
        QCOMPARE(m_lanes.pinnedLanes(), 1);
        QCOMPARE(m_lanes.laneName(0), QStringLiteral("Critical section"));
        QCOMPARE(m_lanes.laneName(m_lanes.laneOfWorker(2)), QStringLiteral("W3"));
        QCOMPARE(m_lanes.barRows(0), 2); // two were inside
        QVERIFY(m_lanes.laneColor(0) == StatusColor::Danger);
        QVERIFY(m_lanes.known() == (TimeRange{0, 1'300'000}));
    }

    void whatOverlapsLooksLikeNothingElse()
    {
        const LaneContent section = contentOf(0);
        QList<TimeRange> overlaps;
        for (const LaneBar &bar : section.bars) {
            const bool isOverlap = bar.look == LaneBar::Look::Crossed;
            QCOMPARE(bar.color == StatusColor::Danger, isOverlap);
            if (isOverlap)
                overlaps.append(bar.time);
        }
        QCOMPARE(overlaps, QList<TimeRange>(2, TimeRange{310'000, 950'000})); // of either worker
        QCOMPARE(section.bars.size(), 5); // each has a part alone, and W3's
        QCOMPARE(section.marks.size(), 1);
        QCOMPARE(section.marks[0].atMs, 310'000);
    }

    void anOverlapIsSeenFromFarAway()
    {
        LaneContent section;
        m_lanes.fill(section, 0, m_lanes.known(), 1'000'000);
        QVERIFY(std::ranges::any_of(section.bars,
                                    [](const LaneBar &bar) { return bar.look == LaneBar::Look::Crossed; }));
    }

    void aWorkersLaneIsWhatItBelieves()
    {
        const LaneContent first = contentOf(m_lanes.laneOfWorker(0));
        QVERIFY(std::ranges::any_of(first.bars, [](const LaneBar &bar) {
            return bar.time == TimeRange{2'000, 960'000} && bar.look == LaneBar::Look::Solid;
        }));
        QVERIFY(std::ranges::any_of(first.bars, [](const LaneBar &bar) {
            return bar.time == TimeRange{100'000, 900'000} && bar.text == QStringLiteral("paused");
        }));
        QCOMPARE(first.leases.size(), 1);
        QVERIFY(first.leases[0].time == (TimeRange{1'000, 301'000})); // over long before the release
        QList<qint64> marks;
        for (const LaneMark &mark : first.marks)
            marks.append(mark.atMs);
        QCOMPARE(marks, (QList<qint64>{301'000, 960'000})); // the lease's end, and the lock that was gone

        const LaneContent second = contentOf(m_lanes.laneOfWorker(1));
        QCOMPARE(second.bars.first().look, LaneBar::Look::Hatched);
        QVERIFY(second.bars.first().time == (TimeRange{50'000, 310'000}));
        QCOMPARE(std::ranges::count_if(second.bars,
                                       [](const LaneBar &bar) { return bar.time.fromMs == bar.time.toMs; }),
                 2); // refused attempts
    }

    void anArrowGoesFromTheReleaseToWhomItWoke()
    {
        const QList<LaneArrow> arrows = m_lanes.arrows(m_lanes.known());
        QCOMPARE(arrows.size(), 1);
        QCOMPARE(arrows[0].fromLane, m_lanes.laneOfWorker(1));
        QCOMPARE(arrows[0].toLane, m_lanes.laneOfWorker(2));
        QCOMPARE(arrows[0].fromMs, 1'090'000);
        QCOMPARE(arrows[0].toMs, 1'101'000);
        QVERIFY(m_lanes.arrows({0, 500'000}).isEmpty());
    }

    void statesAreToldInWords()
    {
        QCOMPARE(m_lanes.stateText(0, 500'000), QStringLiteral("W1, W2"));
        QCOMPARE(m_lanes.stateText(0, 1'095'000), QStringLiteral("empty"));
        QCOMPARE(m_lanes.stateText(1, 500'000), QStringLiteral("paused, holding"));
        QCOMPARE(m_lanes.stateText(2, 60'000), QStringLiteral("waiting"));
        QVERIFY2(m_lanes.toolTip(1, 500'000).contains(QStringLiteral("lease expired 199 ms ago")),
                 qPrintable(m_lanes.toolTip(1, 500'000)));
        QCOMPARE(m_lanes.timeText(1'352'000, 1000), QStringLiteral("1.352 s"));
        QCOMPARE(m_lanes.timeText(2'000'000, 1'000'000), QStringLiteral("2 s"));
        QCOMPARE(m_lanes.labelStepMs(30'001), 50'000);
    }

    void aLockWithoutExpiryIsNotEmpty()
    {
        QVERIFY(m_lanes.toolTip(0, 1'210'000).contains(QStringLiteral("No worker")));
        m_lanes.take(
            {TraceEntry{.kind = TraceEntry::Kind::Orphaned, .lock = 0, .at = 1290ms, .since = 1220ms}});
        const LaneContent section = contentOf(0);
        const auto orphan = std::ranges::find(section.bars, StatusColor::Endless, &LaneBar::color);
        QVERIFY(orphan != section.bars.end());
        QVERIFY(orphan->time == (TimeRange{1'220'000, 1'300'000}) && orphan->isOpenRight);
        QCOMPARE(m_lanes.stateText(0, 1'210'000), QStringLiteral("empty"));
        QCOMPARE(m_lanes.stateText(0, 1'250'000), QStringLiteral("locked without expiry"));
        QVERIFY(m_lanes.toolTip(0, 1'250'000).contains(QStringLiteral("found without expiry")));
    }

    void whatFollowsIsHidden()
    {
        m_lanes.setShownUntil(400ms);
        QCOMPARE(m_lanes.shownUntilMs(), 400'000);
        QVERIFY(m_lanes.known() == (TimeRange{0, 1'300'000})); // the axis stays
        m_lanes.setShownUntil(std::nullopt);
        QCOMPARE(m_lanes.shownUntilMs(), 1'300'000);
    }

    void theServersFaultsGoAcrossAllLanes()
    {
        m_lanes.take({TraceEntry{.kind = TraceEntry::Kind::ServerPaused, .at = 400ms},
                      TraceEntry{.kind = TraceEntry::Kind::ServerResumed, .at = 700ms},
                      TraceEntry{.kind = TraceEntry::Kind::ServerStopping, .at = 800ms},
                      TraceEntry{.kind = TraceEntry::Kind::ServerBack, .at = 900ms}});
        const QList<LaneBand> bands = m_lanes.bands(m_lanes.known());
        QCOMPARE(bands.size(), 2);
        QVERIFY(bands[0].time == (TimeRange{400'000, 700'000}) && !bands[0].isUnknown);
        QCOMPARE(m_lanes.lines(m_lanes.known()).size(), 1);
        m_lanes.setFullAt(1s); // of what was not kept nothing is said
        QVERIFY(m_lanes.bands(m_lanes.known()).last().isUnknown);
    }

    void whatAKilledProcessDidNotTellIsUnknown()
    {
        m_lanes.take(
            {TraceEntry{.kind = TraceEntry::Kind::NotTold, .worker = 2, .at = 1300ms, .since = 1250ms},
             TraceEntry{.kind = TraceEntry::Kind::Died, .worker = 2, .at = 1300ms}});
        const int lane = m_lanes.laneOfWorker(2);
        QCOMPARE(contentOf(lane).bars.last().look, LaneBar::Look::Unknown);
        QVERIFY(contentOf(lane).bars.last().time == (TimeRange{1'250'000, 1'300'000}));
        QCOMPARE(m_lanes.stateText(lane, 1'260'000), QStringLiteral("not recorded"));
        QCOMPARE(m_lanes.stateText(lane, 1'240'000), QStringLiteral("resting"));
    }

    void theLeaseOfADeadOneIsOnlySaidToBe()
    {
        m_lanes.take({TraceEntry{.kind = TraceEntry::Kind::Acquired,
                                 .worker = 2,
                                 .lock = 0,
                                 .at = 1220ms,
                                 .since = 1211ms,
                                 .until = 1260ms},
                      TraceEntry{.kind = TraceEntry::Kind::Died, .worker = 2, .at = 1240ms}});
        const int lane = m_lanes.laneOfWorker(2);
        QVERIFY(m_lanes.toolTip(lane, 1'250'000).contains(QStringLiteral("lease would end in 10.0 ms")));
        QVERIFY(
            m_lanes.toolTip(lane, 1'270'000).contains(QStringLiteral("lease would have ended 10.0 ms ago")));
        const QList<LaneMark> marks = contentOf(lane).marks;
        QVERIFY(std::ranges::any_of(marks, [](const LaneMark &mark) {
            return mark.atMs == 1'260'000 && mark.color == StatusColor::Muted;
        }));
    }

    void ofManyLocksThoseWithAViolationHaveALane()
    {
        QList<QByteArray> keys;
        for (int i = 0; i < 30; ++i)
            keys.append("sim:a:" + QByteArray::number(i + 1));
        m_lanes.begin(keys, 2);
        QCOMPARE(m_lanes.sections(), RunLanes::maxSections);
        QCOMPARE(m_lanes.locks(), 30);
        Violation violation = sampleViolation();
        violation.lock = 24;
        m_lanes.setFindings({violation});
        QCOMPARE(m_lanes.sections(), RunLanes::maxSections);
        QCOMPARE(m_lanes.laneName(18), QStringLiteral("Lock 19"));
        QCOMPARE(m_lanes.laneName(19), QStringLiteral("Lock 25"));
        QCOMPARE(contentOf(19).marks.size(), 0); // beyond what is known
        m_lanes.setEnd(2s);
        QCOMPARE(contentOf(19).marks.size(), 1);
        QVERIFY(m_lanes.toolTip(19, 0).contains(QStringLiteral("sim:a:25")));
    }

    void thousandsOfBarsBecomeFew()
    {
        QList<TraceEntry> entries;
        for (int i = 0; i < 20'000; ++i) {
            entries.append({.kind = TraceEntry::Kind::Entered,
                            .worker = 0,
                            .lock = 0,
                            .at = 2s + microseconds(100 * i)});
            entries.append({.kind = TraceEntry::Kind::Left,
                            .worker = 0,
                            .lock = 0,
                            .at = 2s + microseconds(100 * i + 90)});
        }
        m_lanes.take(entries);
        LaneContent section;
        m_lanes.fill(section, 0, m_lanes.known(), 4'000);
        QVERIFY(section.bars.size() < 20);
        QCOMPARE(section.bars.last().look, LaneBar::Look::Dense);
    }

    void aTimeOfALongRunHasWhatAllOfItHasThere()
    {
        using Kind = TraceEntry::Kind;
        const auto at = [](int i) { return 2s + microseconds(100 * i); };
        const auto entry = [&at](Kind kind, int i, int since, int until) {
            return TraceEntry{.kind = kind,
                              .worker = qint16(i % 2),
                              .lock = 0,
                              .at = at(i) + microseconds(since),
                              .since = at(i),
                              .until = at(i) + microseconds(until)};
        };
        QList<TraceEntry> entries{entry(Kind::Entered, 0, 0, 0)}; // W1 stays inside
        for (int i = 1; i < 5'000; i += 2) {                      // of W2
            entries << entry(Kind::WaitBegan, i, 1, 0) << entry(Kind::Acquired, i, 10, 90)
                    << entry(Kind::Entered, i, 11, 0) << entry(Kind::Left, i, 80, 0)
                    << entry(i % 3 == 0 ? Kind::Lost : Kind::Released, i, 91, 0);
        }
        for (const TraceEntry &each : entries) // as in a run that goes on: what is open then ends later
            m_lanes.take({each});
        for (const int lane : {0, m_lanes.laneOfWorker(1)}) {
            LaneContent whole;
            m_lanes.fill(whole, lane, m_lanes.known(), 1);
            for (const int i : {0, 1, 777, 2'500, 4'999}) {
                const TimeRange time{RunLanes::onAxis(at(i)), RunLanes::onAxis(at(i + 3))};
                LaneContent part;
                m_lanes.fill(part, lane, time, 1);
                const auto inSight = [&time](const LaneContent &content) {
                    QList<TimeRange> times;
                    for (const LaneBar &bar : content.bars) {
                        if (bar.time.touches(time))
                            times << TimeRange{std::max(bar.time.fromMs, time.fromMs),
                                               std::min(bar.time.toMs, time.toMs)};
                    }
                    return times;
                };
                QCOMPARE(inSight(part), inSight(whole));
                QVERIFY(!inSight(part).isEmpty());
                QVERIFY(part.bars.size() < 20);
                QCOMPARE(part.leases.size(), std::ranges::count_if(whole.leases, [&](const LaneLease &lease) {
                             return lease.time.touches(time);
                         }));
                QCOMPARE(part.marks.size(), std::ranges::count_if(whole.marks, [&](const LaneMark &mark) {
                             return mark.atMs >= time.fromMs && mark.atMs <= time.toMs;
                         }));
            }
        }
        const qint64 inside = RunLanes::onAxis(at(2'501)) + 50;
        QCOMPARE(m_lanes.stateText(0, inside), QStringLiteral("W1, W2"));
        QCOMPARE(m_lanes.stateText(m_lanes.laneOfWorker(1), inside), QStringLiteral("holding"));
        QCOMPARE(m_lanes.stateText(m_lanes.laneOfWorker(1), inside + 50), QStringLiteral("resting"));
    }

private:
    LaneContent contentOf(int lane) const
    {
        LaneContent content;
        m_lanes.fill(content, lane, m_lanes.known(), 1'000);
        return content;
    }

    RunLanes m_lanes;
};

QTEST_MAIN(RunLanesTest)
#include "tst_runlanes.moc"
