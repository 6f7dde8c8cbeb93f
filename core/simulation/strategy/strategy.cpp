// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategy.h"

#include "core/simulation/model/strategyspec.h"

namespace lockscope {

std::unique_ptr<LockStrategy> makeStrategy(const Algorithm &algorithm, const StrategyContext &context)
{
    return specOf(algorithm.strategy).make(algorithm, context);
}

QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key)
{
    const StrategySpec &spec = specOf(kind);
    return QList{key.bytes} + (spec.companionKeys ? spec.companionKeys(key) : QList<QByteArray>());
}

} // namespace lockscope
