// SPDX-License-Identifier: GPL-3.0-or-later
// What takes an action back, and what nothing does.
#include "core/act/undo.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint now = TimePoint(24h);

Lock heldLock(Family family, const QList<LockOwner> &owners, std::optional<milliseconds> left = 20s)
{
    Lock lock;
    lock.address.key = LockKey("lock:a");
    lock.family = family;
    lock.owners = owners;
    if (left)
        lock.deadline = Deadline{now + *left, now + *left};
    return lock;
}

const LockOwner once{OwnerId("x"), "1", 1};
const LockOwner twice{OwnerId("x"), "2", 2};

ActionRequest requestOn(const Lock &seen, Action action)
{
    ActionRequest request;
    request.action = action;
    request.family = seen.family;
    request.key = seen.key();
    request.owner = seen.owners.first().owner;
    request.expected = seen.owners;
    request.seen = seen;
    return request;
}

std::optional<ActionRequest> undo(const ActionRequest &request, Outcome outcome)
{
    ActionResult result;
    result.action = request.action;
    result.key = request.key;
    result.outcome = outcome;
    return undoOf(request, result, now);
}

} // namespace

class UndoTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void anAcquisitionIsReleased()
    {
        const auto back =
            undo(requestOn(heldLock("token"_family, {once}), Action::Acquire), Outcome::Acquired);
        QVERIFY(back);
        QCOMPARE(back->action, Action::Release);
        QCOMPARE(back->owner, OwnerId("x"));
        QCOMPARE(back->consent.kind, Consent::None); // what asks has to ask
    }

    void whatEndedIsAcquiredForTheTimeThatWasLeft()
    {
        for (const auto &[action, outcome] : {std::pair(Action::Release, Outcome::Released),
                                              std::pair(Action::ForceExpire, Outcome::Expired)}) {
            const auto back = undo(requestOn(heldLock("reentrant"_family, {once}), action), outcome);
            QVERIFY(back);
            QCOMPARE(back->action, Action::Acquire);
            QCOMPARE(back->lease->value(), 20s);
        }
    }

    void someHaveNoWayBack()
    {
        const auto none = [](const ActionRequest &request, Outcome outcome) {
            return !undo(request, outcome).has_value();
        };
        const Lock lock = heldLock("reentrant"_family, {once});
        // Nothing was done, or nobody knows.
        for (const Outcome outcome : {Outcome::AlreadyGone, Outcome::OwnerChanged, Outcome::Unknown,
                                      Outcome::NotHeld, Outcome::HeldByOther})
            QVERIFY(none(requestOn(lock, Action::ForceExpire), outcome));
        // Held twice, or by several: an acquisition is none of that.
        QVERIFY(
            none(requestOn(heldLock("reentrant"_family, {twice}), Action::ForceExpire), Outcome::Expired));
        QVERIFY(none(requestOn(heldLock("reentrant"_family, {once, {OwnerId("y"), "1", 1}}), Action::Release),
                     Outcome::Released));
        // Without an expiry, or with none left.
        QVERIFY(none(requestOn(heldLock("token"_family, {once}, std::nullopt), Action::Release),
                     Outcome::Released));
        QVERIFY(none(requestOn(heldLock("token"_family, {once}, 0ms), Action::Release), Outcome::Released));
        // The owner may have renewed it, or released the rest.
        QVERIFY(none(requestOn(lock, Action::Extend), Outcome::Extended));
        QVERIFY(none(requestOn(heldLock("reentrant"_family, {twice}), Action::Release), Outcome::Unwound));
        // Of a library that nobody else acquires for.
        QVERIFY(none(requestOn(heldLock("bull"_family, {once}), Action::ForceExpire), Outcome::Expired));
        ActionRequest later = requestOn(lock, Action::ForceExpire);
        later.grace = 10s;
        QVERIFY(none(later, Outcome::Expired));
    }
};

QTEST_GUILESS_MAIN(UndoTest)
#include "tst_undo.moc"
