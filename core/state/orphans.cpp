// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/orphans.h"

#include "core/family/filecompanions.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

/// The owners of this ID, as stored.
QList<LockOwner> ownersOf(const Lock &lock, const OwnerId &id)
{
    QList<LockOwner> owners;
    std::ranges::copy_if(lock.owners, std::back_inserter(owners),
                         [&id](const LockOwner &owner) { return owner.owner == id; });
    return owners;
}

/// True for a process that acquired the lock after its heartbeats had stopped: it may have switched them off.
bool outlivesHeartbeat(const Lock &lock, const LockOwner &owner, const GoneHolder &holder)
{
    const OwnerFacts facts = ownerFacts(lock, owner);
    const milliseconds lasts = heartbeatLifetime(lock.family);
    return facts.sinceMs && holder.untilMs && lasts.count() > 0 &&
           *facts.sinceMs > *holder.untilMs - (lasts - orphanPatience(lock.family)).count();
}

} // namespace

QList<Family> orphanRules()
{
    QList<Family> rules;
    std::ranges::copy_if(allFamilies(), std::back_inserter(rules),
                         [](Family family) { return heartbeatInterval(family).count() > 0; });
    return rules;
}

milliseconds orphanPatience(Family family)
{
    constexpr int intervals = 2;
    return intervals * heartbeatInterval(family);
}

OrphanFinding orphanFinding(const Lock &first, const Lock &second, milliseconds apart,
                            const OrphanSurroundings &around)
{
    using Verdict = OrphanFinding::Verdict;
    const Heartbeat &before = first.companions->heartbeat;
    const Heartbeat &now = second.companions->heartbeat;
    const milliseconds patience = orphanPatience(second.family);
    const auto unknown = [](OrphanDoubt doubt) { return OrphanFinding{Verdict::Unknown, doubt}; };
    if (now.state == Heartbeat::State::Alive)
        return {Verdict::Alive};
    if (around.isReplica)
        return unknown(OrphanDoubt::Replica);
    if (around.mayRefuseWrites && now.state == Heartbeat::State::Dead)
        return unknown(OrphanDoubt::WritesRefused);
    if (now.state == Heartbeat::State::Unknown || patience.count() == 0 || second.owners.isEmpty() ||
        second.problems.testFlag(Problem::Unreadable))
        return unknown(OrphanDoubt::NoHeartbeat);
    // The holders of a count are named by a companion key, and end together.
    const bool isCount = ownersOf(second, now.gone.front().owner).isEmpty();
    OrphanFinding finding;
    bool isAll = now.areAllGone;
    qint64 holds = 0;
    for (const GoneHolder &holder : now.gone) {
        const QList<LockOwner> owners = ownersOf(second, holder.owner);
        const auto isLater = [&](const LockOwner &owner) { return outlivesHeartbeat(second, owner, holder); };
        if (std::ranges::any_of(owners, isLater))
            return unknown(OrphanDoubt::NoHeartbeat);
        if (!before.gone.contains(holder) || ownersOf(first, holder.owner) != owners) {
            isAll = false;
            continue;
        }
        finding.gone.append(holder);
        finding.expected += owners;
        holds += holder.holds;
    }
    if (isCount ? before.gone != now.gone || first.owners != second.owners : finding.gone.isEmpty())
        return unknown(OrphanDoubt::Changed);
    if (apart < patience)
        return unknown(OrphanDoubt::TooEarly);
    const bool isProven = std::ranges::all_of(finding.gone, &GoneHolder::isProven);
    const auto isGoneWithoutTrace = [](const GoneHolder &holder) { return !holder.untilMs; };
    finding.verdict = Verdict::Likely;
    if (isCount || isAll)
        finding.expected = second.owners;
    finding.isPart = !isAll;
    if (!isAll && (isCount || !specOf(second.family).scripts->canEndSome))
        finding.doubt = OrphanDoubt::OthersHold;
    else if (!isProven)
        finding.doubt = OrphanDoubt::RecordMissing;
    else if (around.mayEvict && std::ranges::any_of(finding.gone, isGoneWithoutTrace))
        finding.doubt = OrphanDoubt::Evictions;
    else if (isCount && second.owners.front().holdCount != holds)
        finding.doubt = OrphanDoubt::CountDiffers;
    else
        finding.verdict = Verdict::Orphan;
    return finding;
}

} // namespace lockscope
