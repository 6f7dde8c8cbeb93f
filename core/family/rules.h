// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// A user's rule: locks with such a name are of this family.
struct FamilyRule
{
    QByteArray pattern; ///< a glob
    Family family;      ///< a family of string locks; others are ignored

    friend bool operator==(const FamilyRule &, const FamilyRule &) = default;
};

/// Sets the family of a string lock by the first rule that matches, unless the family is certain without it.
/// Pure.
void nameByRules(const QList<FamilyRule> &rules, Lock &lock);

} // namespace lockscope
