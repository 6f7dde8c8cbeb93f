// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/locktablemodel.h"

#include "core/state/lockstate.h"
#include "core/state/severity.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRandomGenerator>
#include <QtTest>

#include <map>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

using Column = LockTableModel::Column;

QList<QByteArray> shownKeys(const LockTableModel &model)
{
    QList<QByteArray> keys;
    for (int row = 0; row < model.rowCount(); ++row)
        keys.append(model.at(row).key().bytes);
    return keys;
}

/// The model as one would write it without a thought for speed: everything sorted and filtered again each time.
class NaiveModel
{
public:
    void apply(const LockDiff &diff)
    {
        for (const LockKey &key : diff.removed)
            m_locks.erase(key.bytes);
        for (const WatchedLock &lock : diff.changed)
            m_locks[lock.key().bytes] = lock;
    }

    QList<QByteArray> shown(const LockFilter &filter, Column column, Qt::SortOrder order, TimePoint at)
    {
        m_at = at;
        std::vector<const WatchedLock *> rows;
        for (const auto &[key, lock] : m_locks) {
            if (filter.matches(lock, at))
                rows.push_back(&lock);
        }
        // Rows come in the order of their keys, which is the last word; so a stable sort by the column is all.
        if (column == Column::Key && order == Qt::DescendingOrder)
            std::reverse(rows.begin(), rows.end());
        std::stable_sort(rows.begin(), rows.end(), [&](const WatchedLock *a, const WatchedLock *b) {
            return order == Qt::AscendingOrder ? isLess(*a, *b, column) : isLess(*b, *a, column);
        });
        QList<QByteArray> keys;
        for (const WatchedLock *lock : rows)
            keys.append(lock->key().bytes);
        return keys;
    }

private:
    bool isLess(const WatchedLock &a, const WatchedLock &b, Column column) const
    {
        const auto owner = [](const WatchedLock &lock) {
            return lock.lock.owners.isEmpty() ? QByteArray() : lock.lock.owners.first().owner.bytes;
        };
        const auto holds = [](const WatchedLock &lock) {
            return lock.lock.owners.isEmpty() ? 0 : lock.lock.owners.first().holdCount.value_or(0);
        };
        const auto waiters = [](const WatchedLock &lock) {
            const Waiters &all = lock.lock.companions->waiters;
            return all.certainty == WaiterCertainty::Unknown
                       ? -1.0
                       : double(all.count) +
                             (all.certainty == WaiterCertainty::AtLeast && all.count > 0) / 2.0;
        };
        const auto blocks = [&](const WatchedLock &lock) {
            WaitIndex alone; // nobody here holds one lock and waits for another
            alone.apply(changes({lock}), Clock::now());
            const BlockedWaiters behind = alone.blockedBy(lock.lock);
            return waiters(lock) < 0 ? -1.0
                                     : double(behind.count) + (!behind.isExact && behind.count > 0) / 2.0;
        };
        const auto end = [](const WatchedLock &lock) {
            return lock.lock.deadline ? lock.lock.deadline->latest : TimePoint::max();
        };
        switch (column) {
        case Column::State:
            return std::tuple(severityOf(a, m_at), -std::max(0.0, waiters(a)), a.heldSince) <
                   std::tuple(severityOf(b, m_at), -std::max(0.0, waiters(b)), b.heldSince);
        case Column::Key:
            return false;
        case Column::Family:
            return a.lock.family < b.lock.family;
        case Column::Certainty:
            return certaintyOf(a) < certaintyOf(b);
        case Column::Owner:
            return owner(a) < owner(b);
        case Column::Holds:
            return holds(a) < holds(b);
        case Column::Waiters:
            return waiters(a) < waiters(b);
        case Column::Blocks:
            return blocks(a) < blocks(b);
        case Column::WaitsFor:
            return false; // no owner here has an identity by which it could be known to wait
        case Column::Ttl:
            return end(a) < end(b);
        case Column::Held:
            return a.heldSince > b.heldSince;
        case Column::Node:
            return false; // there is one
        case Column::Problem:
            return std::tuple(a.problems().toInt(), m_at > stalledAfter(a), isUnusuallyLong(a, m_at)) <
                   std::tuple(b.problems().toInt(), m_at > stalledAfter(b), isUnusuallyLong(b, m_at));
        }
        return false;
    }

