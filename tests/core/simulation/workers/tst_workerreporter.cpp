// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workerreporter.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;
using Kind = TraceEntry::Kind;

namespace {

constexpr int number = 7;

struct Run
{
    explicit Run(bool isTraced = true) { control.setTraced(isTraced); }
    WorkersStatus taken()
    {
        WorkersStatus status;
        control.addTo(status, number);
        return status;
    }

    TimePoint start = Clock::now();
    LocalReferee referee{start};
    WorkerControl control;
    WorkerClock clock{control, start};
    WorkerReporter reporter{control, clock, referee, number, false};
    Algorithm algorithm; // sets the lease anew at each level
};

} // namespace

class WorkerReporterTest : public QObject
{
    Q_OBJECT

private slots:
    void theRefereeIsToldWho()
    {
        Run run;
        run.referee.setTraced(true);
        run.reporter.tellReferee({.kind = RefereeEvent::Kind::Enter, .lock = 1});
        const QList<TraceEntry> told = run.referee.takeTrace().entries();
        QCOMPARE(told.size(), 1);
        QCOMPARE(told[0].worker, qint16(number));
        QCOMPARE(told[0].lock, qint16(1));
    }

    void nothingIsTracedUnlessAsked()
    {
        Run run(false);
        run.reporter.trace(Kind::WaitBegan, 0);
        run.reporter.traceWake(0, {});
        run.reporter.traceRelease(run.algorithm, 0, run.start, 5s, {}, true);
        run.control.setTraced(true);
        QVERIFY(run.taken().trace.isEmpty());
        run.reporter.log(LogLine::What::Got, 0);
        QVERIFY(run.taken().log.isEmpty());
    }

    void aLevelRenewsTheLeaseWhereTheScriptDoes()
    {
        Run run;
        run.reporter.traceLevel(run.algorithm, 0, run.start + 10ms, 5s);
        run.algorithm.strategy = StrategyKind::TokenSet;
        run.reporter.traceLevel(run.algorithm, 0, run.start + 10ms, 5s);
        const QList<TraceEntry> told = run.taken().trace.entries();
        QCOMPARE(told[0].until, microseconds(5010ms));
        QCOMPARE(told[1].until, microseconds(0));
        QCOMPARE(told[1].kind, Kind::Reentered);
    }

    void aReleaseIsTracedAsWhatItCameTo()
    {
        using Verdict = ReleaseResult::Verdict;
        Run run;
        const auto release = [&run](const ReleaseResult &result, bool isLast) {
            run.reporter.traceRelease(run.algorithm, 0, run.start + 10ms, 5s, result, isLast);
            return run.taken().trace.entries().first();
        };
        QCOMPARE(release({.verdict = Verdict::NotHeld}, true).kind, Kind::NotHeld);
        QCOMPARE(release({.verdict = Verdict::Released}, true).kind, Kind::Released);
        QCOMPARE(release({.verdict = Verdict::Released, .isPublished = true}, true).kind, Kind::Published);
        const TraceEntry unwound = release({.verdict = Verdict::Unwound}, false);
        QCOMPARE(unwound.kind, Kind::Unwound);
        QCOMPARE(unwound.until, microseconds(5010ms));
        const TraceEntry handed =
            release({.verdict = Verdict::Released, .isPublished = true, .handedFor = 2s}, true);
        QCOMPARE(handed.since, microseconds(10ms));
        QCOMPARE(handed.until, microseconds(2010ms));
    }
};

QTEST_GUILESS_MAIN(WorkerReporterTest)
#include "tst_workerreporter.moc"
