// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/family.h"
#include "core/model/lockowner.h"

namespace lockscope {

struct Lock;

/// What an owner's own bytes tell about it. Absent or empty: nothing is told.
struct OwnerFacts
{
    CompactOptional<qint64> sinceMs; ///< epoch ms by the owner's clock
    bool sinceIsTry = false;         ///< sinceMs is when it began to try, not when it got the lock
    QByteArray client; ///< the UUID of the process or client instance: what a user may give a name
    QByteArray thread;
    QByteArray host;
    QByteArray process;  ///< its number on that host
    QByteArray node;     ///< of a UUID of version 1: a network address, or random
    QByteArray job;      ///< the job that the lock belongs to
    QByteArray worker;   ///< which of a client's workers
    QByteArray metadata; ///< what the application added to its token
    QByteArray permit;   ///< its id as its library writes it in logs
    QByteArray transaction;
    QByteArray
        part; ///< which of several values that a lock may lock: the hash of it, for the value itself is not kept
    bool isRecord = false; ///< an application's own fields say so: nobody vouches for what it means by them

    friend bool operator==(const OwnerFacts &, const OwnerFacts &) = default;
};

/// Pure.
OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner);

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
