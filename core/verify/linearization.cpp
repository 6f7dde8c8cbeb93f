// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/linearization.h"

#include "core/verify/lockrules.h"

#include <QHash>

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

using Kind = LockOperation::Kind;
using Mode = LockOperation::Mode;
constexpr qint64 noEnd = LockOperation::noEnd;
constexpr size_t maxStates = 500;

class Linearizer
{
public:
    Linearizer(std::span<const Candidate> candidates, const LinearizationRules &rules, bool isQuick,
               qint64 &budget)
        : m_candidates(candidates),
          m_rules(rules),
          m_lock(m_rules, candidates),
          m_isQuick(isQuick),
          m_budget(budget)
    {
        QHash<int, int> last; // required, by process
        m_before.reserve(candidates.size());
        for (int i = 0; i < int(candidates.size()); ++i) {
            m_before.push_back(last.value(at(i).operation.process, -1));
            if (at(i).isRequired)
                last[at(i).operation.process] = i;
        }
        m_isOver.resize(candidates.size());
        m_areAllRequired = std::ranges::all_of(candidates, &Candidate::isRequired);
    }

    Linearization run()
    {
        std::vector<LockState> states(1);
        for (const Moment &moment : moments()) {
            if (moment.kind == Moment::Begin) {
                m_pending.push_back(moment.candidate);
                continue;
            }
            // What may take effect, but no later than now, is tried here; of an unknown outcome where it is needed.
            if (moment.kind != Moment::Drop) {
                states = advance(std::move(states), moment.candidate);
                if (m_budget <= 0 || states.size() > maxStates)
                    return {Linearization::Verdict::Undecided, size_t(moment.candidate)};
                if (states.empty())
                    return {Linearization::Verdict::Impossible, size_t(moment.candidate)};
            }
            end(states, moment.candidate);
        }
        return {Linearization::Verdict::Possible, 0};
    }

private:
    struct Moment
    {
        enum Kind : quint8 { Begin, RequiredEnd, End, Drop }; ///< in this order where they coincide

        qint64 at;
        Kind kind;
        int candidate;
        auto operator<=>(const Moment &) const = default;
    };

    const Candidate &at(int index) const { return m_candidates[size_t(index)]; }

    std::vector<Moment> moments() const
    {
        // An acquisition of unknown outcome explains nothing after the last operation that may need a hold.
        const bool isReentrant = m_rules.model != LockModel::Mutex;
        QHash<int, qint64> lastNeed;
        for (const Candidate &each : m_candidates) {
            if (!m_areAllRequired && (each.operation.kind != Kind::Acquire || isReentrant))
                lastNeed[each.operation.owner] =
                    std::max(lastNeed.value(each.operation.owner, -noEnd), each.to);
        }
        std::vector<Moment> moments;
        moments.reserve(m_candidates.size() * 2);
        for (int i = 0; i < int(m_candidates.size()); ++i) {
            const Candidate &each = at(i);
            qint64 to = each.to;
            const bool isUnknown = !each.isRequired && !each.isOrdered;
            if (isUnknown && each.operation.kind == Kind::Acquire)
                to = std::min(to, lastNeed.value(each.operation.owner, -noEnd));
            if (!each.isRequired && (each.operation.kind == Kind::Write || to < each.from))
                continue; // allows nothing
            moments.push_back({each.from, Moment::Begin, i});
            if (to < noEnd)
                moments.push_back({to,
                                   isUnknown         ? Moment::Drop
                                   : each.isRequired ? Moment::RequiredEnd
                                                     : Moment::End,
                                   i});
        }
        std::ranges::sort(moments);
        return moments;
    }

    /// The states in which a candidate has taken effect.
    std::vector<LockState> advance(std::vector<LockState> states, int target)
    {
        std::vector<LockState> next;
        for (LockState &state : states) {
            if (m_budget <= 0)
                return next;
            if (state.hasPlaced(target)) {
                add(next, std::move(state));
                continue;
            }
            if (!at(target).isRequired)
                add(next, state);
            if (m_isQuick) {
                --m_budget;
                LockState &direct = m_scratch = state;
                if (isInOrder(state, target) && m_lock.place(direct, at(target), 0, at(target).to)) {
                    insertSorted(direct.placed, target);
                    std::swap(state, direct);
                    add(next, std::move(state));
                    continue;
                }
            }
            explore(next, std::move(state), target);
        }
        return next;
    }

    /// Lets pending candidates take effect in all ways, until the target has.
    void explore(std::vector<LockState> &next, LockState begin, int target)
    {
        std::vector<LockState> reached{std::move(begin)};
        for (size_t i = 0; i < reached.size() && m_budget > 0; ++i) {
            const LockState from = reached[i]; // adding moves the others
            if (placeAll(next, from, target, target, 0) && m_isQuick)
                return;
            for (const int index : m_pending) {
                if (index != target)
                    placeAll(reached, from, index, target, i + 1);
            }
        }
    }

    /// Adds the states in which a candidate has taken effect, if it may; true: there are any.
    bool placeAll(std::vector<LockState> &to, const LockState &from, int index, int target, size_t first)
    {
        if (from.hasPlaced(index) || !isInOrder(from, index))
            return false;
        bool isPlaced = false;
        for (int variant = 0; variant < 2; ++variant) {
            --m_budget;
            LockState state = from;
            if (!m_lock.place(state, at(index), variant, std::min(at(index).to, at(target).to)))
                continue;
            insertSorted(state.placed, index);
            if (index != target && isDeadEnd(state, at(target)))
                continue;
            add(to, std::move(state), first);
            isPlaced = true;
        }
        return isPlaced;
    }

