// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <memory>
#include <span>

namespace lockscope {

class LockStrategy;
struct StrategyContext;

/// All that is said of a strategy, once: in the file of core/simulation/strategy/ that carries it out. Plans, names, the
/// command line and the forms read it here.
struct StrategySpec
{
    StrategyKind kind;
    QByteArrayView name; ///< as on the command line. Never translated.
    const char *meaning; ///< what it does, for people: a source text of the context "phrases"
    std::unique_ptr<LockStrategy> (*make)(const Algorithm &algorithm, const StrategyContext &context);

    /// What ReleaseMethod::Usual means; Usual itself: a script of its own.
    ReleaseMethod usualRelease = ReleaseMethod::Usual;
    bool isToken = false;        ///< stores a token alone: a release can compare the whole value
    bool isReentrant = false;    ///< its owner may acquire again
    bool canPoll = true;         ///< also WakeMethod::Subscription; false: it has a way of its own to wait
    bool canBackOff = true;      ///< WakeMethod::Backoff
    bool isSubscribed = false;   ///< its own way to wait is a subscription that a process shares
    bool inWholeSeconds = false; ///< its leases are whole seconds on the server
    bool splitsAcquire =
        false;                ///< takes and sets the lease in two steps: a crash in between leaves no expiry
    bool givesFences = false; ///< fencing tokens, whose counter stays for a day
    /// The keys that it writes beside the lock's own; null: none.
    QList<QByteArray> (*companionKeys)(const LockKey &key) = nullptr;
};

/// All strategies, in the order in which people are shown them.
std::span<const StrategySpec *const> strategySpecs();
const StrategySpec &specOf(StrategyKind kind);

} // namespace lockscope
