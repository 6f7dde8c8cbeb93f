// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/trackingprefixes.h"

#include "core/monitor/glob.h"

#include <algorithm>

namespace lockscope {

TrackingPrefixes trackingPrefixes(const QList<QByteArray> &patterns)
{
    TrackingPrefixes found;
    for (const QByteArray &pattern : patterns) {
        const QByteArray head = literalHead(pattern);
        const bool covered = std::ranges::any_of(
            found.prefixes, [&head](const QByteArray &prefix) { return head.startsWith(prefix); });
        if (covered)
            continue;
        // A shorter head takes the place of all that begin with it, so it may come in where there is no room.
        QList<QByteArray> others = found.prefixes;
        others.removeIf([&head](const QByteArray &prefix) { return prefix.startsWith(head); });
        if (head.isEmpty() || others.size() >= mostTrackingPrefixes)
            found.rest.append(pattern);
        else
            found.prefixes = others << head;
    }
    return found;
}

} // namespace lockscope
