// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/uuidowner.h"

#include "core/family/shapes.h"

namespace lockscope {

bool isRedisPyToken(QByteArrayView hex, qint64 nowMs)
{
    const CompactOptional<qint64> time = uuidTime(hex);
    return time && *time > nowMs - 30 * dayMs && *time < nowMs + dayMs;
}

OwnerFacts uuid1Owner(const LockKey &, const OwnerId &owner)
{
    constexpr qsizetype hexLength = 32;
    constexpr qsizetype nodeLength = 12;
    OwnerFacts facts;
    if (owner.bytes.size() != hexLength || !isLowerHex(owner.bytes))
        return facts;
    facts.sinceMs = uuidTime(owner.bytes);
    if (facts.sinceMs) {
        facts.sinceIsTry = true;
        facts.node = owner.bytes.last(nodeLength);
    }
    return facts;
}

} // namespace lockscope
