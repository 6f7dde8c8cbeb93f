// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"

#include "core/family/filecompanions.h"
#include "core/family/forms.h"
#include "core/family/registry.h"
#include "core/model/lock.h"
#include "core/redis/deployment/commandkey.h"

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
    const bool isOwn = specOf(lock.family).companions.queue || !fileQueueKey(lock).isEmpty();
    Family found = isOwn ? lock.family : Family();
    for (const Family implied : lock.companions->implied) {
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

namespace {

/// True for companion keys of file-defined families.
bool isFileCompanion(QByteArrayView key)
{
    static const NameIndex index = [] {
        NameIndex names;
        for (const Family family : familiesWith<&FamilySpec::forms>()) {
            for (const char *glob : specOf(family).forms->companionGlobs)
                names.add(glob, family);
        }
        return names;
    }();
    return index.anyOf(key, [](Family) { return true; });
}

} // namespace

bool isCompanion(QByteArrayView key)
{
    const auto &common = familiesWith<&FamilySpec::isCommonKey>();
    return isFileCompanion(key) ||
           std::ranges::any_of(common, [key](Family family) { return specOf(family).isCommonKey(key); }) ||
           !parentOf(key).isEmpty();
}

namespace {

FamilySet companionFamilies(const Lock &lock)
{
    FamilySet families = lock.companions->implied;
    families.insert(lock.family);
    return families;
}

} // namespace

QByteArrayList companionKeysOf(const Lock &lock)
{
    QByteArrayList keys;
    PartialCompanionState reading;
    reading.state.waiters = lock.companions->waiters;
    reading.state.keepKindOf(*lock.companions);
    for (const Family family : companionFamilies(lock)) {
        const Companions &companions = specOf(family).companions;
        if (!companions.mayHave || !companions.mayHave(lock))
            continue;
        if (companions.signs)
            keys += companions.signs(lock.key());
        CommandBatch batch;
        for (const auto &queries : {companions.queries, companions.later}) {
            for (const CompanionQuery *query : queries)
                query->append(batch, lock, reading);
        }
        for (int i = 0; i < batch.size(); ++i) {
            if (const CommandTarget target = targetOf(batch.wire(i)); !target.key.isEmpty())
                keys.append(target.key.toByteArray());
        }
    }
    const std::optional<LockKey> twin = sameCompanions(lock.key());
    keys.removeIf([&](const QByteArray &key) {
        return key == lock.key().bytes || (twin && key == twin->bytes); // a twin is a lock of its own
    });
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

QByteArrayList channelsOf(const Lock &lock)
{
    QByteArrayList channels;
    const auto add = [&channels](const QByteArray &channel) {
        if (!channel.isEmpty() && !channels.contains(channel))
            channels.append(channel);
    };
    for (const Family family : companionFamilies(lock))
        add(unlockChannel(family, lock.key()));
    const Family queued = queueFamilyOf(lock);
    for (const Waiter &waiter : lock.companions->waiters.queue)
        add(waiterChannel(queued, lock.key(), waiter.id));
    return channels;
}

} // namespace lockscope
