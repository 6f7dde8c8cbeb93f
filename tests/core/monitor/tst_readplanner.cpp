// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readplanner.h"

#include <QtTest>

#include <functional>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint now(1h);
constexpr TimePoint soon = now + 7ms;
constexpr TimePoint later = now + 5s;
constexpr TimePoint never = TimePoint::max();

/// All is read, and the next scan is due in five seconds.
ReadFacts idle()
{
    ReadFacts facts;
    facts.coverage = Coverage::Complete;
    facts.nextScanAt = later;
    return facts;
}

QByteArray nameOf(std::optional<ReadReason> reason)
{
    if (!reason)
        return "nothing";
    switch (*reason) {
    case ReadReason::Change:
        return "change";
    case ReadReason::Reread:
        return "reread";
    case ReadReason::KeyspaceScan:
        return "scan";
    case ReadReason::Waiters:
        return "waiters";
    case ReadReason::Retry:
        return "retry";
    }
    return {};
}

/// What was read, in this order, by a server that answers at once: the facts change by nothing but the turns.
QByteArray turns(ReadFacts facts, int count)
{
    QByteArrayList names;
    for (int i = 0; i < count; ++i) {
        const auto reason = ReadPlanner(facts).next(now);
        names << nameOf(reason);
        facts.turns.changesInARow = reason == ReadReason::Change ? facts.turns.changesInARow + 1 : 0;
        if (reason && *reason != ReadReason::Change)
            facts.turns.lastOther = *reason;
        if (reason == ReadReason::Reread || reason == ReadReason::KeyspaceScan)
            facts.turns.lastLockRead = *reason;
    }
    return names.join(' ');
}

using Set = std::function<void(ReadFacts &)>;

struct Row
{
    const char *name;
    Set set; ///< on idle()
    const char *reason;
    TimePoint wakeAt = {}; ///< where nothing is due
};

const Row rows[] = {
    {"idle", [](ReadFacts &) {}, "nothing", later},
    {"nothing ever", [](ReadFacts &f) { f.canScan = false; }, "nothing", never},

    // Changes.
    {"a change in sight", [](ReadFacts &f) { f.pending = ReadFacts::Pending::Visible; }, "change"},
    {"gathered until the tick",
     [](ReadFacts &f) {
         f.pending = ReadFacts::Pending::Visible;
         f.nextTickAt = soon;
     },
     "nothing", soon},
    {"a rush does not wait for the tick",
     [](ReadFacts &f) {
         f.isRush = true;
         f.nextTickAt = soon;
     },
     "change"},
    {"out of sight, without budget",
     [](ReadFacts &f) {
         f.pending = ReadFacts::Pending::OutOfSight;
         f.nextBudgetedChangeAt = soon;
     },
     "nothing", soon},
    {"out of sight, within the budget",
     [](ReadFacts &f) {
         f.pending = ReadFacts::Pending::OutOfSight;
         f.nextBudgetedChangeAt = now;
     },
     "change"},
    {"in sight, without budget",
     [](ReadFacts &f) {
         f.pending = ReadFacts::Pending::Visible;
         f.nextBudgetedChangeAt = later;
     },
     "change"},
    {"a lease that should have expired", [](ReadFacts &f) { f.nextExpiryAt = now; }, "change"},
    {"a lease that expires soon", [](ReadFacts &f) { f.nextExpiryAt = soon; }, "nothing", soon},
    {"an expiry waits for the tick",
     [](ReadFacts &f) {
         f.nextExpiryAt = now;
         f.nextTickAt = soon;
     },
     "nothing", soon},

    // Scans.
    {"the first scan",
     [](ReadFacts &f) {
         f.coverage = Coverage::FirstScan;
         f.nextScanAt = {};
     },
     "scan"},
    {"a scan is due", [](ReadFacts &f) { f.nextScanAt = now; }, "scan"},
    {"a scan under way goes on", [](ReadFacts &f) { f.isScanning = true; }, "scan"},
    {"a scan waits for the budget",
     [](ReadFacts &f) {
         f.isScanning = true;
         f.nextBudgetedReadAt = soon;
     },
     "nothing", soon},
    {"at full speed it does not",
     [](ReadFacts &f) {
         f.isScanning = true;
         f.nextBudgetedReadAt = soon;
         f.pace = ScanPace::FullSpeed;
     },
     "scan"},
    {"a change comes before a scan",
     [](ReadFacts &f) {
         f.isScanning = true;
         f.pending = ReadFacts::Pending::Visible;
     },
     "change"},
    {"SCAN is forbidden",
     [](ReadFacts &f) {
         f.coverage = Coverage::KnownOnly;
         f.canScan = false;
         f.nextScanAt = {};
     },
     "nothing", never},

    // Rereads.
    {"a polled lock is due", [](ReadFacts &f) { f.nextRereadAt = now; }, "reread"},
    {"a polled lock is due soon", [](ReadFacts &f) { f.nextRereadAt = soon; }, "nothing", soon},
    {"a reread waits for the budget",
     [](ReadFacts &f) {
         f.nextRereadAt = now;
         f.nextBudgetedReadAt = soon;
     },
     "nothing", soon},
    {"the first scan reads all",
     [](ReadFacts &f) {
         f.coverage = Coverage::FirstScan;
         f.isScanning = true;
         f.nextRereadAt = now;
     },
     "scan"},
    {"before the first scan nothing is read again",
     [](ReadFacts &f) {
         f.coverage = Coverage::FirstScan;
         f.nextRereadAt = now;
     },
     "nothing", later},
    {"where SCAN is forbidden, known locks are",
     [](ReadFacts &f) {
         f.coverage = Coverage::KnownOnly;
         f.canScan = false;
         f.nextRereadAt = now;
     },
     "reread"},
    {"a scan at full speed reads all",
     [](ReadFacts &f) {
         f.pace = ScanPace::FullSpeed;
         f.isScanning = true;
         f.nextRereadAt = now;
     },
     "scan"},
    {"a scan within the budget alternates with rereads",
     [](ReadFacts &f) {
         f.isScanning = true;
         f.nextRereadAt = now;
     },
     "reread"},
    {"a suspect is read even before the first scan is through",
     [](ReadFacts &f) {
         f.coverage = Coverage::FirstScan;
         f.isScanning = true;
         f.hasSuspects = true;
     },
     "reread"},
    {"a suspect waits for the budget",
     [](ReadFacts &f) {
         f.hasSuspects = true;
         f.nextBudgetedReadAt = soon;
     },
     "nothing", soon},

    // Companion keys.
    {"waiters", [](ReadFacts &f) { f.nextWaitersAt = now; }, "waiters"},
    {"first the locks have to be known",
     [](ReadFacts &f) {
         f.coverage = Coverage::FirstScan;
         f.nextWaitersAt = now;
         f.isScanning = true;
     },
     "scan"},
    {"not while a scan at full speed is wanted",
     [](ReadFacts &f) {
         f.pace = ScanPace::FullSpeed;
         f.nextWaitersAt = now;
     },
     "nothing", later},
    {"waiters wait for the budget",
     [](ReadFacts &f) {
         f.nextWaitersAt = now;
         f.nextBudgetedReadAt = soon;
     },
     "nothing", soon},
    {"waiters again where nothing else is due",
     [](ReadFacts &f) {
         f.nextWaitersAt = now;
         f.turns.lastOther = ReadReason::Waiters;
     },
     "waiters"},

    // Permissions, and a server that refuses everything.
    {"what is forbidden is tried again", [](ReadFacts &f) { f.nextRetryAt = now; }, "retry"},
    {"a retry needs no budget",
     [](ReadFacts &f) {
         f.nextRetryAt = now;
         f.nextBudgetedReadAt = later;
     },
     "retry"},
    {"a retry comes before a scan",
     [](ReadFacts &f) {
         f.nextRetryAt = now;
         f.isScanning = true;
     },
     "retry"},
    {"a change comes before a retry",
     [](ReadFacts &f) {
         f.nextRetryAt = now;
         f.isRush = true;
     },
     "change"},
    {"a retry is due soon", [](ReadFacts &f) { f.nextRetryAt = soon; }, "nothing", soon},
    {"loading",
     [](ReadFacts &f) {
         f.pausedUntil = soon;
         f.isRush = f.isScanning = f.hasSuspects = true;
         f.pending = ReadFacts::Pending::Visible;
         f.nextExpiryAt = f.nextRereadAt = f.nextWaitersAt = f.nextRetryAt = now;
     },
     "nothing", soon},
};

} // namespace

