// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/strategyspec.h"

/// The published algorithms; see the list in strategies.cpp.
namespace lockscope::strategies {

extern const StrategySpec reentrant;
extern const StrategySpec tokenSet;
extern const StrategySpec tokenLua;
extern const StrategySpec tokenSetnx;
extern const StrategySpec tokenCounted;
extern const StrategySpec tokenFenced;
extern const StrategySpec redisson;
extern const StrategySpec handoff;

} // namespace lockscope::strategies
