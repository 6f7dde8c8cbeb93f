// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr std::array names{
    std::pair{Evidence::Content, "content"},
    std::pair{Evidence::Name, "name"},
    std::pair{Evidence::Companions, "companions"},
    std::pair{Evidence::Lease, "lease"},
    std::pair{Evidence::Renewals, "renewals"},
    std::pair{Evidence::Listeners, "listeners"},
    std::pair{Evidence::Rule, "rule"},
};

} // namespace

Certainty certaintyOf(Family family, EvidenceSet evidence)
{
    const Proof &proof = specOf(family).proof;
    if (proof.certain.areMetBy(evidence))
        return Certainty::Certain;
    return proof.likely.areMetBy(evidence) ? Certainty::Likely : Certainty::Ambiguous;
}

Certainty certaintyOf(const Lock &lock)
{
    return certaintyOf(lock.family, lock.evidence);
}

bool isHidden(const Lock &lock)
{
    return lock.family.isUnknown() && lock.evidence.isEmpty() && !lock.problems.testFlag(Problem::TooBig);
}

const char *evidenceName(Evidence evidence)
{
    return std::ranges::find(names, evidence, [](const auto &name) { return name.first; })->second;
}

const char *certaintyName(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Certain:
        return "certain";
    case Certainty::Likely:
        return "likely";
    case Certainty::Ambiguous:
        break;
    }
    return "ambiguous";
}

QList<Evidence> evidenceList(EvidenceSet evidence)
{
    QList<Evidence> list;
    for (const auto &[one, name] : names) {
        if (evidence.has(one))
            list.append(one);
    }
    return list;
}

} // namespace lockscope
