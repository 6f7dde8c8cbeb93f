// SPDX-License-Identifier: GPL-3.0-or-later
// A replay tells of any moment what a session told then, and of nothing that was not recorded.
#include "core/recording/lockfields.h"
#include "core/recording/recordingparts.h"
#include "core/recording/replay.h"
#include "tests/support/recordedfile.h"
#include "tests/support/recordedlife.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// What a page would know of all that it is told.
class Listener : public QObject
{
public:
    explicit Listener(const QString &path) : replay(path)
    {
        connect(&replay, &Replay::rewound, this, [this] {
            locks.clear();
            events.clear();
            gaps.clear();
            states.clear();
        });
        connect(&replay, &Replay::locksRestored, this, [this](const LockDiff &part) {
            apply(part, false);
            if (!replay.isTellingPast())
                show(part);
        });
        connect(&replay, &Replay::changed, this, [this](const LockDiff &diff) {
            apply(diff, true);
            if (!replay.isTellingPast())
                show(diff);
        });
        connect(&replay, &Replay::statusChanged, this,
                [this](const ConnectionStatus &status) { states.append(status.state); });
        connect(&replay, &Replay::gapTold, this, [this](const RecordingGap &gap) { gaps.append(gap); });
        connect(&replay, &Replay::failed, this, [this](const Error &why) { failure = why; });
        connect(&replay, &Replay::opened, this, [this] { isOpen = true; });
        replay.open();
    }
    [[nodiscard]] bool opens() const
    {
        return QTest::qWaitFor([this] { return isOpen || failure.has_value(); }) && isOpen;
    }
    /// With what came before it.
    [[nodiscard]] bool seek(milliseconds moment)
    {
        replay.seek(moment);
        return arrives();
    }
    [[nodiscard]] bool arrives()
    {
        bool isThere = false;
        const auto connection =
            connect(&replay, &Replay::arrived, this, [&] { isThere = replay.isPastTold(); });
        const bool came = QTest::qWaitFor([&] { return isThere; });
        disconnect(connection);
        return came;
    }

    Replay replay;
    QHash<LockKey, WatchedLock> locks;
    QList<LockEvent> events;
    QList<RecordingGap> gaps;
    QList<Link::State> states;
    QSet<LockKey> table; ///< as a page has it, which takes nothing back
    std::optional<Error> failure;
    bool isOpen = false;

private:
    void show(const LockDiff &diff)
    {
        for (const LockKey &key : diff.removed)
            table.remove(key);
        for (const WatchedLock &lock : diff.changed)
            table.insert(lock.key());
    }
    void apply(const LockDiff &diff, bool haveHappened)
    {
        for (const LockKey &key : diff.removed)
            locks.remove(key);
        for (const WatchedLock &lock : diff.changed)
            locks.insert(lock.key(), lock);
        if (haveHappened)
            events += diff.events;
    }
};

QByteArrayList namesOf(const QHash<LockKey, WatchedLock> &locks)
{
    QByteArrayList names;
    for (const WatchedLock &lock : locks)
        names.append(lock.key().bytes + '=' + lock.lock.owners.value(0).owner.bytes);
    std::ranges::sort(names);
    return names;
}

} // namespace

class TestReplay : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aMomentIsAsItWas();
    void whatCameBeforeIsTold();
    void itGoesOnByItself();
    void anOlderWishIsForgotten();
    void manyLocksAreToldInParts();
    void aNewWishEndsWhatIsHalfTold();
    void fromEventToEvent();
    void fromOneThatIsListedToTheNext();
    void aGapIsNoKnowledge();
    void nodesAreTold();
    void whichLocksAMissingNodeHas();
    void whatWasSoBeforeDoesNotStay();
    void aQuietTimeIsKnown();
    void theNextKnownMoment();
    void aClockThatWasSet();
    void whatIsNoRecording();
};

