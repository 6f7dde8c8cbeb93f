// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/clusterstatus.h"
#include "ui/locks/lockorder.h"

#include <QList>
#include <QString>

namespace lockscope {

/// What a cell of the table says, as a term of the filter that matches the locks of which the same is true.
struct CellTerm
{
    LockColumn column;
    QString term;
};

/// Of a lock at a moment, in the order of the columns. A cell for which the filter has no words has no term: times pass, and
/// a hold count is none of its tokens.
QList<CellTerm> cellTerms(const WatchedLock &lock, TimePoint now, const ClusterStatus &cluster);

} // namespace lockscope
