// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertlist.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

using What = AlertWatch::Change::What;
using Notice = AlertList::Notice;

const TimePoint start = TimePoint() + 1000h;
constexpr qint64 wallStart = 1'700'000'000'000;
constexpr qint64 minute = 60'000;

Alert alertOf(quint64 number, AlertKind kind, const QByteArray &key, const QByteArray &owner = "me",
              TimePoint at = start)
{
    Alert alert;
    alert.number = number;
    alert.kind = kind;
    alert.key = LockKey(key);
    if (!owner.isEmpty())
        alert.owners.append({OwnerId(owner), "1", 1});
    alert.raisedAt = at;
    return alert;
}

AlertWatch::Change raised(const Alert &alert)
{
    return {alert.times > 1 ? What::RaisedAgain : What::Raised, alert};
}

AlertWatch::Change ended(Alert alert, TimePoint at)
{
    alert.endedAt = at;
    return {What::Ended, alert};
}

/// Feeds a list, at moments that are counted in milliseconds from the start.
struct Desk
{
    AlertList list;
    qint64 at = 0;

    qint64 wall() const { return wallStart + at; }
    TimePoint now() const { return start + milliseconds(at); }
    void take(const QList<AlertWatch::Change> &changes) { list.take(changes, now(), wall()); }
    void pass(qint64 ms)
    {
        at += ms;
        list.advance(wall());
    }
    /// "+1 -2": who should be told of, and who no more.
    QString notices()
    {
        QStringList all;
        for (const auto &[what, alert] : list.takeNotices())
            all << (what == Notice::What::Tell ? u'+' : u'-') + QString::number(alert.number);
        return all.join(u' ');
    }
    QString order() const
    {
        QStringList all;
        for (const AlertList::Entry &entry : list.entries())
            all << QString::number(entry.alert.number);
        return all.join(u' ');
    }
};

} // namespace

class TstAlertList : public QObject
{
    Q_OBJECT

private slots:
    void theWorstAndOldestComesFirst()
    {
        Desk desk;
        desk.at = 10'000;
        const Alert late = alertOf(1, AlertKind::NoExpiry, "a", "me", start + 5s);
        const Alert early = alertOf(2, AlertKind::NoExpiry, "b", "me", start + 1s);
        const Alert worst = alertOf(3, AlertKind::Deadlock, "c", {}, start + 9s);
        const Alert light = alertOf(4, AlertKind::ManyWaiters, "d");
        desk.take({raised(late), raised(early), raised(worst), raised(light)});
        QCOMPARE(desk.order(), QStringLiteral("3 2 1 4"));
        QCOMPARE(desk.notices(), QStringLiteral("+3 +1 +2 +4"));
        QCOMPARE(desk.list.find(2)->raisedMs, wallStart + 1000);
        // Those that ended come below, the last end first.
        desk.take({ended(early, start + 6s), ended(worst, start + 8s)});
        QCOMPARE(desk.order(), QStringLiteral("1 4 3 2"));
        QCOMPARE(desk.list.find(3)->endedMs, wallStart + 8000);
        QCOMPARE(desk.list.open(), 2);
    }

    void whatIsAcknowledgedIsQuietUntilItEnds()
    {
        Desk desk;
        Alert alert = alertOf(1, AlertKind::NoExpiry, "a");
        desk.take({raised(alert), raised(alertOf(2, AlertKind::NoExpiry, "b"))});
        QCOMPARE(desk.list.unattended(), 2);
        desk.notices();
        desk.at = 3000;
        desk.list.acknowledge({1}, desk.wall());
        QCOMPARE(desk.list.find(1)->acknowledgedMs, wallStart + 3000);
        QVERIFY(desk.list.find(1)->isOpen() && desk.list.find(1)->isQuiet());
        QCOMPARE(desk.list.unattended(), 1);
        QCOMPARE(desk.list.open(), 2);
        QCOMPARE(desk.notices(), QStringLiteral("-1"));
        desk.take({ended(alert, start + 4s)});
        QCOMPARE(desk.list.find(1)->acknowledgedMs, 0);
        QCOMPARE(desk.notices(), QString());
        alert.times = 2;
        alert.raisedAt = start + 5s;
        desk.take({raised(alert)});
        QCOMPARE(desk.notices(), QStringLiteral("+1")); // nobody looks at this one
        QCOMPARE(desk.list.unattended(), 2);
    }

    void anotherOwnerIsToldAnew()
    {
        Desk desk;
        Alert alert = alertOf(1, AlertKind::HeldTooLong, "a");
        desk.take({raised(alert)});
        QCOMPARE(desk.notices(), QStringLiteral("+1"));
        Alert next = alertOf(1, AlertKind::HeldTooLong, "a", "you", start + 1s);
        next.times = 2;
        desk.take({ended(alert, start + 1s), raised(next)});
        QCOMPARE(desk.notices(), QStringLiteral("-1 +1"));
        desk.list.acknowledge({1}, desk.wall());
        QCOMPARE(desk.notices(), QStringLiteral("-1"));
    }

