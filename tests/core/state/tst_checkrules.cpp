// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/checkrules.h"

#include <QtTest>

using namespace lockscope;
using Rule = CheckFinding::Rule;

namespace {

constexpr qint64 start = 1'700'000'000'000;

Lock lockOf(const QByteArray &key, Problems problems = {})
{
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = plainToken();
    lock.owners.append({OwnerId("me"), "1", 1});
    lock.deadline = Deadline{TimePoint(), TimePoint()};
    lock.problems = problems;
    return lock;
}

Lock withoutExpiry(Lock lock)
{
    lock.deadline = {};
    return lock;
}

Lock waitedFor(const QByteArray &key, WaiterCertainty certainty, qint64 count)
{
    Lock lock = lockOf(key);
    CompanionState companions;
    companions.waiters.certainty = certainty;
    companions.waiters.count = count;
    lock.companions = CompanionStatePtr(companions);
    return lock;
}

CheckRules rulesWith(bool problems, bool noExpiry)
{
    CheckRules rules;
    rules.problems = problems;
    rules.noExpiry = noExpiry;
    return rules;
}

/// "rule key" of each.
QByteArrayList named(const CheckResult &result)
{
    QByteArrayList lines;
    for (const CheckFinding &finding : result.findings) {
        const QByteArray rule = finding.rule == Rule::Problem   ? problemName(finding.problem)
                                : finding.rule == Rule::MaxHeld ? QByteArray("held")
                                                                : QByteArray("waiters");
        lines.append(rule + ' ' + finding.lock.key().bytes);
    }
    return lines;
}

} // namespace

class TestCheckRules : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void problemsAreThoseOfTheModel()
    {
        const QList<Lock> locks{lockOf("a"), lockOf("b", Problem::DeadWaiter | Problem::Deadlock),
                                withoutExpiry(lockOf("c", Problem::NoExpiry)), withoutExpiry(lockOf("d"))};
        const CheckResult all = applyRules(rulesWith(true, false), locks, nullptr, start);
        QCOMPARE(named(all), (QByteArrayList{"dead-waiter b", "deadlock b", "no-expiry c"}));
        QCOMPARE(all.withoutExpiry, 1);
        CheckRules open = rulesWith(true, false);
        open.openExpiry = true;
        QCOMPARE(applyRules(open, locks, nullptr, start).open.size(), 1);
        const CheckResult expiry = applyRules(rulesWith(false, true), locks, nullptr, start);
        QCOMPARE(named(expiry), (QByteArrayList{"no-expiry c", "no-expiry d"}));
        const CheckResult both = applyRules(rulesWith(true, true), locks, nullptr, start);
        QCOMPARE(named(both), (QByteArrayList{"dead-waiter b", "deadlock b", "no-expiry c", "no-expiry d"}));
        QCOMPARE(both.withoutExpiry, 0);
    }

    /// A hash whose fields may have TTLs that can't be asked for; a queue without its lock.
    void anUnknownExpiryIsNoFinding()
    {
        Lock unknown = withoutExpiry(lockOf("a"));
        unknown.leaseOf = LeaseOf::Unknown;
        Lock queue = withoutExpiry(lockOf("b"));
        queue.owners.clear();
        QCOMPARE(named(applyRules(rulesWith(false, true), {unknown, queue}, nullptr, start)),
                 QByteArrayList());
    }

    void countsAreComparedWithWhatIsKnown()
    {
        const QList<Lock> locks{
            waitedFor("a", WaiterCertainty::Exact, 3), waitedFor("b", WaiterCertainty::Exact, 2),
            waitedFor("c", WaiterCertainty::AtLeast, 3), waitedFor("d", WaiterCertainty::AtLeast, 2),
            waitedFor("e", WaiterCertainty::Unknown, 99)};
        CheckRules rules;
        rules.maxWaiters = 2;
        const CheckResult result = applyRules(rules, locks, nullptr, start);
        QCOMPARE(named(result), (QByteArrayList{"waiters a", "waiters c"}));
        QCOMPARE(result.waitersAtLeast, 1);
        QCOMPARE(result.waitersUnknown, 1);
    }

    void heldIsLongerThanTheLimit()
    {
        HoldLog memory("s");
        memory.record({lockOf("a")}, start, true);
        CheckRules rules;
        rules.maxHeld = milliseconds(1000);
        const QList<Lock> locks{lockOf("a"), lockOf("b")};
        QCOMPARE(named(applyRules(rules, locks, &memory, start + 1000)), QByteArrayList());
        const CheckResult late = applyRules(rules, locks, &memory, start + 1001);
        QCOMPARE(named(late), QByteArrayList{"held a"});
        QCOMPARE(late.findings.first().held.hold.sinceMs, start);
        QCOMPARE(named(applyRules(rules, locks, nullptr, start + 9999)), QByteArrayList());
    }

    void whatAHolderHasStoredIsHeldToo()
    {
        const auto since = [](const QByteArray &key, qint64 ms, bool isTry = false) {
            Lock lock = lockOf(key);
            OwnerFacts facts;
            facts.sinceMs = ms;
            facts.sinceIsTry = isTry;
            lock.owners.first().recorded = SharedValue(facts);
            return lock;
        };
        CheckRules rules;
        rules.maxHeld = milliseconds(1000);
        QList<Lock> locks{since("a", start - 1001),
                          since("b", start - 1000),
                          since("c", start + 5000),
                          since("d", start - 5000, true),
                          since("e", 1),
                          since("f", start - 3000)};
        Lock two = locks.first();
        two.address.key = LockKey("g");
        two.owners.prepend(lockOf("g").owners.first());
        locks.append(two);
        const CheckResult alone = applyRules(rules, locks, nullptr, start);
        QCOMPARE(named(alone), (QByteArrayList{"held a", "held f", "held g"}));
        QCOMPARE(alone.findings.first().held.hold, (HoldLog::Hold{start - 1001, 0}));
        // The checks saw it earlier: they need no clock of another.
        HoldLog memory("s");
        memory.record({lockOf("a")}, start - 2000, true);
        const CheckResult seen = applyRules(rules, {locks.first()}, &memory, start);
        QCOMPARE(seen.findings.first().held.hold, (HoldLog::Hold{start - 2000, 1}));
    }
};

QTEST_GUILESS_MAIN(TestCheckRules)
#include "tst_checkrules.moc"