/// Facts, and what is to be read because of them.
class TestReadPlanner : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void plan_data()
    {
        QTest::addColumn<qsizetype>("index");
        for (qsizetype i = 0; i < std::ssize(rows); ++i)
            QTest::newRow(rows[i].name) << i;
    }

    void plan()
    {
        QFETCH(qsizetype, index);
        const Row &row = rows[index];
        ReadFacts facts = idle();
        row.set(facts);
        const ReadPlanner planner(facts);
        QCOMPARE(nameOf(planner.next(now)), QByteArray(row.reason));
        if (!planner.next(now)) {
            QCOMPARE(planner.wakeAt(), row.wakeAt);
            QVERIFY(row.wakeAt == never || planner.next(row.wakeAt)); // and not in vain
        }
    }

    /// Whatever is due all the time, nothing starves.
    void turnsAreShared_data()
    {
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<bool>("changes");
        QTest::addColumn<bool>("isRush");
        QTest::addColumn<bool>("waiters");
        QTest::addColumn<bool>("polled");
        QTest::newRow("a scan alone")
            << QByteArray("scan scan scan scan") << false << false << false << false;
        QTest::newRow("polled locks")
            << QByteArray("reread scan reread scan") << false << false << false << true;
        QTest::newRow("waiters") << QByteArray("waiters scan waiters scan") << false << false << true
                                 << false;
        QTest::newRow("all but changes")
            << QByteArray("waiters reread waiters scan waiters reread") << false << false << true << true;
        QTest::newRow("changes") << QByteArray("change scan change scan") << true << false << false << false;
        QTest::newRow("the chosen lock changes all the time")
            << QByteArray("change change scan change change scan") << true << true << false << false;
        QTest::newRow("all") << QByteArray("change waiters change reread change waiters change scan") << true
                             << false << true << true;
    }

    void turnsAreShared()
    {
        QFETCH(QByteArray, expected);
        QFETCH(bool, changes);
        QFETCH(bool, isRush);
        QFETCH(bool, waiters);
        QFETCH(bool, polled);
        ReadFacts facts = idle();
        facts.isScanning = true;
        facts.isRush = isRush;
        facts.pending = changes ? ReadFacts::Pending::Visible : ReadFacts::Pending::None;
        facts.nextWaitersAt = waiters ? now : never;
        facts.nextRereadAt = polled ? now : never;
        QCOMPARE(turns(facts, static_cast<int>(expected.count(' ')) + 1), expected);
    }
};

QTEST_GUILESS_MAIN(TestReadPlanner)
#include "tst_readplanner.moc"