void TestReplay::aMomentIsAsItWas()
{
    struct Then
    {
        milliseconds moment;
        QHash<LockKey, WatchedLock> locks;
    };
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    RecordedLife life(7);
    const TimePoint epoch = life.now();
    auto writer = std::move(*RecordingWriter::begin(path, {}, epoch, life.wallMs()));
    QList<Then> snapshots;
    for (int i = 0; i < 600; ++i) {
        writer->add(life.step());
        if (i % 7 == 0)
            writer->flush(life.now(), life.wallMs());
        snapshots.append({std::chrono::floor<milliseconds>(life.now() - epoch), life.locks()});
    }
    writer->flush(life.now(), life.wallMs());
    Listener page(path);
    QVERIFY(page.opens());
    for (const qsizetype which : {300, 20, 599, 301, 150, 450, 0}) {
        while (which + 1 < snapshots.size() && snapshots[which + 1].moment == snapshots[which].moment)
            snapshots[which] = snapshots[which + 1];
        const Then &then = snapshots[which];
        QVERIFY(page.seek(then.moment));
        QCOMPARE(page.replay.moment(), then.moment);
        QCOMPARE(page.locks.size(), then.locks.size());
        const Clock::duration zero = (page.replay.now() - then.moment).time_since_epoch();
        for (const WatchedLock &lock : then.locks) {
            const WatchedLock expected = shifted(asRecorded(lock, epoch), zero);
            QCOMPARE(lockfields::differences(expected, page.locks.value(lock.key())), 0U);
        }
    }
}

void TestReplay::whatCameBeforeIsTold()
{
    RecordedFile file;
    file.setWatched(true);
    for (int i = 0; i < 5; ++i) {
        file.pass(10s);
        file.acquire("lock:a", "owner-" + QByteArray::number(i));
        file.pass(5s);
        file.release("lock:a");
    }
    file.pass(10s);
    Listener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(42s)); // acquired at 40 s
    QCOMPARE(page.events.size(), 5);
    QCOMPARE(page.events.last().kind, EventKind::Acquired);
    QCOMPARE(page.events.last().wallMs, RecordedFile::wallBegin + 40'000);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:a=owner-2"});
    // Ages are those of the moment.
    const WatchedLock held = page.locks.value(LockKey("lock:a"));
    QCOMPARE(page.replay.now() - held.heldSince, 2s);
    QCOMPARE(held.lock.deadline->latest - page.replay.now(), 28s);
    QCOMPARE(page.replay.wallNow(), RecordedFile::wallBegin + 42'000);
    QCOMPARE(page.replay.lack(), GapCause::None);
    QVERIFY(page.replay.confirmedAt().has_value());
    QCOMPARE(page.states.last(), Link::State::Ready);
    // On this machine's clocks it lies where its wall time lies.
    const auto ago = QDateTime::currentMSecsSinceEpoch() - page.replay.wallNow();
    QVERIFY(std::chrono::abs(Clock::now() - page.replay.now() - milliseconds(ago)) < 2s);
}

void TestReplay::itGoesOnByItself()
{
    RecordedFile file;
    file.setWatched(true);
    for (int i = 0; i < 10; ++i) {
        file.pass(1s);
        file.acquire("lock:" + QByteArray::number(i), "owner");
    }
    file.resume(2h); // which nobody wants to watch
    file.setWatched(true);
    file.acquire("lock:later", "owner");
    file.pass(100ms);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(2500ms));
    QCOMPARE(page.locks.size(), 2);
    page.replay.play(600);
    QVERIFY(page.replay.isPlaying());
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.replay.moment(), page.replay.outline().length);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:later=owner"});
    QCOMPARE(page.gaps.size(), 1);
    QCOMPARE(page.gaps.first().cause, GapCause::NotRunning);
    QList<EventKind> kinds;
    for (const LockEvent &event : page.events)
        kinds.append(event.kind);
    QCOMPARE(kinds.count(EventKind::Acquired), 11); // each once
    QCOMPARE(kinds.count(EventKind::Vanished), 10); // what became of them is not known
}

void TestReplay::anOlderWishIsForgotten()
{
    RecordedFile file;
    file.setWatched(true);
    for (int i = 0; i < 50; ++i) {
        file.pass(1s);
        file.acquire("lock:" + QByteArray::number(i), "owner");
    }
    Listener page(file.path());
    QVERIFY(page.opens());
    for (int i = 0; i < 50; ++i)
        page.replay.seek(milliseconds(i * 1000));
    QVERIFY(page.seek(7s));
    QCOMPARE(page.replay.moment(), 7s);
    QCOMPARE(page.locks.size(), 7);
}

