// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/recognize.h"
#include "core/family/shapes.h"

namespace lockscope {

// What recognize() does for each type of content. Pure.
Recognition recognizeHash(const LockKey &key, const HashContent &hash, CompactOptional<milliseconds> ttl);
Recognition recognizeString(const LockKey &key, const StringContent &string,
                            CompactOptional<milliseconds> ttl, qint64 nowMs);
Recognition recognizeSortedSet(const LockKey &key, const SortedSetContent &set,
                               CompactOptional<milliseconds> ttl, qint64 nowMs);
Recognition recognizeSet(const LockKey &key, const SetContent &set);

/// A family that a key may be of, and what speaks for it.
struct Claim
{
    Family family = Family::Token;
    EvidenceSet evidence{};
};
/// The one that speaks loudest for a string, whether it is enough or not. `ttl`: absent where there is no expiry.
Claim tokenClaim(QByteArrayView key, QByteArrayView value, TokenFormat shape,
                 CompactOptional<milliseconds> ttl, qint64 nowMs);
/// That of a hash whose fields are owners, as Redisson keeps them.
Claim countedClaim(QByteArrayView key, const QList<LockOwner> &owners, CompactOptional<milliseconds> ttl);

/// Which families may have written this string under this name, the most usual first.
QList<Family> tokenCandidates(QByteArrayView key, QByteArrayView value);

} // namespace lockscope
