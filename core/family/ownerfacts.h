// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/family.h"
#include "core/model/lockowner.h"

namespace lockscope {

struct Lock;

/// Details in the owner's own bytes. Pure.
OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner);
/// Details in the owner's own bytes, its stored value and the lock's companions. Pure.
OwnerFacts ownerFacts(const Lock &lock, const LockOwner &holder);
/// Adds details that are missing; a moment of acquisition replaces one of an attempt.
void addFacts(OwnerFacts &facts, const OwnerFacts &more);

/// The stored begin of a hold by its holder's clock, in epoch ms. Absent if nothing stores it, or if it is
/// later than `nowMs` or before 2001.
struct StoredBegin
{
    CompactOptional<qint64> ms{};
    bool isTry = false; ///< the moment of the owner's first attempt
};
StoredBegin storedBegin(const Lock &lock, const LockOwner &holder, qint64 nowMs);

/// The part of an owner's or waiter's ID that is the same wherever that thread or job holds or waits; empty
/// if the family has none. Pure.
QByteArray threadIdentity(Family family, const OwnerId &owner);
/// The whole ID, as thread identity for families whose IDs name nothing wider; empty for one that others may write too.
QByteArray wholeId(const OwnerId &owner);

/// True if a client of such a lock may count re-entries itself: a stored 1 is a lower bound. Pure.
bool mayCountInClient(const Lock &lock);

/// True if an owner's ID, raw or as displayed, contains `needle`, which is in lower case and not empty. Pure.
bool ownersContain(Family family, const QList<LockOwner> &owners, QByteArrayView needle);

} // namespace lockscope
