// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/family/recognise.h"

namespace lockscope {

// What recognise() does for each type of content. Pure.
Recognition recogniseHash(const LockKey &key, const HashContent &hash);
Recognition recogniseString(const LockKey &key, const StringContent &string, Maybe<milliseconds> ttl,
                            qint64 nowMs);
Recognition recogniseSortedSet(const LockKey &key, const SortedSetContent &set, Maybe<milliseconds> ttl,
                               qint64 nowMs);
Recognition recogniseSet(const LockKey &key, const SetContent &set);

/// Which families may have written this string under this name, the most usual first.
QList<Family> tokenCandidates(QByteArrayView key, QByteArrayView value);

} // namespace lockscope
