// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/locktable.h"

#include "app/words.h"
#include "core/act/lockjson.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"

namespace lockscope {

namespace {

QString stateOf(const Lock &lock)
{
    if (isHidden(lock))
        return Words::tr("no lock", "state");
    if (lock.quorum && !lock.quorum->isHeld && !lock.owners.isEmpty() &&
        !lock.problems) // whether anybody holds it
        return Words::tr("unknown", "state");
    return lock.problems ? Words::tr("problem", "state") : Words::tr("held", "state");
}

QString ttlInWords(const Lock &lock, TimePoint now)
{
    if (const auto ttl = ttlAt(lock, now))
        return describe(*ttl);
    return lock.leaseOf == LeaseOf::Unknown ? Words::tr("unknown", "TTL") : Words::tr("none", "no TTL");
}

QStringList rowOf(const Lock &lock, TimePoint now)
{
    const LockOwner first = lock.owners.value(0);
    QString owner = printable(first.owner.bytes, 60);
    if (lock.owners.size() > 1)
        owner = Words::tr("%1 and %n more", nullptr, static_cast<int>(lock.owners.size() - 1)).arg(owner);
    const QString holds =
        first.holdCount ? QString::number(*first.holdCount) : printable(first.rawHoldCount, 20);
    QStringList problems;
    for (const Problem problem : problemList(lock.problems))
        problems.append(QString::fromLatin1(problemName(problem)));
    QStringList row{stateOf(lock),
                    QString::fromLatin1(familyName(lock.family)),
                    printable(lock.key().bytes),
                    owner,
                    holds,
                    ttlInWords(lock, now)};
    if (lock.quorum)
        row.append(quorumText(*lock.quorum));
    row.append(problems.join(u' '));
    return row;
}

} // namespace

Table lockTable(const QList<Lock> &locks, TimePoint now, bool isGroup)
{
    QStringList heading{Words::tr("STATE", "column of a table"), Words::tr("FAMILY", "column of a table"),
                        Words::tr("KEY", "column of a table"),   Words::tr("OWNER", "column of a table"),
                        Words::tr("HOLDS", "column of a table"), Words::tr("TTL", "column of a table")};
    if (isGroup)
        heading.append(Words::tr("SERVERS", "column of a table"));
    heading.append(Words::tr("PROBLEMS", "column of a table"));
    Table table(heading);
    for (const Lock &lock : locks)
        table.add(rowOf(lock, now), bool(lock.problems));
    return table;
}

} // namespace lockscope
