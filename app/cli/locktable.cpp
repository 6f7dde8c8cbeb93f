// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/locktable.h"

#include "app/words.h"
#include "core/act/lockjson.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"

namespace lockscope {

namespace {

QString stateInWords(const WatchedLock &lock)
{
    if (isHidden(lock.lock))
        return Words::tr("no lock", "state");
    if (isPossible(lock.lock))
        return Words::tr("possible", "state");
    if (lock.problems())
        return Words::tr("problem", "state");
    const bool isUnknown = lastingState(lock) == LockState::QuorumUnknown; // whether anybody holds it
    return isUnknown ? Texts::tr("unknown") : Words::tr("held", "state");
}

QString ttlInWords(const Lock &lock, TimePoint now)
{
    if (const auto ttl = ttlAt(lock, now))
        return describe(*ttl);
    return lock.leaseOf == LeaseOf::Unknown ? Texts::tr("unknown") : Texts::tr("none");
}

/// Empty where none are known.
QString waitersInCell(const Waiters &waiters)
{
    if (waiters.certainty == WaiterCertainty::Exact)
        return grouped(waiters.count);
    const bool isTold = waiters.certainty == WaiterCertainty::AtLeast && waiters.count > 0;
    return isTold ? u'≥' + grouped(waiters.count) : QString();
}

} // namespace

QStringList lockRow(const WatchedLock &watched, TimePoint now, bool haveWaiters)
{
    const Lock &lock = watched.lock;
    const QList<LockOwner> &owners = knownOwners(lock);
    const LockOwner first = owners.value(0);
    QString owner = ownerIdText(first.owner.bytes, 60);
    if (owners.size() > 1)
        owner = Words::tr("%1 and %n more", nullptr, static_cast<int>(owners.size() - 1)).arg(owner);
    const QString atLeast = mayCountInClient(lock) ? QStringLiteral("≥") : QString();
    const QString holds =
        first.holdCount ? atLeast + QString::number(*first.holdCount) : printable(first.rawHoldCount, 20);
    QStringList problems;
    for (const Problem problem : problemList(watched.problems()))
        problems.append(QString::fromLatin1(problemName(problem)));
    QStringList row{stateInWords(watched),
                    QString::fromLatin1(familyName(lock.family)),
                    printable(lock.key().bytes),
                    owner,
                    holds,
                    ttlInWords(lock, now)};
    if (haveWaiters)
        row.append(waitersInCell(lock.companions->waiters));
    if (lock.quorum)
        row.append(quorumText(*lock.quorum));
    row.append(problems.join(u' '));
    return row;
}

Table emptyLockTable(bool isGroup, bool haveWaiters)
{
    QStringList heading{Words::tr("STATE", "column of a table"), Words::tr("FAMILY", "column of a table"),
                        Words::tr("KEY", "column of a table"),   Words::tr("OWNER", "column of a table"),
                        Words::tr("HOLDS", "column of a table"), Texts::tr("TTL")};
    if (haveWaiters)
        heading.append(Words::tr("WAITERS", "column of a table"));
    if (isGroup)
        heading.append(Words::tr("SERVERS", "column of a table"));
    heading.append(Words::tr("PROBLEMS", "column of a table"));
    return Table(heading);
}

void fitToTerminal(Table &lockTable)
{
    lockTable.fitToTerminal({{3, 9}, {1, 9}, {2, 20}}); // the key last, and least
}

} // namespace lockscope