void TestReplay::manyLocksAreToldInParts()
{
    constexpr int many = 10'000;
    RecordedFile file;
    file.setWatched(true);
    file.holdMany("lock:a:", many);
    file.pass(10s);
    file.holdMany("lock:b:", many, "lock:a:");
    file.pass(10s);
    file.resume(10s);
    file.setWatched(true);
    file.holdMany("lock:c:", many);
    file.pass(10s);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    qsizetype largest = 0;
    int halves = 0;
    connect(&page.replay, &Replay::locksRestored, this, [&](const LockDiff &part) {
        largest = std::max({largest, part.changed.size(), part.removed.size(), part.events.size()});
        QTest::qSleep(15); // longer than a turn may be
    });
    connect(&page.replay, &Replay::changed, this, [&](const LockDiff &diff) {
        largest = std::max({largest, diff.changed.size(), diff.removed.size(), diff.events.size()});
        QTest::qSleep(15);
    });
    connect(&page.replay, &Replay::partTold, this, [&] {
        halves += page.replay.isHalfTold() ? 1 : 0;
        QCOMPARE(page.replay.wallNow(), RecordedFile::wallBegin + page.replay.moment().count());
    });
    for (const auto &[moment, prefix] : {std::pair(5s, "lock:a:"), std::pair(15s, "lock:b:"),
                                         std::pair(35s, "lock:c:"), std::pair(4s, "lock:a:")}) {
        halves = 0;
        QVERIFY(page.seek(moment));
        QCOMPARE(page.table.size(), many);
        QVERIFY(page.table.contains(LockKey(prefix + QByteArray::number(many - 1))));
        QVERIFY(!page.replay.isHalfTold());
        QVERIFY(halves > 0);
        QCOMPARE(page.locks.size(), many);
    }
    QVERIFY2(largest < many, qPrintable(QString::number(largest)));
    // Behind the gap they come and go in one change.
    QVERIFY(page.seek(15s));
    page.replay.play(600);
    QTRY_VERIFY(!page.replay.isPlaying());
    QCOMPARE(page.table.size(), many);
    QVERIFY(page.table.contains(LockKey("lock:c:0")));
    QVERIFY2(largest < many, qPrintable(QString::number(largest)));
}

/// What was shown of it is of no moment: the next one takes all of it back.
void TestReplay::aNewWishEndsWhatIsHalfTold()
{
    constexpr int many = 10'000;
    RecordedFile file;
    file.setWatched(true);
    file.acquire("lock:first", "owner");
    file.pass(10s);
    file.holdMany("lock:a:", many);
    file.pass(10s);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(5s));
    QCOMPARE(page.table.size(), 1);
    connect(&page.replay, &Replay::locksRestored, this, [] { QTest::qSleep(15); });
    bool isCanceled = false;
    qsizetype had = 0;
    connect(&page.replay, &Replay::partTold, this, [&] {
        if (!page.replay.isHalfTold() || page.table.size() <= 1 || std::exchange(isCanceled, true))
            return;
        had = page.table.size();
        page.replay.seek(6s);
    });
    page.replay.seek(15s);
    QVERIFY(page.arrives());
    QVERIFY(isCanceled);
    QVERIFY(had > 1 && had < many);
    QCOMPARE(page.replay.moment(), 6s);
    QCOMPARE(page.table.size(), 1);
    QVERIFY(page.seek(15s));
    QCOMPARE(page.table.size(), many + 1);
}

void TestReplay::fromEventToEvent()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(5s);
    file.acquire("lock:a", "owner");
    file.pass(30min);
    file.release("lock:a");
    file.pass(5s);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(0ms));
    page.replay.seekEvent(true);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), 5s);
    page.replay.seekEvent(true);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), 30min + 5s);
    page.replay.seekEvent(true);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), page.replay.outline().length);
    page.replay.seekEvent(false);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), 30min + 5s);
    page.replay.seekEvent(false);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), 5s);
    QCOMPARE(namesOf(page.locks), QByteArrayList{"lock:a=owner"});
    page.replay.seekEvent(false);
    QVERIFY(page.arrives());
    QCOMPARE(page.replay.moment(), 0ms);
}

