// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words about families and effects. core/text has them once the branches meet; until then short stand-ins, so that the
// window can be built and tested. To be deleted, with its includes turned into those of core.

#if __has_include("core/text/familywords.h")
#include "core/text/familywords.h"
#else
#include "core/lock/family/ownerfacts.h"
#include "core/text/words.h"
namespace lockscope {
inline QString describe(Family family)
{
    return QString::fromLatin1(familyName(family));
}
inline QString describe(Certainty certainty)
{
    return certainty == Certainty::Certain  ? QStringLiteral("certain")
           : certainty == Certainty::Likely ? QStringLiteral("likely")
                                            : QStringLiteral("one of several");
}
inline QStringList describe(const OwnerFacts &facts)
{
    QStringList words;
    if (!facts.host.isEmpty())
        words << QStringLiteral("host ") + printable(facts.host, 60);
    if (!facts.process.isEmpty())
        words << QStringLiteral("process ") + printable(facts.process, 20);
    return words;
}
inline QString candidatesInWords(const QList<Family> &candidates)
{
    QStringList words;
    for (const Family family : candidates)
        words << describe(family);
    return words.join(QStringLiteral(", "));
}
} // namespace lockscope
#endif

#if __has_include("core/text/effects.h")
#include "core/text/effects.h"
#else
#include "core/lock/lock.h"
namespace lockscope {
inline QStringList forceExpireEffects(const Lock &lock)
{
    QStringList effects{
        QStringLiteral("The holder is not told and may still be working: from then on it works without "
                       "the lock, beside whoever takes it next.")};
    effects << (factsOf(lock.family).wake == WakeBy::Polling
                    ? QStringLiteral("Waiters find it free at their next try.")
                    : QStringLiteral("Waiters that listen are woken; those that poll find it free."));
    if (factsOf(lock.family).oldOwner == OldOwner::TakesItBack)
        effects << QStringLiteral("It may not stick: its holder writes it anew.");
    return effects;
}
inline QString removeWaiterEffect(const Lock &, const OwnerId &)
{
    return QStringLiteral("It is taken out of the queue, if it still doesn't listen.");
}
inline QString acquireRefusal(Family family)
{
    return factsOf(family).taking == Taking::Offered ? QString() : QStringLiteral("Not offered.");
}
} // namespace lockscope
#endif
