// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/lockoperations.h"
#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxNamed = 5;
constexpr qsizetype longestName = 80;

/// The first few in words, and the number of the others.
template <typename InWords>
QString listed(const QList<LockOwner> &owners, InWords inWords)
{
    QStringList parts;
    for (const LockOwner &holder : owners.first(std::min(maxNamed, owners.size())))
        parts << inWords(holder);
    if (owners.size() > maxNamed)
        parts << Texts::tr("and %1 more").arg(grouped(owners.size() - maxNamed));
    return parts.join(Texts::tr("; ", "between owners"));
}

QString nameOf(const LockOwner &holder)
{
    return ownerIdText(holder.owner.bytes, longestName);
}

QString withHolds(const LockOwner &holder)
{
    if (!holder.holdCount && holder.rawHoldCount.isEmpty()) // of a record, which counts nothing
        return Texts::tr("owner %1").arg(nameOf(holder));
    const QString count =
        holder.rawHoldCount.isEmpty() ? QStringLiteral("1") : printable(holder.rawHoldCount, 20);
    return Texts::tr("owner %1, hold count %2").arg(nameOf(holder), count);
}

/// Which expected owners still hold it: with other owners, the key's existence proves nothing.
QString expectedInWords(const Found &found)
{
    const QList<LockOwner> &there = found.lock->owners;
    if (found.expected.isEmpty())
        return {};
    QList<LockOwner> left = found.expected;
    left.removeIf([&](const LockOwner &expected) { return !isAmong(there, expected); });
    if (left.isEmpty())
        return found.lock->problems.testFlag(Problem::TooBig)
                   ? Texts::tr("No expected owner in the part that was read.")
                   : Texts::tr("No expected owner holds the lock.");
    if (there.size() == 1 && found.expected.size() == 1)
        return {}; // its name was just said
    return Texts::tr("Expected owners still holding the lock: %1.").arg(listed(left, nameOf));
}

} // namespace

QString describe(const Found &found)
{
    switch (found.state) {
    case Found::State::Unreachable:
        return Texts::tr("Recheck failed. Check the key before retrying.");
    case Found::State::Absent:
        return Texts::tr("Recheck: the key does not exist.");
    case Found::State::Unreadable:
        if (!found.attachedTo.isEmpty())
            return Texts::tr("Recheck: the key belongs to the lock %1.")
                .arg(printable(found.attachedTo.bytes, longestName));
        if (found.looksLikeNoLock)
            return Texts::tr("Recheck: probably not a lock.");
        if (found.lock)
            return Texts::tr("Recheck: the key exists; its owner cannot be read.");
        return found.why && found.why->hasReason()
                   ? Texts::tr("Recheck failed: %1. Check the key before retrying.").arg(inWords(*found.why))
                   : Texts::tr("Recheck failed. Check the key before retrying.");
    case Found::State::Held:
        break;
    }
    const QString text = Texts::tr("Recheck: %1.").arg(listed(found.lock->owners, withHolds));
    const QString expected = expectedInWords(found);
    return expected.isEmpty() ? text
                              : Texts::tr("%1 %2", "two sentences, one after the other").arg(text, expected);
}

} // namespace lockscope
