// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <QList>

namespace lockscope {

/// What the user knows and content can't tell: locks with such a name are of this family.
struct FamilyRule
{
    QByteArray pattern;            ///< a glob
    Family family = Family::Token; ///< one that keeps its locks as strings; others are passed over

    friend bool operator==(const FamilyRule &, const FamilyRule &) = default;
};

/// The family that the first rule that fits gives to a string that is a lock; its own where none fits, and where its
/// content proves it. Pure.
Family familyByRules(const QList<FamilyRule> &rules, const Lock &lock);

} // namespace lockscope
