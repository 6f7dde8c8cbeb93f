// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/historycheck.h"

#include <array>
#include <set>
#include <tuple>

/// Decides about small histories by trying every order at every moment, without a line of the checker.
namespace historytruth {

using namespace lockscope;
using Kind = LockOperation::Kind;
using Mode = LockOperation::Mode;
using Outcome = LockOperation::Outcome;

inline constexpr qint64 never = 1'000; ///< later than all
inline constexpr qint64 early = -100;  ///< before all

/// An operation as it may be left of the events: a window, and whether it took effect at all.
struct Part
{
    LockOperation operation;
    qint64 from;
    qint64 to;
    bool isSure;
    bool isLate; ///< of unknown outcome: at any moment from its invocation on
    qint64 queuedBy;
};

/// The rules of packaging/docs/verify.md, told once more: a set of holds, each with the moment from which others may take it.
class Truth
{
public:
    Truth(std::vector<Part> parts, LockModel model, int capacity)
        : m_parts(std::move(parts)), m_model(model), m_capacity(capacity)
    {
    }

    bool isPossible() { return step(early, {}, Holds()); }

private:
    struct Holds
    {
        std::vector<std::array<qint64, 5>> held; ///< owner, mode, count or permits, free from, 0
        std::set<qint64> lapsed;
        qint64 token = -1, written = -1;
        auto operator<=>(const Holds &) const = default;
    };

    bool isSingle() const { return m_model != LockModel::ReadWrite && m_model != LockModel::Permits; }

    /// Places at a moment any further operation, or goes on to the next moment.
    bool step(qint64 now, std::set<size_t> placed, const Holds &holds)
    {
        bool isComplete = true;
        for (size_t i = 0; i < m_parts.size(); ++i) {
            if (m_parts[i].isSure && !placed.contains(i)) {
                isComplete = false;
                if (m_parts[i].to < now)
                    return false;
            }
        }
        if (isComplete)
            return true;
        if (!m_seen.insert({now, placed, holds}).second)
            return false;
        for (size_t i = 0; i < m_parts.size(); ++i) {
            if (placed.contains(i) || m_parts[i].from > now || m_parts[i].to < now ||
                !isInTurn(i, placed, holds))
                continue;
            for (const Holds &after : effects(m_parts[i].operation, holds, now)) {
                std::set<size_t> more = placed;
                more.insert(i);
                if (step(now, more, after))
                    return true;
            }
        }
        qint64 next = never;
        for (const Part &part : m_parts) {
            for (const qint64 moment : {part.from, part.to}) {
                if (moment > now)
                    next = std::min(next, moment);
            }
        }
        for (const auto &hold : holds.held) {
            if (hold[3] > now)
                next = std::min(next, hold[3]);
        }
        return next < never && step(next, placed, holds);
    }

    bool isInTurn(size_t index, const std::set<size_t> &placed, const Holds &holds) const
    {
        const Part &part = m_parts[index];
        for (size_t i = 0; i < m_parts.size(); ++i) {
            const Part &other = m_parts[i];
            const bool isSameProcess = other.operation.process == part.operation.process;
            if (isSameProcess && i < index && other.isSure && !placed.contains(i))
                return false;
            if (isSameProcess && i > index && !part.isLate && placed.contains(i))
                return false;
            const bool isWaiter = m_model == LockModel::Fair && part.operation.kind == Kind::Acquire &&
                                  other.operation.kind == Kind::Acquire && other.isSure &&
                                  !placed.contains(i);
            const bool holdsIt = std::ranges::any_of(
                holds.held, [&](const auto &hold) { return hold[0] == part.operation.owner; });
            if (isWaiter && i != index && !holdsIt && std::min(other.queuedBy, other.to) < part.from)
                return false;
        }
        return true;
    }

