// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/lockjson.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"

namespace lockscope {

QJsonObject ownerJson(const LockOwner &owner, const QString &idName)
{
    QJsonObject object;
    insertBytes(object, idName, owner.owner.bytes);
    if (owner.holdCount)
        object[QStringLiteral("holds")] = *owner.holdCount;
    if (owner.mode != HoldMode::Exclusive)
        object[QStringLiteral("mode")] =
            owner.mode == HoldMode::Read ? QStringLiteral("read") : QStringLiteral("write");
    return object;
}

QJsonObject foundJson(const Found &found)
{
    QJsonObject object{{QStringLiteral("state"), QString::fromLatin1(foundName(found.state))}};
    if (found.looksLikeNoLock)
        object[QStringLiteral("looks_like_lock")] = false;
    if (!found.attachedTo.isEmpty())
        insertBytes(object, QStringLiteral("attached_to"), found.attachedTo.bytes);
    return object;
}

} // namespace lockscope