    std::map<QByteArray, WatchedLock> m_locks;
    TimePoint m_at;
};

WatchedLock randomLock(QRandomGenerator &random, int keys)
{
    const QByteArray key = "lock:" + QByteArray::number(random.bounded(keys));
    WatchedLock lock = random.bounded(2)
                           ? reentrant(key, milliseconds(random.bounded(1, 40'000)),
                                       "owner-" + QByteArray::number(random.bounded(9)), random.bounded(1, 4),
                                       milliseconds(random.bounded(1, 90'000)))
                           : token(key, milliseconds(random.bounded(1, 40'000)));
    if (random.bounded(3) == 0)
        lock = random.bounded(2) ? queued(lock, QList<QByteArray>(random.bounded(3), "web-1:7"))
                                 : listenedTo(lock, random.bounded(3));
    if (random.bounded(4) == 0)
        lock.unusualAfter = now + milliseconds(random.bounded(60'000));
    switch (random.bounded(14)) {
    case 3:
    case 4:
        return stalled(key, milliseconds(random.bounded(1, 30'000)));
    case 5:
        return queued(stalled(key, milliseconds(random.bounded(1, 30'000))), {"web-1:7"});
    case 0:
        return endless(lock);
    case 1:
        return withProblem(lock, Problem::BadCount);
    case 2:
        lock.lock.owners.clear();
        return withProblem(endless(lock), Problem::WrongType);
    default:
        return lock;
    }
}

LockDiff randomDiff(QRandomGenerator &random, int keys)
{
    LockDiff diff;
    QSet<QByteArray> used;
    const int size = random.bounded(1, 30);
    for (int i = 0; i < size; ++i) {
        const WatchedLock lock = randomLock(random, keys);
        if (used.contains(lock.key().bytes))
            continue;
        used.insert(lock.key().bytes);
        if (random.bounded(3) == 0)
            diff.removed.append(lock.key());
        else
            diff.changed.append(lock);
    }
    return diff;
}

} // namespace

class LockTableModelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_clock.stopAt(now);
    }

    void theFamilyIsMoreOrLessCertain()
    {
        LockTableModel model(m_clock);
        const auto proven = [](const QByteArray &key, EvidenceSet evidence) {
            WatchedLock lock = redisson(key, client + ":1", "redisson-multi"_family);
            lock.lock.evidence = evidence;
            return lock;
        };
        model.apply(changes({proven("ambiguous", {}), proven("likely", Evidence::Content),
                             proven("certain", {Evidence::Content, Evidence::Lease})}));
        model.sort(int(Column::Certainty), Qt::AscendingOrder);
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"certain", "likely", "ambiguous"}));
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex cell = model.index(row, int(Column::Certainty));
            QCOMPARE(cell.data().toByteArray(), model.at(row).key().bytes);
            QVERIFY(!cell.data(Qt::ToolTipRole).toString().isEmpty());
        }
    }

    void agreesWithANaiveModel_data()
    {
        QTest::addColumn<quint32>("seed");
        for (quint32 seed = 1; seed <= 6; ++seed)
            QTest::addRow("seed %u", seed) << seed;
        const quint32 fresh = QRandomGenerator::system()->generate();
        QTest::addRow("seed %u", fresh) << fresh;
    }
    void agreesWithANaiveModel()
    {
        QFETCH(quint32, seed);
        QRandomGenerator random(seed);
        LockTableModel model(m_clock);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QItemSelectionModel selection(&model);
        NaiveModel naive;
        const QList<const char *> filters = {
            "", "1", "12", "-owner-3", "ttl<10s", "state:no-expiry", "problem:any 2"};
        LockFilter filter;
        auto column = Column::State;
        auto order = Qt::AscendingOrder;
        model.sort(0, order);
        QByteArray chosen;
        for (int step = 0; step < 250; ++step) {
            const LockDiff diff = randomDiff(random, 120);
            model.apply(diff);
            naive.apply(diff);
            if (random.bounded(6) == 0) {
                filter =
                    *LockFilter::parse(QString::fromLatin1(filters.at(random.bounded(int(filters.size())))));
                model.setFilter(filter);
            }
            if (random.bounded(8) == 0) {
                column = static_cast<Column>(random.bounded(model.columnCount()));
                order = random.bounded(2) ? Qt::AscendingOrder : Qt::DescendingOrder;
                model.sort(int(column), order);
            }
            if (random.bounded(10) == 0) {
                m_clock.stopAt(m_clock.now() + milliseconds(random.bounded(3000)));
                model.refilter();
                // What was filtered by an older time stays until somebody looks again: so does the reference.
            }
            model.followTime();
            model.followWaits();
            if (filter.dependsOnTime())
                model.refilter();
            QCOMPARE(shownKeys(model), naive.shown(filter, column, order, m_clock.now()));

            const QModelIndex current = selection.currentIndex();
            if (!chosen.isEmpty() && model.indexOf(LockKey(chosen)).isValid() && current.isValid()) {
                QCOMPARE(model.at(current.row()).key().bytes, chosen);
                QVERIFY(selection.isRowSelected(current.row()));
            } else if (model.rowCount() > 0) {
                const int row = random.bounded(model.rowCount());
                selection.setCurrentIndex(model.index(row, 1),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
                chosen = model.at(row).key().bytes;
            }
        }
    }

    void theWorstComesFirst()
    {
        LockTableModel model(m_clock);
        model.sort(int(Column::State), Qt::AscendingOrder);
        WatchedLock orphan = queued(endless(redisson("orphan", {}, "redisson-fair"_family)), {client + ":3"});
        orphan.lock.owners.clear();
        const auto queue = [](qsizetype waiters) { return QList<QByteArray>(waiters, "x:1"); };
        const QList<WatchedLock> worstFirst{
            seenWith(redisson("deadlock"), Problem::Deadlock),
            queued(stalled("stalled with three waiters"), queue(3)),
            queued(stalled("stalled with two waiters"), queue(2)),
            withProblem(orphan, Problem::Orphaned),
            withProblem(reentrant("corrupt"), Problem::BadCount),
            queued(endless(redisson("endless, waited on")), queue(1)),
            endless(reentrant("endless, long", 20s, "o", 1, 1h)),
            endless(token("endless")),
            queued(redisson("a dead waiter"), {"!x:1"}),
            stalled("stalled"),
            listenedTo(redisson("at least 50"), 50),
            queued(redisson("50"), queue(50)),
            listenedTo(redisson("at least 1"), 1),
            reentrant("old", 20s, "o", 1, 1h),
            queued(redisson("nobody waits"), {}),
            reentrant("young", 20s, "o", 1, 1s),
        };
        QList<QByteArray> order;
        for (const WatchedLock &lock : worstFirst)
            order.append(lock.key().bytes);
        QList<WatchedLock> shuffled(worstFirst);
        std::shuffle(shuffled.begin(), shuffled.end(), QRandomGenerator(4));
        model.followTime();
        model.apply(changes(shuffled));
        QCOMPARE(shownKeys(model), order);
    }

    /// It becomes stalled as time passes, and goes to its place; a renewal takes it back.
    void aStalledLockComesForward()
    {
        LockTableModel model(m_clock);
        model.sort(int(Column::State), Qt::AscendingOrder);
        model.followTime();
        // Renewed at 20 s so far: overdue when less than 18.5 s are left.
        model.apply(changes({reentrant("a", 1h, "o", 1, 1h), stalled("b", 30s), stalled("c", 29s)}));
        QPersistentModelIndex chosen = model.indexOf(LockKey("b"));
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"a", "b", "c"}));
        QCOMPARE(model.counts().stalled, 0);
        QSignalSpy layout(&model, &LockTableModel::layoutChanged);
        m_clock.stopAt(now + 10s);
        model.followTime();
        QCOMPARE(layout.size(), 0);
        m_clock.stopAt(now + 11s);
        model.followTime();
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"c", "a", "b"}));
        QCOMPARE(model.counts().stalled, 1);
        QCOMPARE(model.counts().problems, 1);
        m_clock.stopAt(now + 12s);
        model.followTime();
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"b", "c", "a"}));
        QCOMPARE(chosen.row(), 0);
        QCOMPARE(layout.size(), 2);
        model.apply(changes({stalled("b", 42s)}));
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"c", "a", "b"}));
        QCOMPARE(model.counts().stalled, 1);
        // Time can go back: the connection is lost, and the clock stands at what was confirmed.
        m_clock.stopAt(now + 10s);
        model.followTime();
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"a", "b", "c"}));
        QCOMPARE(model.counts().stalled, 0);
        // Where it does not count, nothing moves.
        model.sort(int(Column::Key), Qt::AscendingOrder);
        layout.clear();
        m_clock.stopAt(now + 20s);
        model.followTime();
        QCOMPARE(layout.size(), 0);
        QCOMPARE(model.counts().stalled, 1);
    }

    /// A hold that is far longer than is usual for its key is looked at when others wait, and where nothing is worse.
    void anUnusualHoldComesForward()
    {
        HoldTimes holds;
        LockEvent end;
        end.kind = EventKind::Released;
        end.address.key = LockKey("long");
        end.held = milliseconds(2000);
        holds.add(QList<LockEvent>(HoldTimeStats::fewest, end));
        LockTableModel model(m_clock);
        model.setHoldTimes(holds);
        model.sort(int(Column::State), Qt::AscendingOrder);
        model.followTime();
        model.apply(changes({reentrant("busy", 1h, "o", 1, 1h), listenedTo(reentrant("long", 1h), 1),
                             withProblem(reentrant("problem"), Problem::BadCount)}));
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"problem", "long", "busy"}));
        const auto isCorrupt = model.counts().problems;
        const auto problemOf = [&model](const QByteArray &key) {
            return model.data(model.indexOf(LockKey(key), Column::Problem), Qt::DisplayRole).toString();
        };
        QCOMPARE(problemOf("long"), QString());
        m_clock.stopAt(now + 6s); // held for 11 s, five times as long as usual
        model.followTime();
        QCOMPARE(problemOf("long"), QStringLiteral("held unusually long"));
        QCOMPARE(model.counts().problems, isCorrupt + 1);
        QCOMPARE(model.counts().stalled, 0);
        QCOMPARE(model.counts().expiring, 0);
        model.setFilter(*LockFilter::parse(QStringLiteral("problem:unusual")));
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"long"}));
        model.setFilter(*LockFilter::parse(QStringLiteral("problem:any")));
        QCOMPARE(model.rowCount(), 2);
        // In a recording the locks of a moment are known before what led to it.
        LockTableModel other(m_clock);
        HoldTimes later;
        other.setHoldTimes(later);
        other.sort(int(Column::State), Qt::AscendingOrder);
        other.followTime();
        other.apply(changes({reentrant("busy", 1h, "o", 1, 1h), listenedTo(reentrant("long", 1h), 1)}));
        later.add(QList<LockEvent>(HoldTimeStats::fewest, end));
        QCOMPARE(other.counts().problems, 0);
        other.followHoldTimes();
        QCOMPARE(other.counts().problems, 1);
        QCOMPARE(shownKeys(other), (QList<QByteArray>{"long", "busy"}));
        model.apply(changes({reentrant("long", 1h)})); // nobody waits
        model.setFilter({});
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"problem", "busy", "long"}));
    }

    void timeMovesNothing()
    {
        LockTableModel model(m_clock);
        model.sort(int(Column::Ttl), Qt::AscendingOrder);
        model.apply(changes({reentrant("late", 30s), reentrant("soon", 2s), endless(reentrant("never"))}));
        const QList<QByteArray> order{"soon", "late", "never"};
        QCOMPARE(shownKeys(model), order);
        QSignalSpy layout(&model, &LockTableModel::layoutChanged);
        QSignalSpy data(&model, &LockTableModel::dataChanged);
        m_clock.stopAt(now + 10s);
        model.refilter();
        QCOMPARE(shownKeys(model), order);
        QCOMPARE(layout.size() + data.size(), 0);
    }

    void aBatchIsToldOnce()
    {
        LockTableModel model(m_clock);
        QList<WatchedLock> locks;
        for (int i = 0; i < 500; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(i)));
        QSignalSpy layout(&model, &LockTableModel::layoutChanged);
        QSignalSpy data(&model, &LockTableModel::dataChanged);
        model.apply(changes(locks));
        QCOMPARE(layout.size(), 1);
        QCOMPARE(data.size(), 1);
        // A renewal moves nothing in the order by key: only the content changes.
        model.sort(int(Column::Key), Qt::AscendingOrder);
        layout.clear();
        data.clear();
        model.apply(changes({reentrant("lock:7", 29s), reentrant("lock:9", 29s)}));
        QCOMPARE(layout.size(), 0);
        QCOMPARE(data.size(), 1);
        model.apply(changes({}, {"lock:7", "not there"}));
        QCOMPARE(layout.size(), 1);
        QCOMPARE(model.total(), 499);
        QVERIFY(!model.find(LockKey("lock:7")));
        QVERIFY(model.find(LockKey("lock:9")));
    }

    void keysThatDecodeAlikeAreTwoRows()
    {
        LockTableModel model(m_clock);
        model.apply(changes(
            {token("lock:\xff"), token("lock:\xfe"), token(QByteArray("lock:\0a", 7)), token("lock:")}));
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.indexOf(LockKey("lock:\xfe")).data(LockTableModel::KeyRole).toByteArray(),
                 QByteArray("lock:\xfe"));
    }

    void hostileNamesAreShownAsText()
    {
        LockTableModel model(m_clock);
        model.apply(changes({token("<b>x</b>\n\xe2\x80\xae", 20s, "&owner")}));
        const QModelIndex key = model.index(0, int(Column::Key));
        const QString text = key.data().toString();
        QVERIFY(!text.contains(u'\n'));
        QVERIFY(!text.contains(QChar(0x202e)));
        QVERIFY(!key.data(Qt::ToolTipRole).toString().contains(QStringLiteral("<b>")));
    }

    void countsIgnoreTheFilter()
    {
        LockTableModel model(m_clock);
        model.apply(changes({reentrant("a"), endless(token("b")), reentrant("c", 2s),
                             withProblem(reentrant("d"), Problem::BadCount)}));
        model.setFilter(*LockFilter::parse(QStringLiteral("zzz")));
        QCOMPARE(model.rowCount(), 0);
        LockTableModel::Counts counts;
        counts.all = 4;
        counts.noExpiry = counts.expiring = counts.corrupt = 1;
        counts.problems = 2;
        QCOMPARE(model.counts(), counts);
    }

    void aFilterOnTimeFollowsIt()
    {
        LockTableModel model(m_clock);
        model.apply(changes({reentrant("a", 8s), reentrant("b", 25s)}));
        model.setFilter(*LockFilter::parse(QStringLiteral("ttl<5s")));
        QCOMPARE(model.rowCount(), 0);
        m_clock.stopAt(now + 4s);
        model.refilter();
        QCOMPARE(shownKeys(model), QList<QByteArray>{"a"});
    }

    /// Where another lock changes: the model is told of that one alone.
    void whatWaitsBehindMovesALock()
    {
        const auto fair = [](const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &queue) {
            return queued(redisson(key, owner, "redisson-fair"_family), queue);
        };
        const QByteArray a = client + ":1", b = client + ":2", c = client + ":3";
        LockTableModel model(m_clock);
        QSignalSpy spy(&model, &LockTableModel::waitsChanged);
        model.sort(int(Column::Blocks), Qt::DescendingOrder);
        model.apply(changes({fair("x", a, {b}), fair("y", c, {"q:1", "q:2"}), fair("z", b, {})}));
        model.followWaits();
        QCOMPARE(spy.size(), 1);
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"y", "x", "z"}));
        model.apply(changes({fair("z", b, {"r:1", "r:2", "r:3"})}));
        model.followWaits();
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"x", "z", "y"}));
        QCOMPARE(model.index(0, int(Column::Blocks)).data().toString(), QStringLiteral("4"));
        QCOMPARE(model.index(1, int(Column::WaitsFor)).data().toString(), QStringLiteral("1"));
        QCOMPARE(model.index(2, int(Column::WaitsFor)).data().toString(), QString());
        model.sort(int(Column::WaitsFor), Qt::DescendingOrder);
        QCOMPARE(shownKeys(model).first(), QByteArray("z"));
        model.apply(changes({}, {"x"}));
        model.followWaits();
        QCOMPARE(shownKeys(model), (QList<QByteArray>{"y", "z"}));
    }

    void heldIsAtLeastWhereTheBeginningWasNotSeen()
    {
        LockTableModel model(m_clock);
        WatchedLock late = reentrant("late", 20s, "o", 1, 90s);
        late.hasSeenAcquisition = false;
        model.apply(changes({late}));
        QCOMPARE(model.index(0, int(Column::Held)).data().toString(), QStringLiteral("≥ 1 min 30 s"));
        QCOMPARE(model.index(0, int(Column::Ttl)).data().toString(), QStringLiteral("20 s"));
    }

private:
    DisplayClock m_clock;
};

QTEST_MAIN(LockTableModelTest)
#include "tst_locktablemodel.moc"
