// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/family.h"
#include "core/model/lockowner.h"

namespace lockscope {

struct Lock;

/// What an owner's own bytes tell. Pure.
OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner);
/// The same with what is stored beside it, and beside the lock. Pure.
OwnerFacts ownerFacts(const Lock &lock, const LockOwner &holder);
/// Takes what is not known yet; a moment of acquisition counts more than one of a try.
void addFacts(OwnerFacts &facts, const OwnerFacts &more);

/// When a hold began, as is stored and so by its holder's clock: epoch ms. Absent where nothing tells it, or what does
/// cannot be so: it is later than `nowMs`, or before 2001.
struct StoredBegin
{
    CompactOptional<qint64> ms{};
    bool isTry = false; ///< it is when the owner began to try
};
StoredBegin storedBegin(const Lock &lock, const LockOwner &holder, qint64 nowMs);

/// The part of an owner's or a waiter's id that is the same wherever that thread or job holds or waits; empty where
/// the family has none. Pure.
QByteArray threadIdentity(Family family, const OwnerId &owner);
/// Of families whose ids name nothing wider: the id.
QByteArray wholeId(const OwnerId &owner);

/// Whether a client of such a lock may count re-entries itself, so that a stored 1 is a lower bound. Pure.
bool mayCountInClient(const Lock &lock);

/// An owner's id, as it is or as it is shown, has this in it. `needle` is in lower case and not empty. Pure.
bool ownersContain(Family family, const QList<LockOwner> &owners, QByteArrayView needle);

} // namespace lockscope
