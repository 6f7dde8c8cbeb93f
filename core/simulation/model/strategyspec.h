// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <memory>
#include <span>

namespace lockscope {

class LockStrategy;
struct StrategyContext;

/// The properties of a strategy, defined in its file in core/simulation/strategy/. Plans, names, the command
/// line and the forms use them.
struct StrategySpec
{
    StrategyKind kind;
    QByteArrayView name; ///< for the command line; never translated
    const char *title;   ///< name in the window: a phrase
    const char *meaning; ///< description: a source text of the context "phrases"
    std::unique_ptr<LockStrategy> (*make)(const Algorithm &algorithm, const StrategyContext &context);

    /// The meaning of ReleaseMethod::Usual; Usual itself: an own script.
    ReleaseMethod usualRelease = ReleaseMethod::Usual;
    bool isToken = false; ///< stores only a token: a release can compare the whole value
    bool isReentrant = false;
    bool canPoll = true; ///< also WakeMethod::Subscription; false: it has its own way to wait
    bool canBackOff = true;
    bool isSubscribed = false; ///< waits by a subscription that a process shares
    bool inWholeSeconds = false;
    bool splitsAcquire =
        false; ///< acquires and sets the lease in two steps: a crash in between leaves no expiry
    bool givesFences = false; ///< fencing tokens, whose counter expires after a day
    /// Its companion keys; null: none.
    QList<QByteArray> (*companionKeys)(const LockKey &key) = nullptr;
};

/// All strategies in display order.
std::span<const StrategySpec *const> strategySpecs();
const StrategySpec &specOf(StrategyKind kind);

} // namespace lockscope
