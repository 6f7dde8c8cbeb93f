// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/trackingprefixes.h"

#include "core/base/glob.h"

#include <algorithm>

namespace lockscope {

namespace {

bool isCovered(const QByteArray &head, const QList<QByteArray> &prefixes)
{
    return std::ranges::any_of(prefixes,
                               [&head](const QByteArray &prefix) { return head.startsWith(prefix); });
}

} // namespace

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
        if (head.isEmpty() || others.size() >= mostTrackingPrefixes)
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
