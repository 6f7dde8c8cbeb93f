// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategy.h"

#include "core/family/companionkeys.h"
#include "core/simulation/strategy/algorithms.h"

namespace lockscope {

std::unique_ptr<LockStrategy> makeStrategy(const Algorithm &algorithm, const StrategyContext &hands)
{
    switch (algorithm.strategy) {
    case StrategyKind::Reentrant:
        return makeReentrant(algorithm, hands);
    case StrategyKind::Redisson:
        return makeRedisson(algorithm, hands);
    case StrategyKind::Handoff:
        return makeHandoff(algorithm, hands);
    case StrategyKind::TokenSet:
    case StrategyKind::TokenLua:
    case StrategyKind::TokenSetnx:
    case StrategyKind::TokenCounted:
        break;
    }
    return makeToken(algorithm, hands);
}

QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key)
{
    if (kind != StrategyKind::Handoff)
        return {key.bytes};
    const HandoffKeys companions(key);
    return {key.bytes, companions.queue, companions.waiters, companions.fence};
}

} // namespace lockscope