    std::vector<Holds> effects(const LockOperation &operation, const Holds &before, qint64 now) const
    {
        std::vector<Holds> all;
        const bool isLeased = !isSingle() && operation.lease >= 0;
        const qint64 freeFrom = operation.lease < 0 ? never : now + operation.lease;
        qint64 mode = 0;
        if (m_model == LockModel::ReadWrite)
            mode = operation.kind == Kind::Acquire && operation.mode == Mode::Any ? qint64(Mode::Write)
                                                                                  : qint64(operation.mode);
        std::vector<size_t> own;
        for (size_t i = 0; i < before.held.size(); ++i) {
            if (before.held[i][0] == operation.owner && (mode == 0 || before.held[i][1] == mode))
                own.push_back(i);
        }
        const bool isGone = before.lapsed.contains(operation.owner);
        switch (operation.kind) {
        case Kind::Acquire: {
            Holds after = before;
            if (m_model == LockModel::Permits) {
                qint64 sum = operation.permits;
                for (const auto &hold : after.held)
                    sum += hold[2];
                while (sum > m_capacity) { // the first to lapse goes first
                    const auto first =
                        std::ranges::min_element(after.held, {}, [](const auto &hold) { return hold[3]; });
                    if (first == after.held.end() || (*first)[3] > now)
                        return {};
                    sum -= (*first)[2];
                    after.lapsed.insert((*first)[0]);
                    after.held.erase(first);
                }
                after.held.push_back({operation.owner, 0, operation.permits, freeFrom, 0});
                if (isLeased)
                    after.lapsed.insert(operation.owner);
                return {after};
            }
            const bool hasToken = m_model == LockModel::Fenced && operation.token >= 0;
            if (!own.empty() && m_model != LockModel::Mutex && !(hasToken && operation.token < after.token)) {
                Holds again = before;
                ++again.held[own[0]][2];
                if (operation.lease >= 0)
                    again.held[own[0]][3] = freeFrom;
                if (isLeased)
                    again.lapsed.insert(operation.owner);
                again.token = std::max(again.token, hasToken ? operation.token : -1);
                all.push_back(again);
            }
            if (hasToken && operation.token <= after.token)
                return all;
            after.token = std::max(after.token, hasToken ? operation.token : -1);
            for (size_t i = after.held.size(); i-- > 0;) {
                const auto hold = after.held[i];
                const bool isOwn = hold[0] == operation.owner;
                if (!isSingle() &&
                    (isOwn ? hold[1] != mode : hold[1] == qint64(Mode::Read) && mode == qint64(Mode::Read)))
                    continue;
                if (hold[3] > now)
                    return all;
                after.lapsed.insert(hold[0]);
                after.held.erase(after.held.begin() + std::ptrdiff_t(i));
            }
            after.held.push_back({operation.owner, mode, 1, freeFrom, 0});
            if (isLeased)
                after.lapsed.insert(operation.owner);
            all.push_back(after);
            return all;
        }
        case Kind::Release:
            if (m_model == LockModel::Permits) {
                Holds after = before;
                for (int left = operation.permits; left > 0;) {
                    auto last = after.held.end();
                    for (auto hold = after.held.begin(); hold != after.held.end(); ++hold) {
                        if ((*hold)[0] == operation.owner &&
                            (last == after.held.end() || (*hold)[3] > (*last)[3]))
                            last = hold;
                    }
                    if (last == after.held.end())
                        return isGone ? std::vector{after} : std::vector<Holds>();
                    const auto taken = std::min<qint64>(left, (*last)[2]);
                    left -= int(taken);
                    if (((*last)[2] -= taken) == 0)
                        after.held.erase(last);
                }
                return {after};
            }
            for (const size_t i : own) {
                Holds after = before;
                if (--after.held[i][2] == 0)
                    after.held.erase(after.held.begin() + std::ptrdiff_t(i));
                all.push_back(after);
            }
            if (own.empty() && isGone &&
                (!isSingle() ||
                 std::ranges::all_of(before.held, [now](const auto &hold) { return hold[3] <= now; }))) {
                Holds after = before;
                if (isSingle())
                    after.lapsed.erase(operation.owner);
                all.push_back(after);
            }
            return all;
        case Kind::Extend: {
            if (own.empty())
                return !isSingle() && isGone ? std::vector{before} : std::vector<Holds>();
            Holds after = before;
            for (const size_t i : own) {
                if (operation.lease >= 0)
                    after.held[i][3] = own.size() == 1 ? freeFrom : std::min(freeFrom, after.held[i][3]);
            }
            if (isLeased)
                after.lapsed.insert(operation.owner);
            return {after};
        }
        case Kind::Write:
            if (m_model == LockModel::Fenced && operation.token >= 0) {
                Holds after = before;
                after.written = operation.token;
                return operation.token >= before.written ? std::vector{after} : std::vector<Holds>();
            }
            return !own.empty() || (!isSingle() && isGone) ? std::vector{before} : std::vector<Holds>();
        }
        return {};
    }

