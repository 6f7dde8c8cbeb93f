// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/ownerspanel.h"

#include "core/table/displayclock.h"
#include "tests/support/familyliteral.h"
#include "tests/support/toldinstead.h"
#include "tests/ui/samplelocks.h"

#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

const QByteArray a = client + ":1", b = client + ":2", d = otherClient + ":1";

} // namespace

class OwnersPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_clock.holdAt(now);
        m_names.setAll({{client, QStringLiteral("web")}});
        m_locks = std::make_unique<LockTableModel>(m_clock, m_names);
        m_panel = std::make_unique<OwnersPanel>(*m_locks, m_clock, m_names);
        m_panel->resize(1000, 400);
        m_tree = m_panel->findChild<QTreeView *>();
        group(OwnerGrouping::Owner);
    }
    void cleanup()
    {
        m_panel.reset();
        m_clock.run();
    }

    void groupsByOwnerProcessAndHost()
    {
        apply({redisson("order:1", a), redisson("order:2", b), redisson("order:3", d),
               resque("resque:workerslock:1", "shop-7:1"), resque("resque:workerslock:2", "shop-7:2"),
               token("flag:1", 20s, "locked"), token("flag:2", 20s, "locked")});
        m_panel->show();
        QTRY_COMPARE(m_tree->model()->rowCount(), 6);
        QVERIFY(names().contains(QStringLiteral("web · thread 1")));
        QCOMPARE(names().last(), QStringLiteral("Owners unknown"));
        group(OwnerGrouping::Process);
        QTRY_COMPARE(m_tree->model()->rowCount(), 5);
        QCOMPARE(cell(names().indexOf(QStringLiteral("web")), 2), QStringLiteral("2"));
        group(OwnerGrouping::Host);
        QTRY_COMPARE(m_tree->model()->rowCount(), 4);
        QCOMPARE(cell(names().indexOf(QStringLiteral("shop-7")), 2), QStringLiteral("2"));
        apply({}, {"resque:workerslock:1", "resque:workerslock:2"});
        QTRY_COMPARE(m_tree->model()->rowCount(), 3);
        // Its last lock changes hands.
        apply({redisson("order:3", a)});
        QTRY_COMPARE(m_tree->model()->rowCount(), 2);
        QCOMPARE(cell(names().indexOf(QStringLiteral("web")), 2), QStringLiteral("3"));
    }

    /// Who waits for two of its locks, or behind one of its own waiters, is one waiter.
    void theWorstComesFirst()
    {
        apply({redisson("fine", a), endless(redisson("endless", otherClient + ":5")),
               fair("x", d, {b, client + ":3"}), fair("y", d, {b}), fair("z", b, {client + ":3"})});
        m_panel->show();
        QTRY_COMPARE(m_tree->model()->rowCount(), 5);
        QCOMPARE(cell(0, 1), QStringLiteral("No expiry"));
        QCOMPARE(names().at(1), QString::fromLatin1(d));
        QCOMPARE(cell(1, 2), QStringLiteral("2"));
        QCOMPARE(cell(1, 4), QStringLiteral("2"));
        const auto row = names().indexOf(QStringLiteral("web · thread 2"));
        QCOMPARE(cell(row, 3), QStringLiteral("2"));
        m_tree->expand(m_tree->model()->index(1, 0));
        const QModelIndex owner = m_tree->model()->index(1, 0);
        QCOMPARE(owner.siblingAtColumn(2).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Held ") + owner.siblingAtColumn(2).data().toString());
        QVERIFY(owner.data(Qt::AccessibleTextRole).isNull()); // the name alone
        QCOMPARE(m_tree->model()->rowCount(owner), 2);
        QCOMPARE(m_tree->model()->index(0, 0, owner).data().toString(), QStringLiteral("x"));
        QSignalSpy chosen(m_panel.get(), &OwnersPanel::chosen);
        m_tree->setCurrentIndex(m_tree->model()->index(1, 0, owner));
        QCOMPARE(chosen.size(), 0);
        m_tree->setFocus();
        QTest::keyClick(m_tree, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<LockKey>(), LockKey("y"));
        // What is open and chosen follows its group.
        apply({fair("order:9", a, {"p:1", "p:2", "p:3", "p:4"})});
        QTRY_COMPARE(names().at(1), QStringLiteral("web · thread 1"));
        QVERIFY(m_tree->isExpanded(m_tree->model()->index(2, 0)));
        QCOMPARE(m_tree->currentIndex().data().toString(), QStringLiteral("y"));
    }

    /// However long this machine runs, or before it was started, as in a recording.
    void whoHoldsTheLongestComesFirst()
    {
        for (const std::chrono::hours since : {-400h, 1h, 600h, 5000h}) {
            WatchedLock before = redisson("order:1", a), after = redisson("order:2", d);
            before.heldSince = TimePoint(since);
            after.heldSince = TimePoint(since + 1h);
            apply({before, after});
            OwnerIndex index(*m_locks, m_clock, m_names);
            index.start(OwnerGrouping::Owner);
            QVERIFY(index.work(10s));
            const std::vector<const OwnerIndex::Group *> ranked = index.ranked(2);
            QCOMPARE(ranked.size(), size_t(2));
            QCOMPARE(ranked[0]->longest, LockKey("order:1"));
            QVERIFY(ranked[0]->order < ranked[1]->order);
        }
    }

    void anEmptyListSaysWhy()
    {
        m_panel->show();
        QTRY_COMPARE(toldInstead(*m_panel), QStringLiteral("No lock is known to be held or waited for."));
        apply({redisson("order:1", a)});
        QTRY_COMPARE(toldInstead(*m_panel), QString());
        m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("zzz"));
        QTRY_COMPARE(toldInstead(*m_panel), QStringLiteral("Nothing matches."));
        m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("order"));
        QTRY_COMPARE(toldInstead(*m_panel), QString());
        QCOMPARE(m_tree->model()->rowCount(), 1);
    }

    void aNarrowTreeHasRoomForNames()
    {
        apply({redisson("order:1", a)});
        m_panel->resize(1200, 400);
        m_panel->show();
        const auto isLeftOut = [this](OwnersModel::Column column) {
            return m_tree->isColumnHidden(int(column));
        };
        QTRY_VERIFY(!isLeftOut(OwnersModel::Column::WaitsFor));
        m_panel->resize(500, 400);
        QTRY_VERIFY(isLeftOut(OwnersModel::Column::WaitsFor));
        QVERIFY(!isLeftOut(OwnersModel::Column::Name));
        QVERIFY(m_tree->columnWidth(int(OwnersModel::Column::Name)) >= 100);
    }

    /// In a recording the locks of a moment are known before what is usual for them.
    void learnsWhatIsUnusual()
    {
        HoldTimes holds;
        m_locks->setHoldTimes(holds);
        WatchedLock longer = listenedTo(redisson("long", d), 1); // than usual: for 5 s
        apply({listenedTo(redisson("other", a), 3), longer});
        m_panel->show();
        QTRY_COMPARE(names().value(0), QStringLiteral("web · thread 1")); // more wait for it
        LockEvent end;
        end.kind = EventKind::Released;
        end.address.key = LockKey("long");
        end.held = 100ms;
        holds.add(QList<LockEvent>(HoldTimeStats::fewest, end));
        QSignalSpy applied(m_locks.get(), &LockTableModel::applied);
        QSignalSpy data(m_locks.get(), &LockTableModel::dataChanged);
        m_locks->followHoldTimes();
        QCOMPARE(applied.size(), 1);
        QCOMPARE(applied[0][0].value<LockDiff>().changed.size(), 1);
        QCOMPARE(data.size(), 1);
        QTRY_COMPARE(names().value(0), QString::fromLatin1(d));
        m_locks->followHoldTimes();
        QCOMPARE(applied.size(), 1);
    }

    /// With each renewal later; then time alone makes it so.
    void becomesStalled()
    {
        WatchedLock late = stalled("late", 19s);
        late.lock.owners.first().owner = OwnerId(a);
        WatchedLock fixed = fair("waited", d, {b});
        fixed.maxObservedTtl = 20s; // no watchdog's lease
        apply({late, fixed});
        late = stalled("late", 20s);
        late.lock.owners.first().owner = OwnerId(a);
        m_panel->show();
        QTRY_COMPARE(m_tree->model()->rowCount(), 3);
        apply({late});
        QCOMPARE(names().first(), QString::fromLatin1(d));
        m_clock.holdAt(now + 1s);
        apply({redisson("other", "x")}); // whatever was to be looked at again by then was, when this is there
        QTRY_COMPARE(m_tree->model()->rowCount(), 4);
        QCOMPARE(names().first(), QString::fromLatin1(d));
        m_clock.holdAt(now + 2s);
        QTRY_COMPARE(names().first(), QStringLiteral("web · thread 1"));
        QCOMPARE(cell(0, 1), QStringLiteral("Stalled"));
    }

    /// A recording is shown at an earlier moment, and the lock is the same.
    void isNotStalledBefore()
    {
        WatchedLock late = stalled("late", 20s), fixed = fair("waited", d, {b});
        late.lock.owners.first().owner = OwnerId(a);
        fixed.maxObservedTtl = 20s; // no watchdog's lease
        apply({late, fixed});
        OwnerIndex index(*m_locks, m_clock, m_names);
        index.start(OwnerGrouping::Owner);
        const auto firstAt = [&](TimePoint at) {
            m_clock.holdAt(at);
            return index.work(10s) ? index.ranked(1).front()->owner : OwnerId();
        };
        QCOMPARE(firstAt(now + 2s), OwnerId(a));
        QCOMPARE(firstAt(now), OwnerId(d));
        QCOMPARE(firstAt(now + 2s), OwnerId(a));
    }

    void tellsWhatACrashWouldLeave()
    {
        apply({redisson("order:1", a), endless(fair("order:2", a, {d})),
               fair("order:3", d, {b, otherClient + ":7"})});
        m_panel->show();
        group(OwnerGrouping::Process);
        choose(QStringLiteral("web"));
        QTRY_VERIFY2(said(QStringLiteral("unless another client renews: 1 lock(s).")),
                     qPrintable(m_panel->aftermath()));
        QVERIFY2(said(QStringLiteral("Stay until removed (no expiry): 1 lock(s) (order:2).")),
                 qPrintable(m_panel->aftermath()));
        QVERIFY(said(QStringLiteral("1 waiter(s) in their queues")) ||
                said(QStringLiteral("At least 1 waiter(s) in their queues")));
        QVERIFY(said(QStringLiteral("without limit")));
        QVERIFY(said(QStringLiteral("1 place(s) in wait queues")));
        QVERIFY(said(QStringLiteral("If this process crashed now:")));
        QVERIFY(said(QStringLiteral("Not known to be dead: ")));
        button(QStringLiteral("Copy"))->click();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("web\n")));
        apply({}, {"order:1", "order:2", "order:3"});
        QTRY_VERIFY2(said(QStringLiteral("It holds no known lock")), qPrintable(m_panel->aftermath()));
    }

    /// A process whose threads wait for each other.
    void aLockThatItHoldsAndWaitsForIsOne()
    {
        apply({fair("order:1", a, {b}), fair("order:2", d, {b, a})});
        m_panel->show();
        group(OwnerGrouping::Process);
        choose(QStringLiteral("web"));
        QTRY_VERIFY2(said(QStringLiteral("unless another client renews: 1 lock(s).")),
                     qPrintable(m_panel->aftermath()));
        QVERIFY2(said(QStringLiteral("3 place(s) in wait queues would")), qPrintable(m_panel->aftermath()));
        const int row = int(names().indexOf(QStringLiteral("web")));
        m_tree->expand(m_tree->model()->index(row, 0));
        QCOMPARE(m_tree->model()->rowCount(m_tree->model()->index(row, 0)), 3);
        std::optional<OwnerEnd> asked;
        connect(m_panel.get(), &OwnersPanel::endRequested, this,
                [&](const OwnerEnd &wanted) { asked = wanted; });
        button(QStringLiteral("Force-expire all…"))->click();
        QVERIFY(asked);
        QVERIFY(m_panel->aftermath().startsWith(asked->signs().sentence));
    }

    /// A host is never said to be dead since one of its processes is.
    void aHostSaysHowManyOfItsProcessesLive()
    {
        WatchedLock late = resque("resque:workerslock:2", "shop-7:2");
        late.renewals = 3;
        late.minRenewalShare = 170;
        late.lastRenewal = now - 18s;
        late.lock.ttl = milliseconds(12s);
        late.lock.deadline = Deadline{now + 12s, now + 12s};
        late.hasSeenAcquisition = false;
        WatchedLock quiet = resque("resque:workerslock:4", "shop-7:4");
        quiet.hasSeenAcquisition = false;
        apply({late, quiet, resque("resque:workerslock:3", "shop-7:3"),
               resque("resque:workerslock:1", "shop-7:1")});
        m_panel->show();
        group(OwnerGrouping::Host);
        choose(QStringLiteral("shop-7"));
        const QString counted =
            QStringLiteral("Processes: 1 of 3 with signs of life; 1 likely dead or paused; 1 "
                           "unknown; 1 owner ID(s) without one.");
        QTRY_VERIFY2(said(counted), qPrintable(m_panel->aftermath()));
        QVERIFY(said(QStringLiteral("Not known to be dead: ")));
        std::optional<OwnerEnd> asked;
        connect(m_panel.get(), &OwnersPanel::endRequested, this,
                [&](const OwnerEnd &wanted) { asked = wanted; });
        button(QStringLiteral("Force-expire all…"))->click();
        QVERIFY(asked);
        QVERIFY(asked->signs().sentence.startsWith(counted));
        QVERIFY(!asked->signs().isLikelyDead);
        // Of one process it is said as ever.
        group(OwnerGrouping::Process);
        choose(QStringLiteral("shop-7 2"));
        QTRY_VERIFY2(said(QStringLiteral("Likely dead: ")), qPrintable(m_panel->aftermath()));
        QVERIFY(!said(QStringLiteral("Processes: ")));
    }

    void nobodyInParticularIsNotReckoned()
    {
        apply({token("flag:1", 20s, "locked"), token("flag:2", 20s, "locked")});
        m_panel->show();
        choose(QStringLiteral("Owners unknown"));
        QTRY_VERIFY(said(QStringLiteral("different owners")));
        QVERIFY(!button(QStringLiteral("Force-expire all…"))->isEnabled());
        QVERIFY(button(QStringLiteral("Filter table"))->isEnabled());
    }

    void filtersAndEnds()
    {
        QString blocked = QStringLiteral("read-only");
        m_panel->setWhyBlocked([&blocked] { return blocked; });
        WatchedLock late = stalled("late");
        late.lastRenewal = now - 18s;
        late.hasSeenAcquisition = false;
        late.lock.owners.first().owner = OwnerId(a);
        WatchedLock quiet = redisson("quiet", a);
        quiet.hasSeenAcquisition = false;
        apply({late, quiet, redisson("other", d), fair("waited", d, {a})});
        CompanionState silent = *fair("waited", d, {"!" + a}).lock.companions;
        WatchedLock waited = fair("waited", d, {"!" + a});
        waited.lock.companions = CompanionStatePtr(silent);
        apply({waited});
        m_panel->show();
        auto *field = m_panel->findChild<QLineEdit *>();
        QTRY_COMPARE(m_tree->model()->rowCount(), 2);
        field->setText(QStringLiteral("QUIET"));
        QTRY_COMPARE(m_tree->model()->rowCount(), 1);
        choose(QStringLiteral("web · thread 1"));
        QTRY_VERIFY2(said(QStringLiteral("Likely dead: ")), qPrintable(m_panel->aftermath()));
        QPushButton *end = button(QStringLiteral("Force-expire all…"));
        QVERIFY(!end->isEnabled());
        QVERIFY(end->toolTip().contains(blocked));
        blocked.clear();
        QTRY_VERIFY(end->isEnabled());
        QSignalSpy filtered(m_panel.get(), &OwnersPanel::filterRequested);
        button(QStringLiteral("Filter table"))->click();
        QCOMPARE(filtered.size(), 1);
        QCOMPARE(filtered[0][1].value<QSet<LockKey>>(),
                 (QSet<LockKey>{LockKey("late"), LockKey("quiet"), LockKey("waited")}));
        std::optional<OwnerEnd> asked;
        connect(m_panel.get(), &OwnersPanel::endRequested, this,
                [&](const OwnerEnd &wanted) { asked = wanted; });
        end->click();
        QVERIFY(asked);
        QCOMPARE(asked->locks, (QList{LockKey("late"), LockKey("quiet")}));
        QVERIFY(asked->signs().isLikelyDead);
        // It acts while somebody is asked.
        apply({renewed(redisson("quiet", a))});
        QVERIFY(!asked->signs().isLikelyDead);
        QVERIFY(asked->isTheirs(quiet.lock, OwnerId(a)));
        QVERIFY(!asked->isTheirs(quiet.lock, OwnerId(d)));
    }

    /// What is said, and asked, of one owner is never said of the next.
    void anotherChoiceBeginsAnew()
    {
        WatchedLock late = stalled("late");
        late.lastRenewal = now - 18s;
        late.hasSeenAcquisition = false;
        late.lock.owners.first().owner = OwnerId(a);
        apply({late, redisson("other", d)});
        m_panel->show();
        choose(QStringLiteral("web · thread 1"));
        QTRY_VERIFY2(said(QStringLiteral("Likely dead: ")), qPrintable(m_panel->aftermath()));
        QPushButton *end = button(QStringLiteral("Force-expire all…"));
        QVERIFY(end->isEnabled());
        choose(QString::fromLatin1(d));
        QVERIFY(m_panel->aftermath().isEmpty());
        QVERIFY(!end->isEnabled());
        QTRY_VERIFY(said(QStringLiteral("Not known to be dead: ")));
        QVERIFY(end->isEnabled());
    }

    /// Whether a lock of a lost node was renewed is not known.
    void aLostNodeIsNoSign()
    {
        WatchedLock late = stalled("late");
        late.lastRenewal = now - 18s;
        late.hasSeenAcquisition = false;
        late.lock.owners.first().owner = OwnerId(a);
        apply({late});
        ClusterStatus cluster;
        NodeStatus lost;
        lost.confirmedAt = now - 60s;
        cluster.nodes = {lost};
        cluster.keepers = std::make_shared<const ClusterStatus::Keepers>(); // that one keeps all
        m_clock.setCluster(cluster);
        m_panel->show();
        choose(QStringLiteral("web · thread 1"));
        QTRY_VERIFY2(said(QStringLiteral("no sign seen")), qPrintable(m_panel->aftermath()));
        QCOMPARE(cell(0, 1), QString());
        NodeStatus back = lost;
        back.isCurrent = true;
        cluster.nodes = {back};
        m_clock.setCluster(cluster);
        apply({late});
        QTRY_VERIFY2(said(QStringLiteral("Likely dead: ")), qPrintable(m_panel->aftermath()));
        m_clock.setCluster({});
    }

    void nothingIsDoneWhileItIsHidden()
    {
        apply({redisson("order:1", a)});
        QCOMPARE(m_tree->model()->rowCount(), 0);
        m_panel->show();
        QTRY_COMPARE(m_tree->model()->rowCount(), 1);
        m_panel->hide();
        apply({redisson("order:2", d)});
        m_panel->show();
        QTRY_COMPARE(m_tree->model()->rowCount(), 2);
    }

    /// Many come, change hands and go: what is kept of them is what a new look finds.
    void growsAsALookAtAllWould()
    {
        OwnerIndex grown(*m_locks, m_clock, m_names), looked(*m_locks, m_clock, m_names);
        grown.start(OwnerGrouping::Process);
        quint32 random = 1;
        const auto next = [&random](quint32 below) {
            random = random * 1'664'525 + 1'013'904'223;
            return (random >> 8) % below;
        };
        connect(m_locks.get(), &LockTableModel::applied, this,
                [&](const LockDiff &diff) { grown.apply(diff); });
        for (int round = 0; round < 300; ++round) {
            const QByteArray key = "k" + QByteArray::number(next(20));
            const auto who = [&] {
                return QByteArray(next(2) ? client : otherClient) + ':' + QByteArray::number(next(3));
            };
            if (next(4) == 0)
                apply({}, {key});
            else
                apply({fair(key, who(), next(2) ? QList<QByteArray>{who()} : QList<QByteArray>())});
            if (round % 10 != 0)
                continue;
            QVERIFY(grown.work(10s));
            looked.start(OwnerGrouping::Process);
            QVERIFY(looked.work(10s));
            QCOMPARE(grown.size(), looked.size());
            for (const OwnerIndex::Group *group : looked.ranked(100)) {
                const OwnerIndex::Group *same = grown.find(group->whose);
                QVERIFY(same);
                const auto keys = [](const OwnerIndex::Group &of) {
                    QSet<LockKey> all;
                    for (const OwnerIndex::Held &held : of.held)
                        all.insert(held.key);
                    return all;
                };
                QCOMPARE(keys(*same), keys(*group));
                QCOMPARE(same->held.size(), group->held.size());
                QCOMPARE(QSet<LockKey>(same->waits.begin(), same->waits.end()),
                         QSet<LockKey>(group->waits.begin(), group->waits.end()));
                QCOMPARE(same->behind.count, group->behind.count);
                QCOMPARE(same->order, group->order);
            }
        }
        m_locks->disconnect(this);
    }

