// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/trackingprefixes.h"

#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/monitor/lockstore.h"

#include <algorithm>
#include <functional>

namespace lockscope {

namespace {

bool isCovered(const QByteArray &head, const QList<QByteArray> &prefixes)
{
    return std::ranges::any_of(prefixes,
                               [&head](const QByteArray &prefix) { return head.startsWith(prefix); });
}

} // namespace

QList<QByteArray> heardPatterns(const KeyNameFilter &names, const LockStore &locks)
{
    QList<QByteArray> patterns = names.inUse();
    if (!names.discovers() ||
        patterns.size() <= maxTrackingPrefixes) // in the user's order, or there is room for all
        return patterns;
    QMap<QByteArray, qint64> locksUnder = names.found();
    for (const LockKey &key : locks.keys()) {
        for (const QByteArray &glob : names.globsOf(key.bytes))
            locksUnder[glob] += isNoLock(locks.find(key)->lock) ? 0 : 1;
    }
    std::ranges::stable_sort(patterns, std::greater<>(),
                             [&](const QByteArray &glob) { return locksUnder.value(glob); });
    return patterns;
}

TrackingPrefixes trackingPrefixes(const QList<QByteArray> &patterns)
{
    TrackingPrefixes found;
    for (const QByteArray &pattern : patterns) {
        const QByteArray head = literalPrefix(pattern);
        if (isCovered(head, found.prefixes))
            continue;
        // A shorter head takes the place of all that begin with it, so it may come in where there is no room.
        QList<QByteArray> others = found.prefixes;
        others.removeIf([&head](const QByteArray &prefix) { return prefix.startsWith(head); });
        if (head.isEmpty() || others.size() >= maxTrackingPrefixes)
            found.rest.append(pattern);
        else
            found.prefixes = others << head;
    }
    // A shorter head that came later may cover one for which there was no room.
    found.rest.removeIf(
        [&found](const QByteArray &pattern) { return isCovered(literalPrefix(pattern), found.prefixes); });
    return found;
}

} // namespace lockscope
