// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QStringList>

#include <functional>

namespace lockscope {

// What people read before they act. Plain sentences, translated; a server's bytes in them are escaped. Pure.

/// How an owner or a waiter is called where people gave names; without it, its id.
using OwnerLabeler = std::function<QString(const OwnerId &)>;

/// What ending this lock by force does: what goes with it, who is woken and how, what its owner will meet, and where it
/// won't last or will hurt the next owner.
QStringList previewForceExpire(const Lock &lock, const OwnerLabeler &call = {});
/// What a holder meets whose lock another one ends or releases.
QString holderEffect(const Lock &lock);
/// What ends a deadlock; previewForceExpire() says it of a lock that is in one.
QString deadlockRemedy();
/// Why a waiter that is not heard on this server may be subscribed all the same: part of a sentence. Empty where silence
/// proves that it is not, and where nobody was asked for.
QString silenceInWords(Silence silence);
/// What removing that waiter from the queue of this lock does.
QString removeWaiterEffect(const Lock &lock, const OwnerId &waiter, const OwnerLabeler &call = {});
/// What waking the first in the queue of this lock, which is gone, does.
QString wakeEffect(const Lock &lock, const OwnerLabeler &call = {});

} // namespace lockscope
