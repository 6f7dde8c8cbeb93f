// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/blamemessages.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/texts.h"

namespace lockscope {

namespace {

constexpr qsizetype mostCharacters = 60;

QString blockerText(Blocker::Kind kind, const QByteArray &owner)
{
    const QString id = owner.isEmpty() ? Texts::tr("unknown") : ownerIdText(owner, mostCharacters);
    switch (kind) {
    case Blocker::Kind::Owner:
        return id;
    case Blocker::Kind::Several:
        return Texts::tr("several owners");
    case Blocker::Kind::Nobody:
        return Texts::tr("no owner");
    case Blocker::Kind::DeadWaiter:
        return Texts::tr("dead waiter %1").arg(id);
    case Blocker::Kind::Cycle:
        return Texts::tr("deadlock with %1").arg(id);
    }
    return id;
}

} // namespace

QString waitedText(milliseconds waited, bool isAtLeast)
{
    return (isAtLeast ? QStringLiteral("≥ ") : QStringLiteral("~")) + describe(waited);
}

QString describe(const QList<Blocker> &chain)
{
    QStringList parts;
    for (const Blocker &each : chain) {
        const QString text = blockerText(each.kind, each.owner.bytes);
        parts << (parts.isEmpty()
                      ? text
                      : QStringLiteral("%1 (%2)").arg(text, printable(each.lock.bytes, mostCharacters)));
    }
    return parts.join(QStringLiteral(" ← "));
}

QStringList summaryOf(const Blame &blame, const QString &from, const QString &to)
{
    QStringList sentences{
        Texts::tr("%1 to %2: waited %3 in %n episode(s)", nullptr, plural(std::ssize(blame.episodes)))
            .arg(from, to, waitedText(blame.waited, blame.isLowerBound()))};
    if (!blame.silent.isEmpty())
        sentences << Texts::tr("Not all waiters of %n held lock(s) can be seen.", nullptr,
                               plural(blame.silent.size()));
    return sentences;
}

QString rootText(const WaitEpisode &episode)
{
    const QString chain = describe(episode.chain);
    return episode.byRoot < episode.waited
               ? Texts::tr("%1 for %2, others", "a blocker, a time").arg(chain, describe(episode.byRoot))
               : chain;
}

QString describe(const BlameRow &row, BlameBy by)
{
    if (by == BlameBy::Lock)
        return printable(row.lock.bytes, mostCharacters);
    const QString blocker = blockerText(row.kind, row.blocker.bytes);
    if (by != BlameBy::Pair)
        return blocker;
    return Texts::tr("%1, waiter: %2")
        .arg(blocker, row.waiter.bytes.isEmpty() ? Texts::tr("unknown")
                                                 : ownerIdText(row.waiter.bytes, mostCharacters));
}

} // namespace lockscope
