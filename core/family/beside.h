// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/companions.h"

#include <array>

namespace lockscope {

// The companions of families that are data.

/// Whether what is known of the lock names a key beside it.
bool hasBeside(const Lock &lock);
/// The sorted set in which those who wait for it stand; empty where there is none.
QByteArray besideQueue(const Lock &lock);
/// All of them, with `unknown` for what is not known of the owner.
QByteArrayList besideKeys(const Lock &lock, const QByteArray &unknown);
/// The sets from which an end of the lock takes it, with `unknown` for what is not known of an owner. Sorted, each once.
QByteArrayList besideIndexes(Family family, const LockKey &lock, const QList<LockOwner> &owners,
                             const QByteArray &unknown = {});
extern const CompanionQuery besideRecordQuery;
extern const CompanionQuery besideQueueQuery;
extern const CompanionQuery besideHoldersQuery;
// Of a heartbeat that is the key itself, or in a sorted set, or in a hash: of one holder after the other.
extern const CompanionQuery besideKeyBeatQuery;
extern const CompanionQuery besideSetBeatQuery;
extern const CompanionQuery besideHashBeatQuery;
inline constexpr std::array besideQueries{&besideRecordQuery,  &besideQueueQuery,   &besideHoldersQuery,
                                          &besideKeyBeatQuery, &besideSetBeatQuery, &besideHashBeatQuery};
/// For those keys that are named.
CompanionQueries besideQueriesOf(const Lock &lock);
constexpr Companions besideCompanions(bool hasQueue)
{
    return {.mayHave = hasBeside, .more = besideQueriesOf, .later = besideQueries, .tellWaiters = hasQueue};
}

} // namespace lockscope
