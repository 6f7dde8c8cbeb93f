// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/waittext.h"

#include "core/base/printable.h"
#include "core/family/ownerfacts.h"
#include "core/table/celltext.h"
#include "core/table/locktext.h"
#include "core/words/texts.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr qsizetype waitKeyCodePoints = 60;
constexpr qsizetype ownerLetters = 26; // a UUID is known by its ends

QString keyText(const LockKey &key)
{
    return printable(key.bytes, waitKeyCodePoints);
}

/// Formats an identity, which reads like an owner ID of the same family.
QString whoText(const QByteArray &identity, const LockKey &lock, const WaitIndex &index,
                const OwnerNames &names)
{
    const WatchedLock *known = index.find(lock);
    const Family family = known ? known->lock.family : Family();
    return shortened(names.text(family, lock, OwnerId(identity)), ownerLetters);
}

} // namespace

QStringList cycleText(const Deadlock &deadlock, const WaitIndex &index, const OwnerNames &names)
{
    QStringList lines;
    const qsizetype size = deadlock.cycle.size();
    for (qsizetype i = 0; i < size; ++i) {
        const WaitEdge &edge = deadlock.cycle.at(i);
        // What one waits for is held by the next, so what it holds is what the one before waits for.
        const LockKey &held = deadlock.cycle.at((i + size - 1) % size).lock;
        lines << Texts::tr("%1 holds %2 and waits for %3")
                     .arg(whoText(edge.waiter, edge.lock, index, names), keyText(held), keyText(edge.lock));
    }
    return lines;
}

QString waitsOfOwner(const Lock &lock, const WaitIndex &index, const OwnerNames &names)
{
    constexpr qsizetype most = 3;
    QStringList sentences;
    for (const LockOwner &holder : lock.owners) {
        for (const LockKey &key : index.waitsOf(threadIdentity(lock.family, holder.owner))) {
            if (sentences.size() == most)
                return sentences.join(u'\n');
            const QString who = shortened(names.text(lock.family, lock.key(), holder.owner), ownerLetters);
            const WatchedLock *other = index.find(key);
            const QString owner = other ? shortened(ownerText(other->lock, names), ownerLetters) : QString();
            // Sentences of their own: between an id and Chinese words stands a space, between two of these none.
            if (lock.owners.size() == 1)
                sentences
                    << (owner.isEmpty()
                            ? Texts::tr("The owner waits for %1.").arg(keyText(key))
                            : Texts::tr("The owner waits for %1 (owner: %2).").arg(keyText(key), owner));
            else
                sentences << (owner.isEmpty()
                                  ? Texts::tr("%1 waits for %2.").arg(who, keyText(key))
                                  : Texts::tr("%1 waits for %2 (owner: %3).").arg(who, keyText(key), owner));
        }
    }
    return sentences.join(u'\n');
}

QString blocksText(const Lock &lock, const WaitIndex &index)
{
    const BlockedWaiters blocked = index.blockedBy(lock);
    if (blocked.count == 0 && !blocked.isExact)
        return {};
    const QString number = QLocale().toString(blocked.count);
    return blocked.isExact ? number : QStringLiteral("≥ ") + number;
}

QString blocksSentence(const Lock &lock, const WaitIndex &index)
{
    const BlockedWaiters blocked = index.blockedBy(lock);
    if (blocked.count == 0)
        return blocked.isExact ? Texts::tr("Nobody waits in the queue of this lock.") : QString();
    const int count = static_cast<int>(std::min<qint64>(blocked.count, std::numeric_limits<int>::max()));
    const qint64 direct = std::min(lock.companions->waiters.count, blocked.count);
    const QString number = blocked.isExact
                               ? Texts::tr("%n waiter(s) behind this lock", nullptr, count)
                               : Texts::tr("At least %n waiter(s) behind this lock", nullptr, count);
    return Texts::tr("%1: %2 for this lock, %3 for locks of these waiters.")
        .arg(number, QLocale().toString(direct), QLocale().toString(blocked.count - direct));
}

QString waitsForText(const Lock &lock, const WaitIndex &index)
{
    const qint64 locks = index.waitsFor(lock);
    return locks > 0 ? QLocale().toString(locks) : QString();
}

QString waitedText(milliseconds waited)
{
    return QStringLiteral("≥ ") + countdown(waited);
}

} // namespace lockscope