    const std::vector<Part> m_parts;
    const LockModel m_model;
    const int m_capacity;
    std::set<std::tuple<qint64, std::set<size_t>, Holds>> m_seen;
};

/// What the events of a history leave open, as the document defines it.
inline std::vector<Part> partsOf(const std::vector<LockOperation> &operations,
                                 const std::vector<OperationEvent> &events)
{
    const auto has = [&](size_t i, bool isEnd) {
        return std::ranges::find(events, OperationEvent{i, isEnd}) != events.end();
    };
    std::vector<Part> parts;
    for (size_t i = 0; i < operations.size(); ++i) {
        const LockOperation &operation = operations[i];
        if (operation.outcome == Outcome::Failed)
            continue;
        Part part{operation, early, never - 1, has(i, true), operation.outcome == Outcome::Unknown, never};
        for (size_t j = 0; j < operations.size(); ++j) {
            const LockOperation &other = operations[j];
            if (other.process != operation.process)
                continue;
            if (j <= i && has(j, false))
                part.from = std::max(part.from, other.invokedAt);
            if (j < i && has(j, true))
                part.from = std::max(part.from, other.endedAt);
            if (j > i && has(j, false) && !part.isLate)
                part.to = std::min(part.to, other.invokedAt);
            if (j >= i && has(j, true) && !part.isLate)
                part.to = std::min(part.to, other.endedAt);
        }
        if (part.isSure)
            part.queuedBy = std::min(operation.queuedAt, never);
        parts.push_back(part);
    }
    return parts;
}

inline bool isPossible(const VerifiedLock &lock, LockModel model, const std::vector<OperationEvent> &events)
{
    return Truth(partsOf(lock.operations, events), model, lock.capacity).isPossible();
}

inline std::vector<OperationEvent> eventsOf(const VerifiedLock &lock, bool withUnknown)
{
    std::vector<OperationEvent> events;
    for (size_t i = 0; i < lock.operations.size(); ++i) {
        const Outcome outcome = lock.operations[i].outcome;
        if (outcome == Outcome::Ok || (withUnknown && outcome == Outcome::Unknown))
            events.push_back({i, false});
        if (outcome == Outcome::Ok)
            events.push_back({i, true});
    }
    return events;
}

/// True if the events of a violation show it, and without any one of them nothing.
inline bool isMinimal(const VerifiedLock &lock, const LockCheck &check)
{
    if (check.events.empty() || isPossible(lock, check.model, check.events))
        return false;
    for (const OperationEvent &event : check.events) {
        std::vector<OperationEvent> fewer = check.events;
        std::erase(fewer, event);
        if (!isPossible(lock, check.model, fewer))
            return false;
    }
    return true;
}

inline LockCheck checked(const VerifiedLock &lock, LockModel model)
{
    OperationHistory history;
    history.names = {"a", "b", "c", "d", "e", "f", "g", "h"};
    history.locks = {lock};
    history.events = qint64(lock.operations.size()) * 2;
    return checkHistory(history, model).front();
}

inline QByteArray textOf(const VerifiedLock &lock, const LockCheck &check)
{
    QByteArray text;
    for (const LockOperation &each : lock.operations) {
        text += QByteArray::number(&each - lock.operations.data()) + ": P" +
                QByteArray::number(each.process) + " owner " + QByteArray::number(each.owner) + ' ' +
                operationName(each.kind) + ' ' + QByteArray::number(each.invokedAt) + ".." +
                (each.outcome == Outcome::Ok        ? QByteArray::number(each.endedAt)
                 : each.outcome == Outcome::Unknown ? QByteArray("unknown")
                                                    : QByteArray("failed")) +
                " lease " + QByteArray::number(each.lease) + " token " + QByteArray::number(each.token) +
                " mode " + QByteArray::number(int(each.mode)) + " permits " +
                QByteArray::number(each.permits) + " queued " + QByteArray::number(each.queuedAt) + '\n';
    }
    for (const OperationEvent &event : check.events)
        text += QByteArray::number(event.operation) + (event.isEnd ? " end, " : " begin, ");
    return text;
}

} // namespace historytruth
