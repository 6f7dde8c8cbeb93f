// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/leasetrace.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

LockEvent eventOf(EventKind kind, qint64 wallMs, std::optional<milliseconds> ttl = milliseconds(30000),
                  const QByteArray &key = "a")
{
    LockEvent event;
    event.kind = kind;
    event.address.key = LockKey(key);
    event.owners = {{OwnerId("web-1:7"), "1", 1}};
    event.ttl = ttl;
    event.wallMs = wallMs;
    return event;
}

MonitorEvent momentOf(MonitorEventKind kind, qint64 wallMs)
{
    return {kind, QStringLiteral("said"), wallMs};
}

const QList<LockEvent> noEvents;

/// "? 0-10, 30000 10-20, renewed 30000 20-40, free 40-50".
QString picture(const QList<LeaseStretch> &stretches)
{
    QStringList parts;
    for (const LeaseStretch &stretch : stretches) {
        const QString what = stretch.is == LeaseStretch::Is::Unknown ? QStringLiteral("?")
                             : stretch.is == LeaseStretch::Is::Free  ? QStringLiteral("free")
                             : stretch.is == LeaseStretch::Is::Endless
                                 ? QStringLiteral("endless")
                                 : QString::number(stretch.leftAtStart.count());
        parts.append(QStringLiteral("%1%2 %3-%4")
                         .arg(stretch.beginsByRenewal ? QStringLiteral("renewed ") : QString(), what)
                         .arg(stretch.fromMs)
                         .arg(stretch.toMs));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

class LeaseTraceTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingSeenIsNothingShown()
    {
        EventLog log;
        log.append({eventOf(EventKind::Found, 10, 30s, "b")}, {momentOf(MonitorEventKind::FeedGap, 20)});
        LeaseTrace trace;
        QVERIFY(trace.between(0, 100).isEmpty());
        trace.follow(log, LockKey("a"));
        QVERIFY(trace.between(0, 100).isEmpty());
        QVERIFY(!trace.firstMs());
    }

    void whatWasSeenBeforeAnybodyAskedIsThere()
    {
        EventLog log;
        log.append({eventOf(EventKind::Acquired, 10), eventOf(EventKind::Renewed, 50, 1s, "b"),
                    eventOf(EventKind::Reentered, 60), eventOf(EventKind::Renewed, 10'010)});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        QCOMPARE(trace.firstMs(), 10);
        QCOMPARE(picture(trace.between(0, 20'000)),
                 QStringLiteral("? 0-10, 30000 10-10010, renewed 30000 10010-20000"));
        log.append({eventOf(EventKind::Released, 20'010, {}), eventOf(EventKind::Acquired, 20'020, {})});
        trace.update(log);
        QCOMPARE(picture(trace.between(10'000, 30'000)),
                 QStringLiteral("20010 10000-10010, renewed 30000 10010-20010, free 20010-20020, endless "
                                "20020-30000"));
        QCOMPARE(trace.between(0, 20'000)[1].leftAt(10'010), 20'000ms);
        QCOMPARE(trace.between(0, 20'000)[1].leftAt(100'000), 0ms);
        trace.follow(log, std::nullopt);
        QVERIFY(trace.between(0, 20'000).isEmpty());
    }

    /// What an event after a gap tells may have happened at any time since the gap began.
    void gapsAreUnknown()
    {
        EventLog log;
        LeaseTrace trace;
        const auto shown = [&](const char *what) {
            trace.follow(log, LockKey("a"));
            const QString seen = picture(trace.between(0, 1000));
            if (seen != QLatin1String(what))
                qWarning("%s", qPrintable(seen));
            return seen == QLatin1String(what);
        };
        log.append({eventOf(EventKind::Acquired, 100)}, {momentOf(MonitorEventKind::Disconnected, 200)});
        QVERIFY(shown("? 0-100, 30000 100-200, ? 200-1000"));
        log.append(noEvents, {momentOf(MonitorEventKind::Reconnected, 300)});
        QVERIFY(shown("? 0-100, 30000 100-200, ? 200-300, 29800 300-1000"));
        log.append({eventOf(EventKind::Renewed, 400)});
        QVERIFY(shown("? 0-100, 30000 100-200, ? 200-400, renewed 30000 400-1000"));
        log.append(noEvents, {momentOf(MonitorEventKind::FeedGap, 500)});
        QVERIFY(shown("? 0-100, 30000 100-200, ? 200-400, renewed 30000 400-500, 29900 500-1000"));
        log.append({eventOf(EventKind::Vanished, 600, {})});
        QVERIFY(shown("? 0-100, 30000 100-200, ? 200-400, renewed 30000 400-500, ? 500-600, free 600-1000"));
    }

    /// One of several who has gone tells nothing of the lease of the rest.
    void othersStillHoldIt()
    {
        EventLog log;
        LockEvent gone = eventOf(EventKind::Released, 50, {});
        gone.others = 1;
        log.append({eventOf(EventKind::Found, 10), gone});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        QCOMPARE(picture(trace.between(0, 100)), QStringLiteral("? 0-10, 30000 10-50, ? 50-100"));
    }

    void whatTheLogHasLostIsUnknown()
    {
        EventLog log;
        log.append({eventOf(EventKind::Found, 10), eventOf(EventKind::Renewed, 50, 30s, "b")});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        log.addLost(5);
        log.append({eventOf(EventKind::Renewed, 80, 30s, "b")});
        trace.update(log);
        QCOMPARE(picture(trace.between(0, 100)), QStringLiteral("? 0-10, 30000 10-50, ? 50-100"));
        log.append({eventOf(EventKind::Renewed, 90)});
        trace.update(log);
        const QString shown = QStringLiteral("? 0-10, 30000 10-50, ? 50-90, renewed 30000 90-100");
        QCOMPARE(picture(trace.between(0, 100)), shown);
        trace.follow(log, LockKey("a"));
        QCOMPARE(picture(trace.between(0, 100)), shown);
    }

    /// It leaves room for what is known of the lease.
    void aNodeThatComesAndGoes()
    {
        EventLog log;
        log.append({eventOf(EventKind::Acquired, 10)});
        for (int i = 1; i <= 200; ++i)
            log.append(noEvents, {momentOf(MonitorEventKind::NodeLost, i * 100),
                                  momentOf(MonitorEventKind::NodeReady, i * 100 + 50)});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        QCOMPARE(trace.firstMs(), 10);
        const QString shown = picture(trace.between(0, 30'000));
        QVERIFY2(shown.startsWith(QStringLiteral("? 0-10, 30000 10-100, ? 100-150, 29860 150-200")),
                 qPrintable(shown));
        QVERIFY2(shown.endsWith(QStringLiteral("9960 20050-30000")), qPrintable(shown));
    }

    /// What was seen before is not on this clock: nothing is drawn as over that was renewed.
    void aClockThatWasSetBackBeginsAnew()
    {
        EventLog log;
        log.append({eventOf(EventKind::Acquired, 100'000)});
        log.append({eventOf(EventKind::Renewed, 40'000)});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        QCOMPARE(trace.firstMs(), 40'000);
        QCOMPARE(picture(trace.between(30'000, 50'000)),
                 QStringLiteral("? 30000-40000, renewed 30000 40000-50000"));
    }

    void theOldestMarksAreDropped()
    {
        EventLog log(100);
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        for (int i = 1; i <= 300; ++i) {
            log.append({eventOf(EventKind::Renewed, i * 10)});
            if (i % 7 == 0 && i != 7) // also where the log has dropped what was not taken yet
                trace.update(log);
        }
        trace.update(log);
        QCOMPARE(trace.firstMs(), 10 * (300 - qint64(LeaseTrace::maxMarks) + 1));
        LeaseTrace late;
        late.follow(log, LockKey("a"));
        QCOMPARE(picture(late.between(0, 4000)), picture(trace.between(0, 4000)));
    }

    /// A clock that was set back between two events shows no time that runs backwards.
    void timeNeverRunsBackwards()
    {
        EventLog log;
        log.append({eventOf(EventKind::Acquired, 500), eventOf(EventKind::Renewed, 300),
                    eventOf(EventKind::Renewed, 5000)});
        LeaseTrace trace;
        trace.follow(log, LockKey("a"));
        for (const auto &[from, to] : {std::pair(0, 1000), std::pair(400, 450), std::pair(600, 700)}) {
            const QList<LeaseStretch> stretches = trace.between(from, to);
            QCOMPARE(stretches.first().fromMs, from);
            QCOMPARE(stretches.last().toMs, to);
            for (qsizetype i = 0; i < stretches.size(); ++i) {
                QVERIFY(stretches[i].fromMs <= stretches[i].toMs);
                QVERIFY(i == 0 || stretches[i - 1].toMs == stretches[i].fromMs);
            }
        }
    }
};

QTEST_GUILESS_MAIN(LeaseTraceTest)
#include "tst_leasetrace.moc"
