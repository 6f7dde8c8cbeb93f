// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockintake.h"

#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

namespace {

Inspection reading(const QByteArray &key, const QByteArray &owner)
{
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = "token"_family;
    lock.type = KeyType::String;
    lock.owners = {{OwnerId(owner), {}, {}}};
    return {lock.key(), lock};
}

struct Desk
{
    MonitorOptions options;
    LockStore locks;
    KeyNameFilter names{options.patterns};
    LockIntake intake{locks, names, options};

    void take(const Inspection &inspection) { intake.take(inspection, Clock::now(), false, false); }
};

} // namespace

class LockIntakeTest : public QObject
{
    Q_OBJECT

private slots:
    void leavesOutWhatThereIsNoRoomFor()
    {
        Desk desk;
        desk.options.maxLocks = 2;
        for (const char *key : {"a", "b", "c"})
            desk.take(reading(key, "web-1"));
        QCOMPARE(desk.locks.size(), 2);
        const auto why = desk.intake.takeOverfull();
        QVERIFY(why);
        QCOMPARE(why->kind, ErrorKind::TooManyLocks);
        QVERIFY(!desk.intake.takeOverfull());
        desk.take(reading("a", "web-2")); // one that is held is kept up to date
        QVERIFY(!desk.intake.takeOverfull());
        QCOMPARE(desk.locks.find(LockKey("a"))->lock.owners[0].owner, OwnerId("web-2"));
    }

    void namesThemByTheRules()
    {
        Desk desk;
        desk.options.rules = {{"my:*", "symfony"_family}};
        desk.take(reading("my:a", "web-1"));
        desk.take(reading("your:a", "web-1"));
        QCOMPARE(desk.locks.find(LockKey("my:a"))->lock.family, "symfony"_family);
        QCOMPARE(desk.locks.find(LockKey("your:a"))->lock.family, "token"_family);
    }

    void knowsWhatMayBeAnActionsWork()
    {
        Desk desk;
        const Inspection held = reading("a", "web-1"), gone{LockKey("a"), std::nullopt};
        desk.take(held);
        desk.intake.beginAction(LockKey("a"));
        desk.intake.beginAction(LockKey("a"));
        QVERIFY(desk.intake.isOfAction(gone));
        QVERIFY(desk.intake.isOfAction(reading("a", "web-2")));
        QVERIFY(!desk.intake.isOfAction(held));
        QVERIFY(!desk.intake.isOfAction({LockKey("b"), std::nullopt}));
        desk.intake.actionEnded(LockKey("a"));
        QVERIFY(desk.intake.isOfAction(gone));
        desk.intake.actionEnded(LockKey("a"));
        QVERIFY(!desk.intake.isOfAction(gone));
    }
};

QTEST_GUILESS_MAIN(LockIntakeTest)
#include "tst_lockintake.moc"
