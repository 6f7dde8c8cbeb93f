// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/historycheck.h"

#include <QSet>

#include <algorithm>
#include <numeric>

namespace lockscope {

namespace {

using Kind = LockOperation::Kind;
using Outcome = LockOperation::Outcome;
using Reason = LockCheck::Reason;
using Possibility = Linearization::Verdict;

constexpr qint64 totalBudget = 20'000'000; // steps, some 100 ns each
constexpr qint64 lockBudget = 2'000'000;
constexpr qint64 fullBudget = 400'000;
constexpr qint64 windowBudget = 50'000;
constexpr qint64 narrowingBudget = 30'000;
constexpr size_t wholeLock = 40;  // operations that are searched without a window
constexpr size_t maxWindow = 512; // operations that took effect

/// The operations of a lock between two unseen periods.
struct HistorySegment
{
    std::vector<LockOperation> operations;
    std::vector<size_t> numbers; ///< in VerifiedLock::operations
    bool isBeginUnknown = false;
    bool hasUnknown = false;

    void add(const LockOperation &operation, size_t number)
    {
        operations.push_back(operation);
        numbers.push_back(number);
        hasUnknown = hasUnknown || operation.outcome == Outcome::Unknown;
    }
    std::vector<OperationEvent> events(bool withUnknown = true) const
    {
        std::vector<OperationEvent> all;
        for (size_t i = 0; i < operations.size(); ++i) {
            if (operations[i].outcome == Outcome::Ok || withUnknown)
                all.push_back({i, false});
            if (operations[i].outcome == Outcome::Ok)
                all.push_back({i, true});
        }
        return all;
    }
};

class LockChecker
{
public:
    LockChecker(const OperationHistory &history, const VerifiedLock &lock, LockModel model, qint64 &budget)
        : m_lock(lock), m_bound(history.clockBound), m_budget(budget)
    {
        m_rules.model = model;
        m_rules.capacity = lock.capacity;
        m_rules.hasLeases = std::ranges::any_of(
            lock.operations, [](const LockOperation &operation) { return operation.lease >= 0; });
    }

    LockCheck check()
    {
        LockCheck result{.model = m_rules.model};
        if (m_rules.model == LockModel::Permits && m_lock.capacity == 0)
            return undecided(result, Reason::NoCapacity);
        for (const HistorySegment &segment : segments()) {
            const LockCheck part = checkSegment(segment);
            if (part.verdict == LockCheck::Verdict::Violated)
                return part;
            if (part.verdict == LockCheck::Verdict::Undecided)
                result = part;
        }
        const bool isWhole = std::ranges::none_of(m_lock.unseen, [&](const UnseenPeriod &period) {
            return std::ranges::any_of(m_lock.operations, [&](const LockOperation &operation) {
                return operation.endedAt >= period.from || operation.outcome == Outcome::Unknown;
            });
        });
        return isWhole ? result : undecided(result, Reason::Unseen);
    }

private:
    static LockCheck undecided(LockCheck check, Reason why)
    {
        check.verdict = LockCheck::Verdict::Undecided;
        check.reason = why;
        return check;
    }

    std::vector<HistorySegment> segments() const
    {
        std::vector<UnseenPeriod> unseen = m_lock.unseen;
        std::ranges::sort(unseen, {}, &UnseenPeriod::from);
        unseen.push_back({LockOperation::noEnd, LockOperation::noEnd});
        std::vector<HistorySegment> all;
        qint64 from = -LockOperation::noEnd;
        for (const UnseenPeriod &period : unseen) {
            HistorySegment segment;
            segment.isBeginUnknown = !all.empty();
            for (size_t i = 0; i < m_lock.operations.size(); ++i) {
                LockOperation operation = m_lock.operations[i];
                const bool isOpen = operation.outcome == Outcome::Unknown;
                if (operation.outcome == Outcome::Failed || operation.invokedAt >= period.from ||
                    (!isOpen && operation.endedAt < from))
                    continue;
                // It may have taken effect in the unseen period.
                if (!isOpen && (operation.invokedAt < from || operation.endedAt > period.from))
                    operation.outcome = Outcome::Unknown;
                operation.invokedAt = std::max(operation.invokedAt, from);
                segment.add(operation, i);
            }
            all.push_back(std::move(segment));
            from = std::max(from, period.to);
        }
        return all;
    }

    LockCheck checkSegment(const HistorySegment &segment)
    {
        LockCheck result{.model = m_rules.model};
        m_rules.isBeginUnknown = segment.isBeginUnknown;
        HistorySegment known;
        for (size_t i = 0; i < segment.operations.size(); ++i) {
            if (segment.operations[i].outcome == Outcome::Ok)
                known.add(segment.operations[i], segment.numbers[i]);
        }
        Possibility possible = solve(known);
        if (possible == Possibility::Impossible && segment.hasUnknown) {
            possible = solve(segment);
            if (possible == Possibility::Possible)
                return undecided(result, Reason::UnknownOutcome);
        }
        if (possible == Possibility::Undecided)
            return undecided(result, Reason::TooComplex);
        if (possible == Possibility::Impossible)
            return violation();
        if (m_bound == 0)
            return result;
        const qint64 bound = std::exchange(m_bound, 0);
        const bool isSure = solve(known) == Possibility::Possible;
        m_bound = bound;
        return isSure ? result : undecided(result, Reason::ClockBound);
    }

