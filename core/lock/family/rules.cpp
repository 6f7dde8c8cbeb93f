// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/rules.h"

namespace lockscope {

Family familyByRules(const QList<FamilyRule> &, const Lock &lock)
{
    return lock.family;
}

} // namespace lockscope