/// Behind a gap, too, where it is not known when they came and went; and without those that are not listed.
void TestReplay::fromOneThatIsListedToTheNext()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(5s);
    file.acquire("lock:a", "owner");
    file.pass(5s);
    file.acquire("lock:b", "owner");
    file.resume(20s);
    file.setWatched(true); // at 30 s
    file.pass(5s);
    file.acquire("lock:c", "owner");
    file.pass(5s);
    file.setWatched(false);
    file.pass(5s);
    file.finish();
    const ListedEvents all;
    const ListedEvents ofLocks = ListedEvents::ofLocks();
    ListedEvents ofOne = ofLocks;
    ofOne.event = [](const LockEvent &event) { return event.address.key == LockKey("lock:c"); };
    ListedEvents ends = ofLocks;
    ends.event = [](const LockEvent &event) { return event.kind == EventKind::Vanished; };
    const std::pair<ListedEvents, QList<milliseconds>> expected[] = {
        {all, {5s, 10s, 30s, 35s, 40s}}, {ofLocks, {5s, 10s, 30s, 35s}}, {ofOne, {35s}}, {ends, {30s}}};
    Listener page(file.path());
    QVERIFY(page.opens());
    int rewound = 0;
    connect(&page.replay, &Replay::rewound, this, [&] { ++rewound; });
    for (const auto &[listed, moments] : expected) {
        QVERIFY(page.seek(0ms));
        rewound = 0;
        for (const milliseconds moment : moments) {
            page.replay.seekEvent(true, listed);
            QVERIFY(page.arrives());
            QCOMPARE(page.replay.moment(), moment);
        }
        page.replay.seekEvent(true, listed);
        QVERIFY(page.arrives());
        QCOMPARE(page.replay.moment(), page.replay.outline().length);
        QCOMPARE(rewound, 0); // what lies between was told, and no more
        for (qsizetype i = moments.size(); i-- > 0;) {
            page.replay.seekEvent(false, listed);
            QVERIFY(page.arrives());
            QCOMPARE(page.replay.moment(), moments[i]);
        }
        page.replay.seekEvent(false, listed);
        QVERIFY(page.arrives());
        QCOMPARE(page.replay.moment(), 0ms);
    }
    // What is shown is what a jump there shows.
    page.replay.seekEvent(true, ofOne);
    QVERIFY(page.arrives());
    const QByteArrayList stepped = namesOf(page.locks);
    QVERIFY(page.seek(35s));
    QCOMPARE(stepped, namesOf(page.locks));
}

void TestReplay::aGapIsNoKnowledge()
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
    Listener page(file.path());
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

void TestReplay::nodesAreTold()
{
    RecordedFile file;
    Watching watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    watching.serverMode = "cluster";
    watching.nodes = {"10.0.0.1:6379", "10.0.0.2:6379"};
    file.tell(watching);
    file.pass(10s);
    watching.missingNodes = {"10.0.0.2:6379"};
    file.tell(watching);
    file.pass(10s);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    QList<ClusterStatus> told;
    connect(&page.replay, &Replay::clusterChanged, this,
            [&](const ClusterStatus &status) { told.append(status); });
    QVERIFY(page.seek(15s));
    QVERIFY(told.last().isCluster());
    QCOMPARE(told.last().nodes.size(), 2);
    QCOMPARE(told.last().missing().size(), 1);
    QCOMPARE(told.last().missing().first().name, QStringLiteral("10.0.0.2:6379"));
    QCOMPARE(told.last().nodeOf(LockKey("lock:a")), nullptr);
    QCOMPARE(page.replay.lack(), GapCause::NotWatched);
}

