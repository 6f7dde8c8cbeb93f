// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// What the user knows and content can't tell: locks with such a name are of this family.
struct FamilyRule
{
    QByteArray pattern; ///< a glob
    Family family;      ///< one that keeps its locks as strings; others are passed over

    friend bool operator==(const FamilyRule &, const FamilyRule &) = default;
};

/// Names a string that is a lock as the first rule does that fits; nothing where none fits, and where the lock's family is
/// certain without it. Pure.
void nameByRules(const QList<FamilyRule> &rules, Lock &lock);

} // namespace lockscope