    void aResetStaysUntilSomebodyLooks()
    {
        Desk desk;
        Alert reset = alertOf(1, AlertKind::Reset, {}, {});
        reset.endedAt = start;
        desk.take({raised(reset)});
        for (quint64 number = 2; number < 2 + 2 * AlertList::maxEnded; ++number) {
            const Alert alert = alertOf(number, AlertKind::NoExpiry, "a");
            desk.take({raised(alert), ended(alert, start + 1s)});
        }
        QVERIFY(desk.list.find(1));
        QCOMPARE(desk.list.entries().size(), AlertList::maxEnded + 1);
    }

    void aSnoozeRunsOut()
    {
        Desk desk;
        desk.take({raised(alertOf(1, AlertKind::HeldTooLong, "a")),
                   raised(alertOf(2, AlertKind::HeldTooLong, "b"))});
        desk.notices();
        desk.list.snooze({1}, desk.wall() + 15 * minute, desk.wall());
        QCOMPARE(*desk.list.find(1)->snoozedUntilMs, wallStart + 15 * minute);
        QCOMPARE(desk.notices(), QStringLiteral("-1"));
        // Also of the next owner who holds it too long.
        desk.take({ended(alertOf(1, AlertKind::HeldTooLong, "a"), start),
                   raised(alertOf(3, AlertKind::HeldTooLong, "a", "you"))});
        QCOMPARE(desk.notices(), QString());
        desk.pass(15 * minute - 1);
        QCOMPARE(desk.notices(), QString());
        desk.pass(1);
        QCOMPARE(desk.notices(), QStringLiteral("+3"));
        QVERIFY(desk.list.snoozes().isEmpty());
    }

    void untilItEnds()
    {
        Desk desk;
        const Alert alert = alertOf(1, AlertKind::HeldTooLong, "a");
        desk.take({raised(alert)});
        desk.list.snooze({1}, AlertSnooze::untilItEnds, desk.wall());
        desk.notices();
        desk.pass(60 * minute);
        QVERIFY(desk.list.find(1)->isQuiet());
        // A window that is started anew does not tell of the same hold, but of another one.
        Desk next{AlertList(desk.list.snoozes()), desk.at};
        next.take({raised(alertOf(7, AlertKind::HeldTooLong, "a")),
                   raised(alertOf(8, AlertKind::HeldTooLong, "a", "you"))});
        QCOMPARE(next.notices(), QStringLiteral("+8"));
        // It may have ended unseen: no longer than a day.
        next.pass(24 * 60 * minute);
        QCOMPARE(next.notices(), QStringLiteral("+7"));
        desk.take({ended(alert, desk.now())});
        QVERIFY(desk.list.snoozes().isEmpty());
        desk.take({raised(alertOf(2, AlertKind::HeldTooLong, "a"))});
        QCOMPARE(desk.notices(), QStringLiteral("+2"));
    }

    void rulesAndLocksAreSnoozed()
    {
        Desk desk;
        Alert deadlock = alertOf(1, AlertKind::Deadlock, "x", {});
        deadlock.cycle = {LockKey("x"), LockKey("a")};
        desk.take({raised(deadlock), raised(alertOf(2, AlertKind::NoExpiry, "a")),
                   raised(alertOf(3, AlertKind::NoExpiry, "b"))});
        desk.notices();
        desk.list.snoozeRule(AlertKind::NoExpiry, desk.wall() + minute, desk.wall());
        QCOMPARE(desk.notices(), QStringLiteral("-2 -3"));
        desk.list.snoozeLock(LockKey("a"), desk.wall() + 2 * minute, desk.wall());
        QCOMPARE(desk.notices(), QStringLiteral("-1"));
        QCOMPARE(*desk.list.find(2)->snoozedUntilMs, wallStart + 2 * minute); // of several the last end
        desk.pass(minute);
        QCOMPARE(desk.notices(), QStringLiteral("+3"));
        desk.list.endSnoozes({desk.list.snoozes().last()}, desk.wall());
        QCOMPARE(desk.notices(), QStringLiteral("+1 +2"));
        desk.list.snooze({1, 2, 3}, desk.wall() + minute, desk.wall());
        desk.notices();
        desk.list.endSnoozes(desk.list.snoozes(), desk.wall()); // its own, too
        QVERIFY(desk.list.snoozes().isEmpty());
        QCOMPARE(desk.notices(), QStringLiteral("+1 +2 +3"));
    }