/// As a session told it; where that was not recorded, it may be any.
void TestReplay::whichLocksAMissingNodeHas()
{
    SlotSet lost;
    for (const int slot : {0, 1, 5, 16'000, slotCount - 1})
        lost.set(size_t(slot));
    for (const bool isAnonymous : {false, true}) {
        RecordedFile file({.isAnonymous = isAnonymous});
        Watching watching;
        watching.connection = Link::State::Ready;
        watching.isRead = true;
        watching.serverMode = "cluster";
        watching.nodes = {"10.0.0.1:6379", "10.0.0.2:6379"};
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
        Listener page(file.path());
        QVERIFY(page.opens());
        ClusterStatus told;
        QList<bool> wholes;
        connect(&page.replay, &Replay::clusterChanged, this,
                [&](const ClusterStatus &status) { told = status; });
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
void TestReplay::whatWasSoBeforeDoesNotStay()
{
    RecordedFile file;
    file.pass(10s);
    Watching watching;
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    watching.serverVersion = "7.0.15";
    watching.feed.routes = {{"lock:*", FeedMode::Tracking}};
    watching.unreadable = 4;
    file.tell(watching);
    file.pass(10s);
    file.finish();
    Listener page(file.path());
    QVERIFY(page.opens());
    ConnectionStatus status;
    FeedStatus feed;
    PermissionStatus permissions;
    connect(&page.replay, &Replay::statusChanged, this, [&](const ConnectionStatus &told) { status = told; });
    connect(&page.replay, &Replay::feedChanged, this, [&](const FeedStatus &told) { feed = told; });
    connect(&page.replay, &Replay::permissionsChanged, this,
            [&](const PermissionStatus &told) { permissions = told; });
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
void TestReplay::aQuietTimeIsKnown()
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
    Listener page(file.path());
    QVERIFY(page.opens());
    QVERIFY(page.seek(150min));
    QCOMPARE(page.replay.confirmedAt(), std::optional(page.replay.now()));
    QVERIFY(page.seek(90min)); // something was told after it
    QCOMPARE(page.replay.confirmedAt(), std::optional(page.replay.now() - 30min));
}

/// Also behind damage that only reading finds; and it is not looked for where there is none.
void TestReplay::theNextKnownMoment()
{
    RecordedFile file;
    file.setWatched(true);
    for (int i = 0; i < 10; ++i) {
        file.pass(1s);
        file.acquire("lock:" + QByteArray::number(i), "owner");
    }
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
    Listener page(file.path());
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

/// The wall clock was set back by an hour: the time that it showed first is found, too.
void TestReplay::aClockThatWasSet()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("r"));
    const TimePoint epoch{1000h};
    const qint64 wall = RecordedFile::wallBegin;
    auto writer = std::move(*RecordingWriter::begin(path, {}, epoch, wall));
    const auto tell = [&](milliseconds at, qint64 wallMs) {
        Watching watching;
        watching.unreadable = at.count();
        writer->add({epoch + at, wallMs, watching});
        writer->flush(epoch + at, wallMs);
    };
    tell(60s, wall + 60'000);
    tell(120s, wall + 120'000);
    tell(121s, wall + 121'000 - 3'600'000);
    tell(180s, wall + 180'000 - 3'600'000);
    const Recording recording = *Recording::open(path);
    QCOMPARE(recording.momentOf(wall + 90'000), 90s);
    QCOMPARE(recording.momentOf(wall + 150'000 - 3'600'000), 150s);
    QVERIFY(recording.endsAtMs() < recording.latestWallMs());
    QVERIFY(recording.earliestWallMs() < recording.beginsAtMs());
    QCOMPARE(recording.earliestWallMs(), wall + 121'000 - 3'600'000);
    const std::vector<WallStep> steps = recording.wallSteps(10);
    QCOMPARE(steps.size(), size_t(2));
    QCOMPARE(steps[1].moment, 121s);
    QCOMPARE(steps[1].wallMs, wall + 121'000 - 3'600'000);
    QCOMPARE(recording.wallSteps(1).size(), size_t(1));
    ReplayOutline outline;
    outline.wallSteps = steps;
    QCOMPARE(outline.clockSetBacks(), 1);
    for (const milliseconds moment : {0ms, 120s + 0ms, 121s + 0ms, 180s + 0ms})
        QCOMPARE(outline.wallAt(moment), recording.wallAt(moment));
}

void TestReplay::whatIsNoRecording()
{
    const QTemporaryDir directory;
    Listener nothing(directory.filePath(QStringLiteral("none")));
    QVERIFY(!nothing.opens());
    QCOMPARE(nothing.failure->kind, ErrorKind::RecordingFailed);
    QFile file(directory.filePath(QStringLiteral("text")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("What is this?\n");
    file.close();
    Listener text(file.fileName());
    QVERIFY(!text.opens());
    QCOMPARE(text.failure->kind, ErrorKind::RecordingFailed);
}

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
