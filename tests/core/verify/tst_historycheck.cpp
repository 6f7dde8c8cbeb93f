// SPDX-License-Identifier: GPL-3.0-or-later
// Histories of a lock: seeded violations are found with the events that show them, and right histories with unknown outcomes
// are never called violated.
#include "tests/core/verify/historytruth.h"

#include <QtTest>

#include <map>
#include <random>

using namespace historytruth;
using namespace lockscope;

using Reason = LockCheck::Reason;
using Verdict = LockCheck::Verdict;

namespace {

constexpr int seededViolations = 500;
constexpr int rightHistories = 500;

/// A history that is written down operation by operation, each of which takes a moment.
class Writer
{
public:
    explicit Writer(std::mt19937 &random, int capacity = 0) : m_random(random) { m_lock.capacity = capacity; }

    LockOperation &add(int process, Kind kind, Outcome outcome = Outcome::Ok)
    {
        LockOperation operation{.kind = kind, .outcome = outcome, .process = process, .owner = process};
        operation.invokedAt = m_now + 1 + draw(3);
        m_now = operation.invokedAt + draw(3);
        if (outcome == Outcome::Ok)
            operation.endedAt = m_now;
        m_lock.operations.push_back(operation);
        return m_lock.operations.back();
    }
    void cycle(int process)
    {
        add(process, Kind::Acquire);
        add(process, Kind::Release);
    }
    int draw(int n) { return int(m_random() % unsigned(n)); }
    qint64 now() const { return m_now; }
    const VerifiedLock &lock() const { return m_lock; }

private:
    std::mt19937 &m_random;
    VerifiedLock m_lock{.key = "lock"};
    qint64 m_now = 0;
};

struct Seeded
{
    VerifiedLock lock;
    LockModel model;
    QList<Reason> reasons;
};

/// A right begin, a violation of one of ten sorts, and what may follow.
Seeded seeded(int number, std::mt19937 &random)
{
    Writer writer(random, 2);
    const int sort = number % 10;
    constexpr LockModel models[] = {
        LockModel::Mutex, LockModel::Mutex,     LockModel::Reentrant, LockModel::Fenced, LockModel::Fenced,
        LockModel::Fair,  LockModel::ReadWrite, LockModel::Permits,   LockModel::Mutex,  LockModel::Mutex};
    const LockModel model = models[sort];
    if (writer.draw(2) == 0 && model != LockModel::Fenced)
        writer.cycle(2 + writer.draw(2));
    if (writer.draw(2) == 0)
        writer.add(3, Kind::Acquire, Outcome::Failed);
    const auto acquire = [&](int process, Mode mode = Mode::Any) {
        writer.add(process, Kind::Acquire).mode = mode;
    };
    QList<Reason> reasons;
    switch (sort) {
    case 0: // two owners at once
        acquire(0);
        acquire(1);
        reasons = {Reason::Overlap};
        break;
    case 1: // released by one that does not hold it
        acquire(0);
        writer.add(1, Kind::Release);
        reasons = {Reason::NotHeld, Reason::ForeignRelease};
        break;
    case 2: // acquired twice, released once
        acquire(0);
        acquire(0);
        writer.add(0, Kind::Release);
        acquire(1);
        reasons = {Reason::Overlap};
        break;
    case 3: // a token that does not rise
        writer.add(0, Kind::Acquire).token = 7;
        writer.add(0, Kind::Release);
        writer.add(1, Kind::Acquire).token = 6 + writer.draw(2);
        reasons = {Reason::TokenNotRising};
        break;
    case 4: // a stale write
        writer.add(0, Kind::Acquire).lease = 1;
        writer.add(1, Kind::Acquire).token = 2;
        writer.add(1, Kind::Write).token = 2;
        writer.add(0, Kind::Write).token = 1;
        reasons = {Reason::StaleWrite};
        break;
    case 5: { // overtaken
        acquire(2);
        const size_t waiting = writer.lock().operations.size();
        LockOperation &first = writer.add(0, Kind::Acquire);
        first.queuedAt = first.endedAt;
        writer.add(2, Kind::Release);
        acquire(1);
        writer.add(1, Kind::Release);
        const qint64 end = writer.now() + 1;
        VerifiedLock lock = writer.lock();
        lock.operations[waiting].endedAt = end;
        return {lock, model, {Reason::Overtaken}};
    }
    case 6: // a reader beside a writer
        acquire(0, number % 20 < 10 ? Mode::Read : Mode::Write);
        acquire(1, number % 20 < 10 ? Mode::Write : Mode::Read);
        reasons = {Reason::ReaderWithWriter};
        break;
    case 7: // one permit too many
        acquire(0);
        acquire(1);
        acquire(2);
        reasons = {Reason::TooManyPermits};
        break;
    case 8: // within the lease
        writer.add(0, Kind::Acquire).lease = 100;
        writer.add(0, Kind::Extend).lease = 50;
        acquire(1);
        reasons = {Reason::Overlap};
        break;
    default: // acquired again
        acquire(0);
        acquire(0);
        reasons = {Reason::AcquiredTwice};
        break;
    }
    if (writer.draw(2) == 0)
        writer.add(0, Kind::Release);
    return {writer.lock(), model, reasons};
}

/// A history of a lock that keeps its promise: what takes effect does so at one moment, of which a process knows the time
/// before and the time after, or only the time before.
VerifiedLock rightHistory(LockModel model, std::mt19937 &random, int operations, bool hasUnknown = true)
{
    constexpr int processes = 5;
    VerifiedLock lock{.key = "lock", .capacity = 2};
    struct Held
    {
        int owner;
        Mode mode;
        int count;
        qint64 until;
    };
    std::vector<Held> held;
    std::vector<qint64> free(processes, 0);
    qint64 now = 0, token = 0;
    const auto draw = [&random](int n) { return int(random() % unsigned(n)); };
    const bool isReentrant = model != LockModel::Mutex && model != LockModel::Permits;
    for (int i = 0; i < operations; ++i) {
        now += 1 + draw(10);
        const int process = draw(processes);
        if (free[size_t(process)] > now)
            continue;
        std::erase_if(held, [now](const Held &each) { return each.until <= now; });
        const auto own = std::ranges::find(held, process, &Held::owner);
        LockOperation operation{.process = process, .owner = process};
        operation.kind = own == held.end()             ? Kind::Acquire
                         : isReentrant && draw(3) == 0 ? Kind::Acquire
                         : draw(3) > 0                 ? Kind::Release
                         : draw(2) == 0                ? Kind::Extend
                                                       : Kind::Write;
        if (model == LockModel::ReadWrite)
            operation.mode = own != held.end() ? own->mode : draw(2) == 0 ? Mode::Read : Mode::Write;
        const bool isLeased =
            operation.kind == Kind::Extend || (operation.kind == Kind::Acquire && draw(2) == 0);
        if (isLeased)
            operation.lease = 5 + draw(30);
        const qint64 until = isLeased ? now + operation.lease : LockOperation::noEnd;
        bool takesEffect = draw(10) > 0;
        if (operation.kind == Kind::Acquire) {
            const bool conflicts = std::ranges::any_of(held, [&](const Held &each) {
                return each.owner != process && !(operation.mode == Mode::Read && each.mode == Mode::Read);
            });
            const bool isFull = model == LockModel::Permits ? held.size() >= 2 : conflicts;
            takesEffect = takesEffect && !isFull;
        }
        // Only what took effect is answered with ok.
        const int answer = draw(10);
        operation.outcome = answer == 0 && hasUnknown ? Outcome::Unknown
                            : takesEffect             ? Outcome::Ok
                                                      : Outcome::Failed;
        operation.invokedAt = std::max(free[size_t(process)], now - draw(8));
        const qint64 end = now + draw(8);
        if (operation.outcome == Outcome::Ok)
            operation.endedAt = end;
        free[size_t(process)] = end;
        if (takesEffect) {
            if (operation.kind == Kind::Acquire && own == held.end()) {
                operation.token = model == LockModel::Fenced ? ++token : -1;
                held.push_back({process, operation.mode, 1, until});
            } else if (operation.kind == Kind::Acquire) {
                operation.token = model == LockModel::Fenced ? token : -1;
                ++own->count;
                own->until = isLeased ? until : own->until;
            } else if (operation.kind == Kind::Extend) {
                own->until = until;
            } else if (operation.kind == Kind::Release && --own->count == 0) {
                held.erase(own);
            } else if (operation.kind == Kind::Write && model == LockModel::Fenced) {
                operation.token = token;
            }
        }
        lock.operations.push_back(operation);
    }
    return lock;
}

LockOperation at(int process, Kind kind, qint64 from, qint64 to, qint64 lease = -1)
{
    return {.kind = kind,
            .outcome = Outcome::Ok,
            .process = process,
            .owner = process,
            .invokedAt = from,
            .endedAt = to,
            .lease = lease};
}

} // namespace

