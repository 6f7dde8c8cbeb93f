// SPDX-License-Identifier: GPL-3.0-or-later
// What a replay says of a moment at which not all was known, and where to find one at which it was.
#include "core/recording/recordingparts.h"
#include "tests/core/recording/replaylistener.h"
#include "tests/support/recordedfile.h"
#include "tests/support/told.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestReplayGaps : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aGapIsNoKnowledge();
    void nodesAreTold();
    void whichLocksAMissingNodeHas();
    void whatWasSoBeforeDoesNotStay();
    void aQuietTimeIsKnown();
    void theNextKnownMoment();
    void whatIsNoLockHasNoEvents();
    void whatIsNotReadYetIsNotGone();
};

void TestReplayGaps::aGapIsNoKnowledge()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquire("lock:a", "owner-1");
    file.acquire("lock:b", "owner-1");
    file.pass(10s);
    file.setWatched(false);
    file.pass(20s);
    file.setWatched(true);
    file.pass(10s);
    file.resume(60s);
    file.setWatched(true);
    file.acquire("lock:a", "owner-2");
    file.pass(10s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(5s));
    QCOMPARE(page.replay.lack(), GapCause::None);
    QVERIFY(page.seek(20s));
    QCOMPARE(page.replay.lack(), GapCause::NotWatched);
    QCOMPARE(page.states.last(), Link::State::Backoff);
    QVERIFY(page.seek(60s));
    QCOMPARE(page.replay.lack(), GapCause::NotRunning);
    QVERIFY(page.seek(105s));
    QCOMPARE(page.replay.lack(), GapCause::None);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:a=owner-2"});
    QCOMPARE(page.gaps.size(), 1);
    QCOMPARE(page.gaps.first().to - page.gaps.first().from, 60s);
}

void TestReplayGaps::nodesAreTold()
{
    RecordedFile file;
    WatchState watching = RecordedFile::clusterReady();
    file.tell(watching);
    file.pass(10s);
    watching.missingNodes = {"10.0.0.2:6379"};
    file.tell(watching);
    file.pass(10s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QList<ClusterStatus> told;
    onTold<ClusterStatus>(page.replay, this, [&](const ClusterStatus &status) { told.append(status); });
    QVERIFY(page.seek(15s));
    QVERIFY(told.last().isCluster());
    QCOMPARE(told.last().nodes.size(), 2);
    QCOMPARE(told.last().missing().size(), 1);
    QCOMPARE(told.last().missing().first().name, QStringLiteral("10.0.0.2:6379"));
    QCOMPARE(told.last().nodeOf(LockKey("lock:a")), nullptr);
    QCOMPARE(page.replay.lack(), GapCause::NotWatched);
}

/// As a session told it; where that was not recorded, it may be any.
void TestReplayGaps::whichLocksAMissingNodeHas()
{
    SlotSet lost;
    for (const int slot : {0, 1, 5, 16'000, slotCount - 1})
        lost.set(size_t(slot));
    for (const bool isAnonymous : {false, true}) {
        RecordedFile file({.isAnonymous = isAnonymous});
        WatchState watching = RecordedFile::clusterReady();
        file.tell(watching);
        file.pass(10s);
        watching.missingNodes = {"10.0.0.2:6379"};
        watching.unknownSlots = std::make_shared<const SlotSet>(lost);
        file.tell(watching);
        file.pass(10s);
        watching.missingNodes.clear();
        watching.unknownSlots.reset();
        file.tell(watching);
        file.pass(10s);
        file.finish();
        ReplayListener page(file.path());
        QVERIFY(page.opens());
        ClusterStatus told;
        QList<bool> wholes;
        onTold<ClusterStatus>(page.replay, this, [&](const ClusterStatus &status) { told = status; });
        connect(&page.replay, &Replay::restored, this, [&](bool isWhole) { wholes.append(isWhole); });
        QVERIFY(page.seek(15s));
        QVERIFY(told.unknownSlots);
        QVERIFY(*told.unknownSlots == (isAnonymous ? SlotSet().set() : lost));
        QVERIFY(wholes.first()); // but for these
        QVERIFY(page.seek(25s));
        QVERIFY(!told.unknownSlots);
        QVERIFY(page.seek(5s));
        QVERIFY(!told.unknownSlots);
    }
}

/// The connection, the feed and the permissions of a moment are not those of another.
void TestReplayGaps::whatWasSoBeforeDoesNotStay()
{
    RecordedFile file;
    file.pass(10s);
    WatchState watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    watching.serverVersion = "7.0.15";
    watching.feed.routes = {{"lock:*", FeedMode::Tracking}};
    watching.unreadable = 4;
    file.tell(watching);
    file.pass(10s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    ConnectionStatus status;
    FeedStatus feed;
    PermissionStatus permissions;
    onTold<ConnectionStatus>(page.replay, this, [&](const ConnectionStatus &told) { status = told; });
    onTold<FeedStatus>(page.replay, this, [&](const FeedStatus &told) { feed = told; });
    onTold<PermissionStatus>(page.replay, this, [&](const PermissionStatus &told) { permissions = told; });
    QVERIFY(page.seek(15s));
    QCOMPARE(status.server.version, QByteArray("7.0.15"));
    QCOMPARE(feed.routes.size(), 1);
    QCOMPARE(permissions.unreadable, 4);
    QCOMPARE(page.replay.confirmedAt(), std::optional(page.replay.now() - 5s));
    QVERIFY(page.seek(5s)); // nothing was known yet
    QCOMPARE(status.server.version, QByteArray());
    QVERIFY(feed.routes.isEmpty());
    QCOMPARE(permissions.unreadable, 0);
    QVERIFY(!page.replay.confirmedAt().has_value()); // what was confirmed at 10 s is later
}

/// Nothing is written of it but its end, where all was still so.
void TestReplayGaps::aQuietTimeIsKnown()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquire("lock:a", "owner");
    file.pass(1h);
    file.tell(ScanStats());
    file.pass(1h);
    file.tell(ScanStats());
    file.pass(1h);
    file.confirm();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(150min));
    QCOMPARE(page.replay.confirmedAt(), std::optional(page.replay.now()));
    QVERIFY(page.seek(90min)); // something was told after it
    QCOMPARE(page.replay.confirmedAt(), std::optional(page.replay.now() - 30min));
}

/// Also behind damage that only reading finds; and it is not looked for where there is none.
void TestReplayGaps::theNextKnownMoment()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquireEachSecond(10);
    file.pass(10s);
    file.resume(60s);
    file.setWatched(true);
    file.acquire("lock:later", "owner");
    file.pass(10s);
    file.setWatched(false);
    file.pass(10s);
    file.finish();
    // The first run's last chunk but a few, within its content.
    const QString first = recordingParts(file.path()).first().path;
    QFile part(first);
    QVERIFY(part.open(QIODevice::ReadWrite));
    const QByteArray bytes = part.readAll();
    qsizetype at = bytes.size();
    for (int i = 0; i < 5; ++i)
        at = bytes.lastIndexOf(ChunkHeader::mark.toByteArray(), at - 1);
    const qsizetype content = at + ChunkHeader::size + 4;
    QVERIFY(part.seek(content));
    part.putChar(static_cast<char>(~bytes[content]));
    part.close();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(15s));
    QCOMPARE(page.replay.lack(), GapCause::Damaged);
    QVERIFY(page.replay.isEverKnown());
    page.replay.seekKnown();
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.lack(), GapCause::None);
    QVERIFY(page.replay.moment() >= 80s);
    QVERIFY(page.seek(page.replay.outline().length - 1s));
    QCOMPARE(page.replay.lack(), GapCause::NotWatched);
    QVERIFY(!page.replay.isEverKnown());
    page.replay.seekKnown();
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), page.replay.outline().length - 1s);
}

