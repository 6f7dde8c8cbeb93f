// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/undo.h"

#include "core/act/acquirerefusal.h"
#include "core/act/scriptcall.h"

namespace lockscope {

namespace {

/// The rest of the lease as seen.
std::optional<Lease> leaseLeft(const ActionRequest &request, TimePoint now)
{
    if (!request.seen || !request.seen->deadline)
        return std::nullopt;
    return Lease::fromMilliseconds(request.seen->deadline->remaining(now));
}

/// The owner of a single hold; other holds cannot be restored.
std::optional<OwnerId> onlyHolder(const ActionRequest &request)
{
    if (!request.seen || request.seen->owners.size() != 1)
        return std::nullopt;
    const LockOwner &holder = request.seen->owners.first();
    const bool isPlain = holder.mode == HoldMode::Exclusive && holder.holdCount.value_or(1) == 1;
    return isPlain ? std::optional(holder.owner) : std::nullopt;
}

} // namespace

std::optional<ActionRequest> undoOf(const ActionRequest &request, const ActionResult &result, TimePoint now)
{
    ActionRequest back;
    back.family = request.family;
    back.key = request.key;
    back.owner = request.owner;
    back.lease = leaseLeft(request, now);
    switch (result.outcome) {
    case Outcome::Acquired:
    case Outcome::Reentered:
        back.action = Action::Release;
        break;
    case Outcome::Released:
    case Outcome::Expired: {
        const std::optional<OwnerId> holder = onlyHolder(request);
        if (!holder || request.grace)
            return std::nullopt;
        back.action = Action::Acquire;
        back.owner = *holder;
        break;
    }
    default:
        return std::nullopt;
    }
    if (back.action != Action::Release && !back.lease)
        return std::nullopt;
    if (back.action == Action::Acquire &&
        (!acquireRefusal(back.family).isEmpty() || !acquireRefusal(back.key, back.family).isEmpty()))
        return std::nullopt;
    return validationError(back) ? std::nullopt : std::optional(back);
}

} // namespace lockscope
