// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/bannerchoice.h"

class QAction;

namespace lockscope {

class EmptyState;
class MainActions;

/// Says why a page's table has no locks, and what to do next. `hasScanned`: all keys were read once. `copyGrant`: of the
/// permissions that are missing.
void showEmptyTable(EmptyState &empty, const BannerFacts &facts, const QList<QByteArray> &patterns,
                    bool hasScanned, const MainActions &commands, QAction *copyGrant);
/// The same of a recording's moment.
void showEmptyReplay(EmptyState &empty, const BannerFacts &facts, const ReplayFacts &replay,
                     const MainActions &commands);

} // namespace lockscope