    void eachStepIsTakenBack()
    {
        Desk desk;
        const Alert second = alertOf(2, AlertKind::NoExpiry, "b");
        desk.take({raised(alertOf(1, AlertKind::NoExpiry, "a")), raised(second)});
        QVERIFY(!desk.list.canUndo());
        desk.list.acknowledge({1, 1, 99}, desk.wall());
        desk.list.snooze({1, 2}, desk.wall() + minute, desk.wall());
        desk.list.acknowledge({1}, desk.wall() + 1); // is already: no step
        desk.list.acknowledge({2}, desk.wall());
        desk.notices();
        desk.take({ended(second, start)});
        desk.list.undo(desk.wall()); // of the last step nothing is left: the one before
        QVERIFY(desk.list.snoozes().isEmpty());
        QVERIFY(desk.list.find(1)->acknowledgedMs != 0);
        QVERIFY(desk.list.canUndo());
        desk.list.undo(desk.wall());
        QCOMPARE(desk.list.find(1)->acknowledgedMs, 0);
        QCOMPARE(desk.notices(), QStringLiteral("+1"));
        QVERIFY(!desk.list.canUndo());
        desk.list.undo(desk.wall());
        desk.list.acknowledge({1}, desk.wall());
        desk.list.unacknowledge({1}, desk.wall());
        QCOMPARE(desk.list.unattended(), 1);
    }

    /// Over at once, and yet nobody may miss it.
    void aResetIsOpenUntilItIsAcknowledged()
    {
        Desk desk;
        Alert reset = alertOf(1, AlertKind::Reset, {}, {});
        reset.resetOf = ServerReset();
        reset.endedAt = start;
        desk.take({raised(reset)});
        QCOMPARE(desk.list.unattended(), 1);
        QCOMPARE(desk.notices(), QStringLiteral("+1"));
        desk.list.snooze({1}, AlertSnooze::untilItEnds,
                         desk.wall()); // it has: of those to come nothing is said
        QVERIFY(desk.list.snoozes().isEmpty());
        desk.list.acknowledge({1}, desk.wall());
        QCOMPARE(desk.list.open(), 0);
        QCOMPARE(desk.notices(), QStringLiteral("-1"));
    }

    void whyItIsNotOpenAnyMore()
    {
        Desk desk;
        const Alert alert = alertOf(1, AlertKind::NoExpiry, "a");
        desk.take({raised(alert)});
        desk.list.take({ended(alert, start)}, desk.now(), desk.wall(),
                       [](const Alert &) { return AlertList::End::Unwatched; });
        QCOMPARE(desk.list.find(1)->end, AlertList::End::Unwatched);
        desk.take({raised(alert)});
        desk.take({ended(alert, start)});
        QCOMPARE(desk.list.find(1)->end, AlertList::End::Over);
    }

    void itIsBounded()
    {
        Desk desk;
        constexpr int more = 20;
        for (quint64 number = 1; number <= AlertList::maxEnded + more; ++number) {
            const Alert alert = alertOf(number, AlertKind::NoExpiry, QByteArray::number(number));
            desk.at += 1;
            desk.take({raised(alert)});
            desk.take({ended(alert, desk.now())});
        }
        QCOMPARE(desk.list.entries().size(), AlertList::maxEnded);
        QVERIFY(!desk.list.find(more));
        QVERIFY(desk.list.find(more + 1));
        for (int i = 0; i < AlertList::maxSnoozes; ++i)
            QVERIFY(desk.list.snoozeLock(LockKey(QByteArray::number(i)), desk.wall() + minute, desk.wall()));
        // One more is refused: none that was made is dropped for it.
        QVERIFY(!desk.list.snoozeLock(LockKey("more"), desk.wall() + minute, desk.wall()));
        QCOMPARE(desk.list.snoozes().size(), AlertList::maxSnoozes);
        QCOMPARE(desk.list.snoozes().first().key, LockKey("0"));
    }

    /// What an earlier run kept tells no owner's id; and a clock that was set back makes no snooze longer.
    void whatIsKept()
    {
        Desk desk;
        desk.take({raised(alertOf(1, AlertKind::HeldTooLong, "a", "secret-owner"))});
        desk.list.snooze({1}, AlertSnooze::untilItEnds, desk.wall());
        QVERIFY(!desk.list.snoozes().first().subject.contains("secret"));
        AlertSnooze far{
            AlertSnooze::Of::Rule, AlertKind::NoExpiry, {}, {}, wallStart + 1'000'000 * minute, wallStart};
        Desk next{AlertList({far})};
        next.pass(0);
        QCOMPARE(next.list.snoozes().first().untilMs, wallStart + 24 * 60 * minute);
    }
};

QTEST_GUILESS_MAIN(TstAlertList)
#include "tst_alertlist.moc"
