// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QJsonObject>

namespace lockscope {

// What the audit log and the terminal's JSON have in common. Names of the contract: never translated.

/// `idName` for its bytes, "holds" where the count is one, "mode" where it shares the lock.
QJsonObject ownerJson(const LockOwner &owner, const QString &idName);
/// "state", "looks_like_lock", "attached_to"; without the lock itself.
QJsonObject foundJson(const Found &found);

} // namespace lockscope