    Possibility run(const HistorySegment &segment, const std::vector<OperationEvent> &events, bool isQuick,
                    qint64 steps)
    {
        const qint64 given = std::min(steps, m_budget);
        qint64 left = given;
        m_candidates = weakened(segment.operations, events, m_bound);
        m_last = linearize(m_candidates, m_rules, isQuick, left);
        m_budget -= given - left;
        return m_last.verdict;
    }

    /// Decides about a segment; where it is impossible, m_window has enough of it to show that.
    Possibility solve(const HistorySegment &segment)
    {
        const std::vector<OperationEvent> all = segment.events();
        const qint64 steps = fullBudget + 50 * qint64(all.size());
        if (run(segment, all, true, steps) == Possibility::Possible)
            return Possibility::Possible;
        const qint64 stuckTo = m_last.verdict == Possibility::Impossible ? m_candidates[m_last.stuckAt].to
                                                                         : LockOperation::noEnd;
        if (segment.operations.size() > wholeLock && stuckTo < LockOperation::noEnd &&
            isImpossibleInWindow(segment, stuckTo))
            return Possibility::Impossible;
        m_window = segment;
        m_isWindowOpen = m_rules.isBeginUnknown;
        return run(segment, all, false, steps);
    }

    /// Looks at ever more of the operations before a moment. What was before them may have been anything.
    bool isImpossibleInWindow(const HistorySegment &segment, qint64 stuckTo)
    {
        const qint64 half = (m_bound + 1) / 2;
        // An acquisition was too early for one that was queued, and ended later.
        const qint64 stuck = stuckTo;
        for (const LockOperation &each : segment.operations) {
            if (m_rules.model == LockModel::Fair && each.kind == Kind::Acquire &&
                each.outcome == Outcome::Ok && each.invokedAt <= stuck)
                stuckTo = std::max(stuckTo, each.endedAt + half);
        }
        std::vector<size_t> ended; // operations that took effect by then, the last first
        for (size_t i = 0; i < segment.operations.size(); ++i) {
            const LockOperation &each = segment.operations[i];
            if (each.outcome == Outcome::Ok && each.endedAt + half <= stuckTo)
                ended.push_back(i);
        }
        std::ranges::sort(ended, std::greater(), [&](size_t i) { return segment.operations[i].endedAt; });
        qint64 from = LockOperation::noEnd;
        size_t taken = 0;
        const bool wasUnknown = m_rules.isBeginUnknown;
        for (size_t count = 4; taken < ended.size() && count <= maxWindow; count *= 2) {
            for (; taken < std::min(count, ended.size()); ++taken)
                from = std::min(from, segment.operations[ended[taken]].invokedAt);
            HistorySegment window = windowOf(segment, from, stuckTo);
            m_rules.isBeginUnknown = m_isWindowOpen = wasUnknown || taken < ended.size();
            const bool isFound = run(window, window.events(), false, windowBudget) == Possibility::Impossible;
            m_rules.isBeginUnknown = wasUnknown;
            if (isFound) {
                m_window = std::move(window);
                return true;
            }
        }
        return false;
    }

    /// With the next operation of each process, which has taken no effect before it was invoked.
    HistorySegment windowOf(const HistorySegment &segment, qint64 from, qint64 to) const
    {
        const qint64 half = (m_bound + 1) / 2;
        HistorySegment window;
        QSet<int> owners, later;
        for (const LockOperation &each : segment.operations) {
            if (each.outcome == Outcome::Ok && each.endedAt + half >= from - half &&
                each.invokedAt - half <= to)
                owners.insert(each.owner);
        }
        for (size_t i = 0; i < segment.operations.size(); ++i) {
            const LockOperation &each = segment.operations[i];
            const bool isLater = each.invokedAt - half > to;
            // What ended later has been overtaken by operations that are not in the window.
            const bool endsLater = each.endedAt + half > to;
            const bool isIn = isLater ? owners.contains(each.owner) && !later.contains(each.process)
                              : each.outcome == Outcome::Unknown ? owners.contains(each.owner)
                                                                 : each.endedAt + half >= from - half;
            if (isLater && isIn)
                later.insert(each.process);
            if (!isIn)
                continue;
            LockOperation operation = each;
            if (endsLater || each.invokedAt < from) // or it took effect before the window
                operation.outcome = Outcome::Unknown;
            window.add(operation, segment.numbers[i]);
        }
        return window;
    }

