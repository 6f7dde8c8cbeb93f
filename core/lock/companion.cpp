// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/companion.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView queueSuffix = ":handoff:queue";
constexpr QByteArrayView waitersSuffix = ":handoff:waiters";
constexpr QByteArrayView fenceSuffix = ":handoff:fence";

} // namespace

HandoffKeys::HandoffKeys(const LockKey &lock)
    : queue(lock.bytes + queueSuffix.toByteArray()),
      waiters(lock.bytes + waitersSuffix.toByteArray()),
      fence(lock.bytes + fenceSuffix.toByteArray())
{
}

QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner)
{
    return lock.bytes + ":handoff:wake:" + owner.bytes;
}

bool isCompanion(QByteArrayView key)
{
    static constexpr std::array suffixes{queueSuffix, waitersSuffix, fenceSuffix};
    return std::ranges::any_of(suffixes, [key](QByteArrayView suffix) {
        return key.size() > suffix.size() && key.endsWith(suffix);
    });
}

} // namespace lockscope
