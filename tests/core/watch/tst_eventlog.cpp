// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/eventlog.h"

#include "core/watch/pausedchanges.h"

#include <QtTest>

using namespace lockscope;

namespace {

LockEvent eventOf(const QByteArray &key, EventKind kind = EventKind::Acquired, qint64 wallMs = 0,
                  const QByteArray &owner = "web-1:7")
{
    LockEvent event;
    event.kind = kind;
    event.address = {LockKey(key), 3};
    event.owners = {{OwnerId(owner), "2", 2}};
    event.ttl = milliseconds(30'000);
    event.wallMs = wallMs;
    return event;
}

} // namespace

class EventLogTest : public QObject
{
    Q_OBJECT

private slots:
    void keepsWhatItIsGiven()
    {
        EventLog log;
        QSignalSpy appended(&log, &EventLog::appended);
        LockEvent forced = eventOf("lock:a", EventKind::Forced, 17);
        forced.others = 2;
        forced.byOtherProgram = true;
        forced.wasRenewed = true;
        log.append({forced});
        QCOMPARE(appended.size(), 1);
        log.append({}, {});
        QCOMPARE(appended.size(), 1);
        const LoggedEvent logged = log.at(0);
        QVERIFY(logged.kind == EventKind::Forced && !logged.kind.isMoment());
        QCOMPARE(logged.event.address, forced.address);
        QCOMPARE(logged.event.owners, forced.owners);
        QVERIFY(logged.event.ttl == forced.ttl);
        QCOMPARE(logged.event.wallMs, 17);
        QCOMPARE(logged.event.others, 2);
        QVERIFY(logged.event.byOtherProgram);
        QVERIFY(logged.event.wasRenewed);
    }

    /// One after the other, as they happened.
    void momentsStandBetweenEvents()
    {
        EventLog log;
        log.append({eventOf("a", EventKind::Acquired, 10), eventOf("a", EventKind::Vanished, 30)},
                   {{MonitorEventKind::Disconnected, QStringLiteral("gone"), 20},
                    {MonitorEventKind::Reconnected, QStringLiteral("back"), 40}});
        QCOMPARE(log.end(), 4);
        QVERIFY(log.kindOf(0) == EventKind::Acquired);
        QVERIFY(log.kindOf(1) == MonitorEventKind::Disconnected);
        QCOMPARE(log.at(1).text, QStringLiteral("gone"));
        QVERIFY(log.kindOf(2) == EventKind::Vanished);
        QVERIFY(log.kindOf(3) == MonitorEventKind::Reconnected);
    }

    void theOldestAreDropped()
    {
        EventLog log(100);
        for (int i = 0; i < 250; ++i)
            log.append({eventOf("lock:" + QByteArray::number(i))});
        QCOMPARE(log.first(), 150);
        QCOMPARE(log.end(), 250);
        QCOMPARE(log.dropped(), 150);
        QCOMPARE(log.keyOf(150), LockKey("lock:150"));
        QCOMPARE(log.keyOf(249), LockKey("lock:249"));
        QVERIFY(!log.contains(149) && !log.contains(250));
        log.addLost(7);
        QCOMPARE(log.dropped(), 157);
    }

    /// Keys of a megabyte are no reason to keep as many megabytes as events.
    void bytesAreBounded()
    {
        EventLog log(1000, 1024 * 1024);
        for (int i = 0; i < 100; ++i)
            log.append({eventOf(QByteArray(100'000, 'x') + QByteArray::number(i))});
        QVERIFY2(log.end() - log.first() <= 10, qPrintable(QString::number(log.end() - log.first())));
        log.append({eventOf(QByteArray(3'000'000, 'y'))});
        QCOMPARE(log.end() - log.first(), 1); // the newest, at least
        // The same key counts once.
        EventLog same(1000, 1024 * 1024);
        for (int i = 0; i < 100; ++i)
            same.append({eventOf(QByteArray(100'000, 'x'))});
        QCOMPARE(same.end() - same.first(), 100);
    }

    void valuesAreStoredOnce()
    {
        InternPool<QByteArray> pool;
        const auto first = pool.add("a");
        QVERIFY(first.isNew);
        QVERIFY(!pool.add("a").isNew);
        const auto other = pool.add("b");
        QVERIFY(other.id != first.id);
        QVERIFY(!pool.release(first.id));
        QVERIFY(pool.release(first.id));
        QCOMPARE(pool.size(), 1);
        QCOMPARE(pool.add("c").id, first.id); // its place is used again
        QCOMPARE(pool.at(first.id), QByteArray("c"));
        QCOMPARE(pool.at(other.id), QByteArray("b"));
    }

    void kindsAreNumbered()
    {
        for (int index = 0; index < LoggedKind::count; ++index)
            QCOMPARE(LoggedKind::at(index).index(), index);
        QVERIFY(LoggedKind(MonitorEventKind::DeadlockEnded).moment() == MonitorEventKind::DeadlockEnded);
        QVERIFY(LoggedKind(EventKind::Forced).event() == EventKind::Forced);
    }

    /// What a pause could not keep is counted.
    void aPauseCountsWhatItLoses()
    {
        PausedChanges held(10);
        LockDiff diff;
        for (int i = 0; i < 25; ++i)
            diff.events.append(eventOf("a"));
        held.add(diff, [](const LockKey &) { return true; });
        held.add(MonitorEvent{MonitorEventKind::Flushed, QStringLiteral("flushed"), 1});
        QCOMPARE(held.takeLost(), 15);
        QCOMPARE(held.takeLost(), 0);
        QCOMPARE(held.take().events.size(), 10);
        QCOMPARE(held.takeMoments().size(), 1);
        QVERIFY(held.takeMoments().isEmpty());
    }
};

QTEST_GUILESS_MAIN(EventLogTest)
#include "tst_eventlog.moc"
