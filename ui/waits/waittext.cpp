// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/waits/waittext.h"
#include "ui/widgets/plaintext.h"

#include "core/base/printable.h"
#include "core/family/ownerfacts.h"
#include "ui/locks/locktext.h"
#include "ui/waits/waitindex.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>

namespace lockscope {

namespace {

struct WaitText
{
    Q_DECLARE_TR_FUNCTIONS(WaitText)
};

constexpr qsizetype keyCodePoints = 60;
constexpr qsizetype ownerLetters = 26; // a UUID is known by its ends

QString keyText(const LockKey &key)
{
    return printable(key.bytes, keyCodePoints);
}

/// One by its identity, which is as good as an owner's id of the family that told it.
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
        lines << WaitText::tr("%1 holds %2 and waits for %3")
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
            const QString who =
                lock.owners.size() == 1
                    ? WaitText::tr("The owner")
                    : shortened(names.text(lock.family, lock.key(), holder.owner), ownerLetters);
            const WatchedLock *other = index.find(key);
            const QString owner = other ? shortened(ownerText(other->lock, names), ownerLetters) : QString();
            sentences << (owner.isEmpty()
                              ? WaitText::tr("%1 waits for %2.").arg(who, keyText(key))
                              : WaitText::tr("%1 waits for %2 (owner: %3).").arg(who, keyText(key), owner));
        }
    }
    return sentences.join(u'\n');
}

} // namespace lockscope