private:
    static WatchedLock fair(const QByteArray &key, const QByteArray &owner, const QList<QByteArray> &queue)
    {
        return queued(redisson(key, owner, "redisson-fair"_family), queue);
    }
    static WatchedLock resque(const QByteArray &key, const QByteArray &owner)
    {
        WatchedLock lock = token(key, 20s, owner);
        lock.lock.family = "node-resque-leader"_family;
        return lock;
    }
    void apply(const QList<WatchedLock> &changed, const QList<QByteArray> &removed = {})
    {
        m_locks->apply(changes(changed, removed));
    }
    void group(OwnerGrouping by) { m_panel->findChild<QComboBox *>()->setCurrentIndex(int(by)); }
    void choose(const QString &name)
    {
        QTRY_VERIFY(names().contains(name));
        m_tree->setCurrentIndex(m_tree->model()->index(int(names().indexOf(name)), 0));
    }
    QStringList names() const
    {
        QStringList all;
        for (int row = 0; row < m_tree->model()->rowCount(); ++row)
            all << cell(row, 0);
        return all;
    }
    QString cell(qsizetype row, int column) const
    {
        return m_tree->model()->index(int(row), column).data().toString();
    }
    bool said(const QString &text) const { return m_panel->aftermath().contains(text); }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *candidate : m_panel->findChildren<QPushButton *>()) {
            if (candidate->text() == text)
                return candidate;
        }
        return nullptr;
    }

    DisplayClock m_clock;
    OwnerNames m_names;
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<OwnersPanel> m_panel;
    QTreeView *m_tree = nullptr;
};

QTEST_MAIN(OwnersPanelTest)
#include "tst_ownerspanel.moc"
