// SPDX-License-Identifier: GPL-3.0-or-later
// Random small histories of one lock, decided again by trying every order at every moment, and every violation
// found minimal in the same way.
#include "tests/core/verify/historytruth.h"

#include <QtTest>

#include <map>
#include <random>

using namespace historytruth;
using namespace lockscope;

using Verdict = LockCheck::Verdict;

namespace {

constexpr int histories = 10'000;
constexpr int capacity = 2;

Verdict truthOf(VerifiedLock lock, LockModel model)
{
    VerifiedLock known = lock;
    std::erase_if(known.operations,
                  [](const LockOperation &operation) { return operation.outcome == Outcome::Unknown; });
    if (isPossible(known, model, eventsOf(known, false)))
        return Verdict::Holds;
    return isPossible(lock, model, eventsOf(lock, true)) ? Verdict::Undecided : Verdict::Violated;
}

/// A history of up to `most` operations, likely to be nearly right: processes acquire, write, extend and release.
VerifiedLock randomLock(std::mt19937 &random, LockModel model, int most)
{
    const auto draw = [&random](int n) { return int(random() % unsigned(n)); };
    VerifiedLock lock{.key = "lock", .capacity = capacity};
    const int processes = 2 + draw(2), count = 2 + draw(most - 1);
    std::vector<qint64> now(size_t(processes), 0);
    std::vector<bool> holds(size_t(processes), false);
    qint64 token = 1;
    const bool areSerial = draw(2) == 0;
    for (int i = 0; i < count; ++i) {
        const size_t process = size_t(draw(processes));
        LockOperation operation{.process = int(process), .owner = int(process)};
        if (draw(12) == 0)
            operation.owner = draw(processes);
        const int kind = draw(8);
        operation.kind = !holds[process] && draw(8) > 0 ? Kind::Acquire
                         : kind < 4                     ? Kind::Release
                         : kind == 4                    ? Kind::Extend
                         : kind == 5                    ? Kind::Acquire
                                                        : Kind::Write;
        if (areSerial)
            now[process] = std::max(now[process], *std::ranges::max_element(now));
        operation.invokedAt = now[process] + draw(3);
        const qint64 end = operation.invokedAt + draw(areSerial ? 3 : 6);
        const int outcome = draw(10);
        operation.outcome = outcome == 0 ? Outcome::Failed : outcome < 3 ? Outcome::Unknown : Outcome::Ok;
        if (operation.outcome == Outcome::Ok)
            operation.endedAt = end;
        now[process] = end;
        if (operation.outcome == Outcome::Ok && operation.kind != Kind::Write)
            holds[process] = operation.kind != Kind::Release;
        const bool takesLease = operation.kind == Kind::Acquire || operation.kind == Kind::Extend;
        if (takesLease && draw(3) > 0)
            operation.lease = draw(8);
        if (model == LockModel::Fenced && operation.kind == Kind::Acquire && operation.outcome == Outcome::Ok)
            operation.token = draw(6) == 0 ? draw(int(token) + 1) : token++;
        if (model == LockModel::Fenced && operation.kind == Kind::Write)
            operation.token = draw(int(token) + 1) - 1;
        if (model == LockModel::ReadWrite && draw(6) > 0)
            operation.mode = draw(2) == 0 ? Mode::Read : Mode::Write;
        if (model == LockModel::Permits)
            operation.permits = 1 + draw(4) / 3;
        if (model == LockModel::Fair && operation.kind == Kind::Acquire && draw(2) == 0)
            operation.queuedAt = operation.invokedAt + draw(2);
        lock.operations.push_back(operation);
    }
    return lock;
}

} // namespace

class TestHistoryCheckTruth : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// The same verdict of each, and no event of a violation too many.
    void randomHistories()
    {
        std::mt19937 random(20261128);
        std::map<std::pair<LockModel, Verdict>, int> counts;
        int minimal = 0;
        for (int i = 0; i < histories; ++i) {
            const auto model = LockModel(i % 6);
            const VerifiedLock lock = randomLock(random, model, 8);
            const LockCheck check = checked(lock, model);
            const Verdict truth = truthOf(lock, model);
            if (check.verdict != truth)
                qCritical("history %d, %s: found %d, is %d\n%s", i, lockModelName(model).constData(),
                          int(check.verdict), int(truth), textOf(lock, check).constData());
            QCOMPARE(int(check.verdict), int(truth));
            ++counts[{model, truth}];
            if (truth != Verdict::Violated)
                continue;
            ++minimal;
            QVERIFY2(isMinimal(lock, check), textOf(lock, check));
        }
        for (int model = 0; model < 6; ++model) {
            for (const Verdict verdict : {Verdict::Holds, Verdict::Violated, Verdict::Undecided})
                QVERIFY2((counts[{LockModel(model), verdict}]) > 20,
                         QByteArray::number(model) + ' ' + QByteArray::number(int(verdict)));
        }
        QVERIFY(minimal > 1000);
    }
};

QTEST_GUILESS_MAIN(TestHistoryCheckTruth)
#include "tst_historychecktruth.moc"
