// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategies.h"

#include <algorithm>
#include <array>

namespace lockscope {

std::span<const StrategySpec *const> strategySpecs()
{
    using namespace strategies;
    static constexpr std::array all{&reentrant,    &tokenSet,    &tokenLua, &tokenSetnx,
                                    &tokenCounted, &tokenFenced, &redisson, &handoff};
    return all;
}

const StrategySpec &specOf(StrategyKind kind)
{
    const auto all = strategySpecs();
    const auto spec = std::ranges::find(all, kind, [](const StrategySpec *each) { return each->kind; });
    return spec == all.end() ? strategies::reentrant : **spec;
}

} // namespace lockscope
