// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/content.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

OwnersMatch holding(QList<LockOwner> owners, EvidenceSet evidence, bool complete)
{
    if (owners.size() > 1)
        std::ranges::sort(owners, {}, [](const LockOwner &h) { return std::tuple(h.owner, h.mode); });
    OwnersMatch result{std::move(owners), evidence, {}};
    result.problems.setFlag(Problem::TooBig, !complete);
    result.problems.setFlag(Problem::BadCount, std::ranges::any_of(result.owners, [](const LockOwner &h) {
                                return !h.holdCount;
                            }));
    return result;
}

OwnersMatch holding(const QList<QByteArray> &members, EvidenceSet evidence, HoldMode mode, bool complete)
{
    QList<LockOwner> owners;
    owners.reserve(members.size());
    for (const QByteArray &member : members)
        owners.append({OwnerId(member), {}, 1, mode});
    return holding(std::move(owners), evidence, complete);
}

} // namespace lockscope