/// A key that only has a lock's name is recorded, too.
void TestReplayGaps::whatIsNoLockHasNoEvents()
{
    RecordedFile file;
    file.setWatched(true);
    WatchedLock document;
    document.lock.address.key = LockKey("lock:document");
    document.lock.type = KeyType::Hash;
    document.lock.readAt = RecordedFile::epoch + file.now();
    file.tell(LockDiff{.changed = {document}, .removed = {}, .events = {}});
    file.acquire("lock:a", "owner");
    file.pass(30min);
    file.acquire("lock:b", "owner");
    file.pass(30min);
    file.acquire("lock:c", "owner");
    file.pass(1s);
    file.resume(60s);
    file.setWatched(true);
    file.pass(1s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QByteArrayList found;
    connect(&page.replay, &Replay::locksRestored, this, [&](const LockDiff &part) {
        for (const LockEvent &event : part.events)
            found.append(event.address.key.bytes);
    });
    QVERIFY(page.seek(60min));
    QCOMPARE(found, QByteArrayList{"lock:a"});
    QVERIFY(page.table.contains(document.key()));
    page.events.clear();
    page.replay.play(600);
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.events.size(), 3);
    for (const LockEvent &event : std::as_const(page.events)) {
        QCOMPARE(event.kind, EventKind::Vanished);
        QVERIFY(event.address.key != document.key());
    }
}

/// Another run begins before all locks were read.
void TestReplayGaps::whatIsNotReadYetIsNotGone()
{
    RecordedFile file;
    file.setWatched(true);
    file.acquire("lock:a", "owner");
    file.acquire("lock:b", "owner");
    file.pass(10s);
    file.resume(60s); // at 70 s
    file.pass(1s);
    const WatchedLock again = file.held("lock:a", "owner");
    LockEvent found;
    found.address = again.lock.address;
    found.family = again.lock.family;
    found.owners = again.lock.owners;
    found.at = again.lock.readAt;
    found.wallMs = file.wallMs();
    file.tell(LockDiff{.changed = {again}, .removed = {}, .events = {found}});
    file.pass(1s);
    file.setWatched(true); // at 72 s
    file.pass(1s);
    file.finish();
    ReplayListener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(5s));
    page.events.clear();
    page.replay.play(600);
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.events.size(), 2);
    QCOMPARE(page.events[0].kind, EventKind::Found);
    QCOMPARE(page.events[1].kind, EventKind::Vanished);
    QCOMPARE(page.events[1].address.key, LockKey("lock:b"));
    QCOMPARE(page.events[1].unseenFor, 62s);
    ListedEvents ends = ListedEvents{.moment = [](MonitorEventKind, const LockKey &) { return false; }};
    ends.event = [](const LockEvent &event) { return event.kind == EventKind::Vanished; };
    for (const bool isForward : {false, true}) {
        QVERIFY(page.seek(isForward ? 71'500ms : 73s));
        page.replay.seekEvent(isForward, ends);
        QVERIFY(page.arrives());
        QCOMPARE(page.replay.moment(), 72s);
    }
}

QTEST_GUILESS_MAIN(TestReplayGaps)
#include "tst_replaygaps.moc"
