// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