class TestHistoryCheck : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void seededViolationsAreFound()
    {
        std::mt19937 random(7);
        for (int i = 0; i < seededViolations; ++i) {
            const Seeded sample = seeded(i, random);
            const LockCheck check = checked(sample.lock, sample.model);
            const QByteArray text = textOf(sample.lock, check) + ' ' + checkReasonName(check.reason);
            QVERIFY2(check.verdict == Verdict::Violated, text);
            QVERIFY2(sample.reasons.contains(check.reason), text);
            QVERIFY2(check.events.size() <= 7, text);
            QVERIFY2(isMinimal(sample.lock, check), text);
        }
    }

    void rightHistoriesAreNeverViolated()
    {
        std::mt19937 random(99);
        std::map<Verdict, int> counts;
        for (int i = 0; i < rightHistories; ++i) {
            const auto model = LockModel(i % 6);
            const VerifiedLock lock = rightHistory(model, random, 20 + i % 100);
            const LockCheck check = checked(lock, model);
            ++counts[check.verdict];
            if (check.verdict == Verdict::Violated)
                qCritical("%s\n%s", lockModelName(model).constData(), textOf(lock, check).constData());
            QVERIFY2(check.verdict != Verdict::Violated, textOf(lock, check));
        }
        QVERIFY(counts[Verdict::Holds] > 20);
        QVERIFY(counts[Verdict::Undecided] > 20);
    }

    /// A part of a right history is possible, whatever was before it.
    void aPartOfARightHistoryIsPossible()
    {
        std::mt19937 random(10);
        int possible = 0;
        for (int i = 0; i < 3'000; ++i) {
            const auto model = LockModel(i % 6);
            VerifiedLock lock = rightHistory(model, random, 60, false);
            const qint64 cut = qint64(random() % 300);
            std::erase_if(lock.operations, [cut](const LockOperation &each) { return each.endedAt < cut; });
            for (LockOperation &each : lock.operations) {
                if (each.outcome == Outcome::Ok && each.invokedAt < cut)
                    each.outcome = Outcome::Unknown;
            }
            const auto candidates = weakened(lock.operations, eventsOf(lock, true), 0);
            qint64 budget = 1'000'000;
            const Linearization found =
                linearize(candidates, {.model = model, .capacity = 2, .isBeginUnknown = true}, false, budget);
            QVERIFY2(found.verdict != Linearization::Verdict::Impossible, textOf(lock, {}));
            possible += found.verdict == Linearization::Verdict::Possible;
        }
        QVERIFY(possible > 2'800);
    }

    /// Found in a window, without what happened before.
    void aViolationAfterManyOperations()
    {
        VerifiedLock lock{.key = "lock"};
        for (int i = 0; i < 20'000; ++i) {
            lock.operations.push_back(at(i % 7, Kind::Acquire, i * 10, i * 10 + 2));
            lock.operations.push_back(at(i % 7, Kind::Release, i * 10 + 4, i * 10 + 6));
        }
        QVERIFY(checked(lock, LockModel::Mutex).verdict == Verdict::Holds);
        lock.operations.insert(lock.operations.begin() + 30'001, at(7, Kind::Acquire, 150'003, 150'003));
        const LockCheck check = checked(lock, LockModel::Mutex);
        QVERIFY(check.verdict == Verdict::Violated);
        QVERIFY(check.reason == Reason::Overlap);
        QVERIFY(check.events.size() <= 4);
        for (const OperationEvent &event : check.events)
            QVERIFY(event.operation >= 30'000 && event.operation <= 30'002);
    }

    void clocksMayDifferByTheBound()
    {
        OperationHistory history;
        history.names = {"a", "b"};
        history.locks = {{.key = "lock",
                          .operations = {at(0, Kind::Acquire, 0, 10), at(0, Kind::Release, 50, 60),
                                         at(1, Kind::Acquire, 40, 45)}}};
        QVERIFY(checkHistory(history).front().verdict == Verdict::Violated);
        history.clockBound = 4; // less than the 5 from the acquisition to the release
        QVERIFY(checkHistory(history).front().verdict == Verdict::Violated);
        history.clockBound = 6;
        QVERIFY(checkHistory(history).front().verdict == Verdict::Undecided);
        QVERIFY(checkHistory(history).front().reason == Reason::ClockBound);
        history.locks.front().setBackLine = 3;
        QVERIFY(checkHistory(history).front().reason == Reason::ClockSetBack);
    }

    void aGapLeavesOpenWhatHappenedInIt()
    {
        OperationHistory history;
        history.names = {"a", "b"};
        history.locks = {{.key = "lock",
                          .unseen = {{20, 30}},
                          .operations = {at(0, Kind::Acquire, 0, 10), at(1, Kind::Acquire, 40, 45)}}};
        QVERIFY(checkHistory(history).front().reason == Reason::Unseen);
        // A hold from before the gap may be released; behind it two at once are sure again.
        history.locks.front().operations.push_back(at(0, Kind::Acquire, 50, 55));
        QVERIFY(checkHistory(history).front().verdict == Verdict::Violated);
    }

    void aWorstCaseEnds()
    {
        VerifiedLock lock{.key = "lock", .capacity = 3};
        for (int i = 0; i < 60; ++i) {
            LockOperation operation = at(i, Kind::Acquire, 0, 1000, 1 + i % 7);
            operation.owner = i % 8;
            operation.outcome = i % 2 == 0 ? Outcome::Unknown : Outcome::Ok;
            lock.operations.push_back(operation);
            operation.kind = Kind::Release;
            operation.permits = 2;
            lock.operations.push_back(operation);
        }
        QElapsedTimer timer;
        timer.start();
        checked(lock, LockModel::Permits);
        QVERIFY(timer.elapsed() < 60'000);
    }
};

QTEST_GUILESS_MAIN(TestHistoryCheck)
#include "tst_historycheck.moc"
