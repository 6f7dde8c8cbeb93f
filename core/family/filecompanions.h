// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/family/companions.h"

#include <array>

namespace lockscope {

// The companions of families that are data.

/// Whether what is known of the lock names a key beside it.
bool hasFileCompanions(const Lock &lock);
/// The sorted set in which those who wait for it stand; empty where there is none.
QByteArray fileQueueKey(const Lock &lock);
/// All of them, with `unknown` for what is not known of the owner.
QByteArrayList fileCompanionKeys(const Lock &lock, const QByteArray &unknown);
/// The sets from which an end of the lock takes it, with `unknown` for what is not known of an owner. Sorted, each once.
QByteArrayList indexKeys(Family family, const LockKey &lock, const QList<LockOwner> &owners,
                         const QByteArray &unknown = {});
/// The interval of the family's heartbeats, or the age from which they count as stopped; 0: unknown, or none.
milliseconds heartbeatInterval(Family family);
/// How long a holder counts as alive after a heartbeat with its time; 0: unknown.
milliseconds heartbeatLifetime(Family family);
/// The key that keeps an owner's heartbeat; empty if unknown.
QByteArray heartbeatKey(const Lock &lock, const OwnerId &owner);
extern const CompanionQuery fileRecordQuery;
extern const CompanionQuery fileQueueQuery;
extern const CompanionQuery fileHoldersQuery;
// Of a heartbeat that is the key itself, or in a sorted set, or in a hash: of one holder after the other.
extern const CompanionQuery keyHeartbeatQuery;
extern const CompanionQuery setHeartbeatQuery;
extern const CompanionQuery hashHeartbeatQuery;
inline constexpr std::array fileCompanionQueries{&fileRecordQuery,   &fileQueueQuery,    &fileHoldersQuery,
                                                 &keyHeartbeatQuery, &setHeartbeatQuery, &hashHeartbeatQuery};
/// For those keys that are named.
CompanionQueries fileCompanionQueriesOf(const Lock &lock);
constexpr Companions fileCompanions(bool hasQueue)
{
    return {.mayHave = hasFileCompanions,
            .more = fileCompanionQueriesOf,
            .later = fileCompanionQueries,
            .tellWaiters = hasQueue};
}

} // namespace lockscope
