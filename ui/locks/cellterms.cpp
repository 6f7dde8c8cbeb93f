// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/cellterms.h"

#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/damage.h"
#include "core/state/filterword.h"
#include "core/state/lockstate.h"

namespace lockscope {

QList<CellTerm> cellTerms(const WatchedLock &watched, TimePoint now, const ClusterStatus &cluster)
{
    const Lock &lock = watched.lock;
    const LockState state = stateOf(watched, now);
    QList<CellTerm> terms;
    const auto add = [&terms](LockColumn column, const QString &term) { terms.append({column, term}); };
    const auto addExact = [&](LockColumn column, const char *field, QByteArrayView bytes) {
        if (const auto word = exactWord(field, bytes))
            add(column, *word);
    };
    add(LockColumn::State, QStringLiteral("state:") + QString::fromLatin1(stateName(state)));
    addExact(LockColumn::Key, "key", lock.key().bytes);
    add(LockColumn::Family, QStringLiteral("family:") + QString::fromLatin1(familyName(lock.family)));
    if (!lock.owners.isEmpty()) {
        const QByteArray &owner = lock.owners.first().owner.bytes;
        if (!owner.isEmpty())
            addExact(LockColumn::Owner, "owner", specOf(lock.family).ownersAreBytes ? owner.toHex() : owner);
    }
    if (lock.beside->waiters.certainty != WaiterCertainty::Unknown)
        add(LockColumn::Waiters, QStringLiteral("waiters=%1").arg(lock.beside->waiters.count));
    if (const NodeStatus *node = cluster.isCluster() ? cluster.nodeOf(lock.key()) : nullptr;
        node && !node->name.isEmpty())
        addExact(LockColumn::Node, "node", node->name.toUtf8());
    if (state == LockState::Stalled)
        add(LockColumn::Problem, QStringLiteral("problem:stalled"));
    if (isUnusuallyLong(watched, now))
        add(LockColumn::Problem, QStringLiteral("problem:unusual"));
    for (const Problem problem : problemList(watched.problems()))
        add(LockColumn::Problem, QStringLiteral("problem:") + QString::fromLatin1(problemName(problem)));
    return terms;
}

} // namespace lockscope
