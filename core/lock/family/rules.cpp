// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/rules.h"

#include "core/text/glob.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Whether a string can be a lock of this family.
bool keepsStrings(Family family)
{
    switch (family) {
    case Family::Reentrant:
    case Family::Unknown:
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
    case Family::RedissonReadWrite:
    case Family::RedissonMulti:
    case Family::SidekiqUniqueJobs:
    case Family::Handoff:
        return false;
    default:
        return true;
    }
}

} // namespace

Family familyByRules(const QList<FamilyRule> &rules, const Lock &lock)
{
    const bool isOpen = lock.type == KeyType::String && lock.family != Family::Unknown &&
                        factsOf(lock.family).certainty != Certainty::Certain;
    if (!isOpen)
        return lock.family;
    const auto rule = std::ranges::find_if(rules, [&lock](const FamilyRule &r) {
        return keepsStrings(r.family) && globMatches(r.pattern, lock.key().bytes);
    });
    return rule == rules.end() ? lock.family : rule->family;
}

} // namespace lockscope
