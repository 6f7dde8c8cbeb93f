// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QStringList>

#include <functional>

namespace lockscope {

// Texts before an action. Plain sentences, translated; a server's bytes are escaped. Pure.

/// Returns the display name of an owner or waiter; null: its ID.
using OwnerLabeler = std::function<QString(const OwnerId &)>;

/// The effects of force-expiring a lock: on companions, waiters and owner, and whether it will last or harm
/// the next owner.
QStringList previewForceExpire(const Lock &lock, const OwnerLabeler &call = {});
/// The effect on a holder whose lock is force-expired or released by another client.
QString holderEffect(const Lock &lock);
/// How to resolve a deadlock; previewForceExpire() includes it for such a lock.
QString deadlockRemedy();
/// Why a waiter without subscription here may be subscribed elsewhere, as part of a sentence. Empty if
/// silence proves that it is not, or was not requested.
QString silenceInWords(NoSubscribersMeaning silence);
QString removeWaiterEffect(const Lock &lock, const OwnerId &waiter, const OwnerLabeler &call = {});
/// The effect of waking the head of an orphaned queue.
QString wakeEffect(const Lock &lock, const OwnerLabeler &call = {});

} // namespace lockscope
