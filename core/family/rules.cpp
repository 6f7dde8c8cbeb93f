// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/rules.h"

#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>

namespace lockscope {

namespace {

bool mayBeString(Family family)
{
    const FamilySpec &spec = specOf(family);
    return keepsStrings(spec) || spec.isProvenBySubscribers || family == plainToken();
}

} // namespace

void nameByRules(const QList<FamilyRule> &rules, Lock &lock)
{
    const bool isOpen =
        lock.type == KeyType::String && !lock.family.isUnknown() && certaintyOf(lock) != Certainty::Certain;
    if (!isOpen)
        return;
    const auto rule = std::ranges::find_if(rules, [&lock](const FamilyRule &r) {
        return mayBeString(r.family) && globMatches(r.pattern, lock.key().bytes);
    });
    if (rule == rules.end())
        return;
    const bool fits = lock.family == rule->family || candidatesOf(lock).contains(rule->family);
    lock.evidence.set(Evidence::Content, fits);
    lock.evidence.set(Evidence::Rule);
    setFamily(lock, rule->family);
}

} // namespace lockscope
