// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/lockoperations.h"
#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

constexpr qsizetype mostNamed = 5;
constexpr qsizetype longestName = 80;

/// The first few, each in words, and how many more there are.
template <typename InWords>
QString listed(const QList<LockOwner> &owners, InWords inWords)
{
    QStringList parts;
    for (const LockOwner &holder : owners.first(std::min(mostNamed, owners.size())))
        parts << inWords(holder);
    if (owners.size() > mostNamed)
        parts << Words::tr("and %1 more", "owners").arg(grouped(owners.size() - mostNamed));
    return parts.join(Words::tr("; ", "between owners"));
}

QString nameOf(const LockOwner &holder)
{
    return printable(holder.owner.bytes, longestName);
}

QString withHolds(const LockOwner &holder)
{
    if (!holder.holdCount && holder.rawHoldCount.isEmpty()) // of a record, which counts nothing
        return Words::tr("owner %1").arg(nameOf(holder));
    const QString count =
        holder.rawHoldCount.isEmpty() ? QStringLiteral("1") : printable(holder.rawHoldCount, 20);
    return Words::tr("owner %1, holds %2").arg(nameOf(holder), count);
}

/// Which of those that were to be ended hold it: a key that others hold as well says nothing of them by being there.
QString expectedInWords(const Found &found)
{
    const QList<LockOwner> &there = found.lock->owners;
    if (found.expected.isEmpty())
        return {};
    QList<LockOwner> left = found.expected;
    left.removeIf([&](const LockOwner &expected) {
        return std::ranges::none_of(there, [&](const LockOwner &holder) {
            return holder.owner == expected.owner && holder.mode == expected.mode;
        });
    });
    if (left.isEmpty())
        return found.lock->problems.testFlag(Problem::TooBig)
                   ? Words::tr("Only a part of it was read, and none that was to be ended is in that part.")
                   : Words::tr("None that was to be ended is there.");
    if (there.size() == 1 && found.expected.size() == 1)
        return {}; // its name was just said
    return Words::tr("Of those to be ended, there: %1.").arg(listed(left, nameOf));
}

} // namespace

QString describe(const Found &found)
{
    switch (found.state) {
    case Found::State::Unreachable:
        return Words::tr("The key could not be read since: look at it before trying again.");
    case Found::State::Absent:
        return Words::tr("A look at the key just now: nothing is there.");
    case Found::State::Unreadable:
        if (!found.attachedTo.isEmpty())
            return Words::tr("A look at the key just now: it is no lock itself, but belongs to the lock %1.")
                .arg(printable(found.attachedTo.bytes, longestName));
        if (found.looksLikeNoLock)
            return Words::tr("A look at the key just now: a value that by itself looks like no lock.");
        if (found.lock)
            return Words::tr("A look at the key just now: it is there, but no owner can be read.");
        return Words::tr("A look at the key just now failed: %1. Look at it before trying again.")
            .arg(found.why && found.why->hasReason() ? inWords(*found.why)
                                                     : Words::tr("no answer told what is there"));
    case Found::State::Held:
        break;
    }
    const QString text =
        Words::tr("A look at the key just now: %1.").arg(listed(found.lock->owners, withHolds));
    const QString expected = expectedInWords(found);
    return expected.isEmpty() ? text
                              : Words::tr("%1 %2", "two sentences, one after the other").arg(text, expected);
}

} // namespace lockscope
