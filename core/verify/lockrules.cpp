// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/lockrules.h"

namespace lockscope {

namespace {

using Kind = LockOperation::Kind;
using Mode = LockOperation::Mode;

} // namespace

LockRules::LockRules(const LinearizationRules &rules, std::span<const Candidate> candidates) : m_rules(rules)
{
    for (const Candidate &each : candidates) {
        if (each.isRequired && each.operation.kind == Kind::Release)
            m_lastRelease[each.operation.owner] =
                std::max(m_lastRelease.value(each.operation.owner, -LockOperation::noEnd), each.to);
    }
}

bool LockRules::place(LockState &state, const Candidate &candidate, int variant, qint64 latest) const
{
    qint64 at = std::max(state.time, candidate.from);
    const bool isPossible = at <= latest && take(state, candidate.operation, variant, at) && at <= latest;
    state.time = at;
    return isPossible;
}

bool LockRules::mayHoldSinceBegin(const LockState &state, int owner) const
{
    return m_rules.isBeginUnknown && (state.acquiredBy == LockState::nobody ||
                                      (state.acquiredBy == owner && m_rules.model != LockModel::Mutex));
}

bool LockRules::take(LockState &state, const LockOperation &operation, int variant, qint64 &at) const
{
    switch (operation.kind) {
    case Kind::Acquire:
        return acquire(state, operation, variant, at);
    case Kind::Release:
        return m_rules.model == LockModel::Permits ? variant == 0 && releasePermits(state, operation)
                                                   : release(state, operation, variant, at);
    case Kind::Extend:
        return variant == 0 && extend(state, operation, at);
    case Kind::Write:
        return variant == 0 && write(state, operation);
    }
    return false;
}

LockOperation::Mode LockRules::modeOf(const LockOperation &operation) const
{
    if (m_rules.model != LockModel::ReadWrite)
        return Mode::Any;
    return operation.kind == Kind::Acquire && operation.mode == Mode::Any ? Mode::Write : operation.mode;
}

std::vector<VerifiedHold>::iterator LockRules::ownHold(LockState &state, const LockOperation &operation) const
{
    const Mode mode = modeOf(operation);
    return std::ranges::find_if(state.holds, [&](const VerifiedHold &hold) {
        return hold.owner == operation.owner && (mode == Mode::Any || mode == hold.mode);
    });
}

bool LockRules::acquire(LockState &state, const LockOperation &operation, int variant, qint64 &at) const
{
    if (m_rules.model == LockModel::Permits)
        return variant == 0 && acquirePermits(state, operation, at);
    const auto own = ownHold(state, operation);
    const bool isReentrant = own != state.holds.end() && m_rules.model != LockModel::Mutex;
    if (variant > (isReentrant ? 1 : 0) || !takeToken(state, operation, isReentrant && variant == 0))
        return false;
    // One without a lease keeps that of an acquisition before.
    const bool keepsLease = m_rules.isBeginUnknown && m_rules.hasLeases && operation.lease < 0 &&
                            m_rules.model != LockModel::Mutex &&
                            (!m_rules.isSingle() || mayHoldSinceBegin(state, operation.owner));
    const bool isFirst = state.acquiredBy == LockState::nobody || state.acquiredBy == operation.owner;
    state.acquiredBy = isFirst ? operation.owner : LockState::several;
    if (isReentrant && variant == 0) {
        ++own->count;
        if (operation.lease >= 0)
            setLease(state, *own, operation, at);
        return true;
    }
    const Mode mode = modeOf(operation);
    for (size_t i = 0; i < state.holds.size();) {
        const VerifiedHold &hold = state.holds[i];
        const bool isOwn = hold.owner == operation.owner;
        const bool stays = !m_rules.isSingle() &&
                           (isOwn ? hold.mode != mode : mode == Mode::Read && hold.mode == Mode::Read);
        if (stays) {
            ++i;
            continue;
        }
        if (!lapse(state, i, at))
            return false;
    }
    VerifiedHold &hold = addHold(state, {operation.owner, mode});
    setLease(state, hold, operation, at);
    if (keepsLease)
        hold.until = at;
    return true;
}

VerifiedHold &LockRules::addHold(LockState &state, const VerifiedHold &hold)
{
    // By owner, so that equal states look alike.
    return *state.holds.insert(std::ranges::upper_bound(state.holds, hold.owner, {}, &VerifiedHold::owner),
                               hold);
}

void LockRules::setLease(LockState &state, VerifiedHold &hold, const LockOperation &operation,
                         qint64 at) const
{
    hold.until = operation.lease < 0 ? LockOperation::noEnd : at + operation.lease;
    if (!m_rules.isSingle() && operation.lease >= 0)
        insertSorted(state.lapsed, hold.owner);
}

bool LockRules::lapse(LockState &state, size_t index, qint64 &at) const
{
    const VerifiedHold &hold = state.holds[index];
    if (hold.until >= LockOperation::noEnd)
        return false;
    at = std::max(at, hold.until);
    if (m_lastRelease.value(hold.owner, -LockOperation::noEnd) >= at) // else nobody will ask
        insertSorted(state.lapsed, hold.owner);
    state.holds.erase(state.holds.begin() + std::ptrdiff_t(index));
    return true;
}

bool LockRules::takeToken(LockState &state, const LockOperation &operation, bool isReentrance) const
{
    if (m_rules.model != LockModel::Fenced || !m_rules.checksTokens || operation.token < 0)
        return true;
    const bool mayRepeat = isReentrance || mayHoldSinceBegin(state, operation.owner);
    const bool rises = operation.token > state.token || (mayRepeat && operation.token == state.token);
    state.token = std::max(state.token, operation.token);
    return rises;
}

bool LockRules::acquirePermits(LockState &state, const LockOperation &operation, qint64 &at) const
{
    qint64 held = 0;
    for (const VerifiedHold &hold : state.holds)
        held += hold.permits;
    while (held + operation.permits > m_rules.capacity) {
        const auto first = std::ranges::min_element(state.holds, {}, &VerifiedHold::until);
        if (first == state.holds.end())
            return false;
        held -= first->permits;
        if (!lapse(state, size_t(first - state.holds.begin()), at))
            return false;
    }
    VerifiedHold &hold = addHold(state, {operation.owner, Mode::Any, 1, operation.permits});
    setLease(state, hold, operation, at);
    return true;
}

bool LockRules::isLapsed(const LockState &state, int owner) const
{
    return m_rules.isBeginUnknown || state.hasLapsed(owner);
}

bool LockRules::release(LockState &state, const LockOperation &operation, int variant, qint64 &at) const
{
    auto own = ownHold(state, operation);
    if (variant == 1) { // a reader that also writes, and doesn't say which it releases
        if (own == state.holds.end() || modeOf(operation) != Mode::Any)
            return false;
        own = std::find_if(own + 1, state.holds.end(),
                           [&](const VerifiedHold &hold) { return hold.owner == operation.owner; });
        if (own == state.holds.end())
            return false;
    }
    if (variant > 1)
        return false;
    if (own != state.holds.end()) {
        if (--own->count == 0)
            state.holds.erase(own);
        return true;
    }
    if (!isLapsed(state, operation.owner))
        return false;
    // Many libraries report success for a lock that is gone. One that others hold must not be touched.
    for (const VerifiedHold &hold : state.holds) {
        if (m_rules.isSingle() && hold.until >= LockOperation::noEnd)
            return false;
        at = m_rules.isSingle() ? std::max(at, hold.until) : at;
    }
    if (m_rules.isSingle())
        eraseSorted(state.lapsed, operation.owner);
    return true;
}

bool LockRules::releasePermits(LockState &state, const LockOperation &operation) const
{
    int left = operation.permits;
    while (left > 0) {
        // What lapses last is released first: what remains then allows most.
        auto last = state.holds.end();
        for (auto hold = state.holds.begin(); hold != state.holds.end(); ++hold) {
            if (hold->owner == operation.owner && (last == state.holds.end() || hold->until > last->until))
                last = hold;
        }
        if (last == state.holds.end())
            return isLapsed(state, operation.owner);
        const int taken = std::min(left, last->permits);
        left -= taken;
        last->permits -= taken;
        if (last->permits == 0)
            state.holds.erase(last);
    }
    return true;
}

bool LockRules::isHeldBy(LockState &state, const LockOperation &operation) const
{
    return ownHold(state, operation) != state.holds.end() ||
           (m_rules.isSingle() ? mayHoldSinceBegin(state, operation.owner)
                               : isLapsed(state, operation.owner));
}

bool LockRules::extend(LockState &state, const LockOperation &operation, qint64 at) const
{
    if (!isHeldBy(state, operation))
        return false;
    if (operation.lease < 0)
        return true;
    const Mode mode = modeOf(operation);
    const auto isMeant = [&](const VerifiedHold &hold) {
        return hold.owner == operation.owner && (mode == Mode::Any || mode == hold.mode);
    };
    const bool isOne =
        std::ranges::count_if(state.holds, isMeant) == 1 && (m_rules.isSingle() || !m_rules.isBeginUnknown);
    for (VerifiedHold &hold : state.holds) {
        const qint64 until = hold.until;
        if (!isMeant(hold))
            continue;
        setLease(state, hold, operation, at);
        if (!isOne) // it may be meant for another
            hold.until = std::min(hold.until, until);
    }
    return true;
}

bool LockRules::write(LockState &state, const LockOperation &operation) const
{
    if (m_rules.model != LockModel::Fenced || operation.token < 0)
        return isHeldBy(state, operation);
    const bool isCurrent = operation.token >= state.written || !m_rules.checksTokens;
    state.written = std::max(state.written, operation.token);
    return isCurrent;
}

} // namespace lockscope