    LockCheck violation()
    {
        LockCheck result{.model = m_rules.model, .verdict = LockCheck::Verdict::Violated};
        m_rules.isBeginUnknown = m_isWindowOpen;
        const auto shows = [this](const std::vector<OperationEvent> &events) {
            return run(m_window, events, false, narrowingBudget) == Possibility::Impossible;
        };
        // Of several violations the first: what ended later is rarely needed. Writes of others say less than acquisitions.
        std::vector<OperationEvent> events = m_window.events();
        if (shows(events)) {
            const qint64 stuckTo = m_candidates[m_last.stuckAt].to - (m_bound + 1) / 2;
            std::vector<OperationEvent> first = events;
            std::erase_if(first, [&](const OperationEvent &event) {
                return event.isEnd && m_window.operations[event.operation].endedAt > stuckTo;
            });
            if (shows(first))
                events = std::move(first);
        }
        std::ranges::stable_partition(events, [&](const OperationEvent &event) {
            return m_window.operations[event.operation].kind == Kind::Write;
        });
        events = minimalEvents(std::move(events), shows);
        if (!shows(events)) { // the budget was too small for all of it at once
            result.reason = Reason::Overlap;
            return undecided(result, Reason::TooComplex);
        }
        const Candidate stuck = m_candidates[m_last.stuckAt];
        const auto number = std::ranges::find_if(m_window.operations, [&](const LockOperation &each) {
            return each.process == stuck.operation.process && each.invokedAt == stuck.operation.invokedAt &&
                   each.endedAt == stuck.operation.endedAt && each.kind == stuck.operation.kind;
        });
        result.stuckAt = m_window.numbers[size_t(number - m_window.operations.begin())];
        result.reason = reasonOf(stuck.operation, events);
        const auto timeOf = [this](const OperationEvent &event) {
            const LockOperation &operation = m_lock.operations[event.operation];
            return event.isEnd ? operation.endedAt : operation.invokedAt;
        };
        for (OperationEvent &event : events)
            event.operation = m_window.numbers[event.operation];
        std::ranges::stable_sort(events, {}, timeOf);
        result.events = std::move(events);
        return result;
    }

    Reason reasonOf(const LockOperation &stuck, const std::vector<OperationEvent> &events)
    {
        const auto isPossibleWithout = [&](bool LinearizationRules::*check) {
            m_rules.*check = false;
            const bool isPossible = run(m_window, events, false, narrowingBudget) == Possibility::Possible;
            m_rules.*check = true;
            return isPossible;
        };
        if (m_rules.model == LockModel::Fair && isPossibleWithout(&LinearizationRules::checksQueue))
            return Reason::Overtaken;
        if (m_rules.model == LockModel::Fenced && isPossibleWithout(&LinearizationRules::checksTokens))
            return stuck.kind == Kind::Write ? Reason::StaleWrite : Reason::TokenNotRising;
        const bool hasOthers = std::ranges::any_of(events, [&](const OperationEvent &event) {
            const LockOperation &each = m_window.operations[event.operation];
            return each.owner != stuck.owner;
        });
        switch (stuck.kind) {
        case Kind::Acquire:
            return m_rules.model == LockModel::Permits               ? Reason::TooManyPermits
                   : !hasOthers && m_rules.model == LockModel::Mutex ? Reason::AcquiredTwice
                   : m_rules.model == LockModel::ReadWrite           ? Reason::ReaderWithWriter
                                                                     : Reason::Overlap;
        case Kind::Release:
            return hasOthers ? Reason::ForeignRelease : Reason::NotHeld;
        case Kind::Extend:
            return Reason::NotHeld;
        case Kind::Write:
            return hasOthers ? Reason::StaleWrite : Reason::NotHeld;
        }
        return Reason::Overlap;
    }

    const VerifiedLock &m_lock;
    qint64 m_bound;
    qint64 &m_budget;
    LinearizationRules m_rules;
    std::vector<Candidate> m_candidates; ///< of the last run
    Linearization m_last;
    HistorySegment m_window;
    bool m_isWindowOpen = false;
};

} // namespace

std::vector<LockCheck> checkHistory(const OperationHistory &history, std::optional<LockModel> model)
{
    std::vector<LockCheck> checks;
    qint64 budget = totalBudget + 100 * history.events;
    for (size_t i = 0; i < history.locks.size(); ++i) {
        const VerifiedLock &lock = history.locks[i];
        const LockModel wanted = lock.modelOr(model);
        const Reason why = lock.setBackLine > 0 ? Reason::ClockSetBack
                           : lock.isShared      ? Reason::SharedByDesign
                                                : Reason::None;
        LockCheck check{.model = wanted, .verdict = LockCheck::Verdict::Undecided, .reason = why};
        if (why == Reason::None) {
            const qint64 given = std::min(budget, lockBudget + 200 * qint64(lock.operations.size()));
            qint64 left = given;
            check = LockChecker(history, lock, wanted, left).check();
            budget -= given - left;
        }
        if (lock.isPolled && check.verdict == LockCheck::Verdict::Holds) {
            check.verdict = LockCheck::Verdict::Undecided;
            check.reason = Reason::Polled;
        }
        check.lock = i;
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace lockscope
