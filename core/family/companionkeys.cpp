// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"

#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>

namespace lockscope {

QByteArray unlockChannel(Family family, const LockKey &lock)
{
    const auto channel = specOf(family).unlockChannel;
    return channel ? channel(lock) : QByteArray();
}

QByteArray waiterChannel(Family family, const LockKey &lock, const OwnerId &waiter)
{
    const auto channel = specOf(family).waiterChannel;
    return channel ? channel(lock, waiter) : QByteArray();
}

LockKey parentOf(QByteArrayView companion)
{
    if (companion.isEmpty())
        return {};
    for (const Family family : familiesWith<&FamilySpec::parentOfName>()) {
        if (LockKey parent = specOf(family).parentOfName(companion); !parent.isEmpty())
            return parent;
    }
    return {};
}

std::optional<LockKey> sameCompanions(const LockKey &lock)
{
    for (const Family family : familiesWith<&FamilySpec::twinOf>()) {
        if (std::optional<LockKey> twin = specOf(family).twinOf(lock))
            return twin;
    }
    return std::nullopt;
}

QueuedLock lockOfQueue(QByteArrayView key)
{
    for (const Family family : familiesWith<&FamilySpec::lockOfQueue>()) {
        if (LockKey lock = specOf(family).lockOfQueue(key); !lock.isEmpty())
            return {std::move(lock), family};
    }
    return {};
}

Family queueFamilyOf(const Lock &lock)
{
    Family found = specOf(lock.family).companions.queue ? lock.family : Family();
    for (const Family implied : lock.beside->implied) {
        const FamilySpec &spec = specOf(implied);
        if (spec.companions.queue && (found.isUnknown() || spec.precedence > specOf(found).precedence))
            found = implied;
    }
    return found;
}

bool isPermitsKey(QByteArrayView key)
{
    return std::ranges::any_of(familiesWith<&FamilySpec::isPermitsKey>(),
                               [key](Family family) { return specOf(family).isPermitsKey(key); });
}

bool isCompanion(QByteArrayView key)
{
    const auto &common = familiesWith<&FamilySpec::isCommonKey>();
    return std::ranges::any_of(common, [key](Family family) { return specOf(family).isCommonKey(key); }) ||
           !parentOf(key).isEmpty();
}

} // namespace lockscope
