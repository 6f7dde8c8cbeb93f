// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/bannerchoice.h"

class QAction;

namespace lockscope {

class EmptyState;
class MainActions;

/// Explains why the table is empty and what to do next. `hasScanned`: a full scan has finished. `copyGrant`
/// copies the ACL rule for missing permissions.
void showEmptyTable(EmptyState &empty, const BannerFacts &facts, const QList<QByteArray> &patterns,
                    bool hasScanned, const MainActions &commands, QAction *copyGrant);
void showEmptyReplay(EmptyState &empty, const BannerFacts &facts, const ReplayFacts &replay,
                     const MainActions &commands);

} // namespace lockscope