    /// True if another owner holds the lock for longer than the target may wait, and nothing pending ends that.
    bool isDeadEnd(const LockState &state, const Candidate &target) const
    {
        if (!m_rules.isSingle() || state.holds.empty() || target.operation.kind == Kind::Write)
            return false;
        const VerifiedHold &hold = state.holds.front();
        return hold.owner != target.operation.owner && hold.until > target.to &&
               std::ranges::none_of(m_pending, [&](int index) {
                   const LockOperation &operation = at(index).operation;
                   return operation.owner == hold.owner &&
                          (operation.kind != Kind::Acquire || m_rules.model != LockModel::Mutex) &&
                          !state.hasPlaced(index);
               });
    }

    /// Adds a state unless another one allows as much; removes those that allow less, from `first` on.
    void add(std::vector<LockState> &states, LockState state, size_t first = 0)
    {
        m_budget -= qint64(states.size() / 8);
        if (std::ranges::any_of(states, [&](const LockState &each) { return allowsAsMuch(each, state); }))
            return;
        const auto begin = states.begin() + std::ptrdiff_t(first);
        states.erase(std::remove_if(begin, states.end(),
                                    [&](const LockState &each) { return allowsAsMuch(state, each); }),
                     states.end());
        states.push_back(std::move(state));
    }

    /// True if every continuation from `b` is one from `a`.
    bool allowsAsMuch(const LockState &a, const LockState &b) const
    {
        if (a.time > b.time || a.token > b.token || a.written > b.written ||
            (m_rules.isBeginUnknown && a.acquiredBy != b.acquiredBy) || a.holds.size() != b.holds.size())
            return false;
        for (size_t i = 0; i < a.holds.size(); ++i) {
            if (!a.holds[i].isSame(b.holds[i]) || a.holds[i].until > b.holds[i].until)
                return false;
        }
        // What need not take effect, and has not, does no harm; a hold that has lapsed may be released once more.
        std::vector<int> more;
        std::ranges::set_symmetric_difference(a.placed, b.placed, std::back_inserter(more));
        return std::ranges::includes(b.placed, a.placed) && std::ranges::includes(a.lapsed, b.lapsed) &&
               std::ranges::none_of(more, [&](int index) { return at(index).isRequired; });
    }

    bool isInOrder(const LockState &state, int index) const
    {
        const Candidate &candidate = at(index);
        const int before = m_before[size_t(index)];
        if (before >= 0 && !m_isOver[size_t(before)] && !state.hasPlaced(before))
            return false;
        const auto isLater = [&](int other) {
            return other > index && at(other).operation.process == candidate.operation.process;
        };
        if (candidate.isOrdered &&
            (std::ranges::any_of(state.placed, isLater) ||
             (!candidate.isRequired && m_lastOver.value(candidate.operation.process) > index)))
            return false;
        return m_rules.model != LockModel::Fair || !m_rules.checksQueue || isNextInQueue(state, index);
    }

    bool isNextInQueue(const LockState &state, int index) const
    {
        const LockOperation &operation = at(index).operation;
        if (operation.kind != Kind::Acquire ||
            std::ranges::count(state.holds, operation.owner, &VerifiedHold::owner) > 0 ||
            m_lock.mayHoldSinceBegin(state, operation.owner))
            return true;
        return std::ranges::none_of(m_pending, [&](int other) {
            const Candidate &waiter = at(other);
            return other != index && waiter.isRequired && waiter.operation.kind == Kind::Acquire &&
                   std::min(waiter.queuedTo, waiter.to) < at(index).from && !state.hasPlaced(other);
        });
    }

    void end(std::vector<LockState> &states, int candidate)
    {
        m_isOver[size_t(candidate)] = true;
        if (!m_areAllRequired && at(candidate).isRequired) {
            int &last = m_lastOver[at(candidate).operation.process];
            last = std::max(last, candidate);
        }
        std::erase(m_pending, candidate);
        for (LockState &state : states)
            eraseSorted(state.placed, candidate);
        // What took effect in every state is over, too.
        for (const int index : std::vector<int>(states.front().placed)) {
            if (at(index).isRequired || at(index).to < noEnd ||
                !std::ranges::all_of(states, [&](const LockState &state) { return state.hasPlaced(index); }))
                continue;
            std::erase(m_pending, index);
            for (LockState &state : states)
                eraseSorted(state.placed, index);
        }
    }

    const std::span<const Candidate> m_candidates;
    const LinearizationRules m_rules;
    const LockRules m_lock;
    const bool m_isQuick;
    qint64 &m_budget;
    std::vector<int> m_before; ///< the required candidate of the process before each; -1: none
    std::vector<bool> m_isOver;
    bool m_areAllRequired = true;
    QHash<int, int> m_lastOver; ///< the last required candidate of each process that is over
    std::vector<int> m_pending;
    LockState m_scratch;
};

} // namespace

Linearization linearize(std::span<const Candidate> candidates, const LinearizationRules &rules, bool isQuick,
                        qint64 &budget)
{
    return Linearizer(candidates, rules, isQuick, budget).run();
}

} // namespace lockscope
