// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/feedstatus.h"

#include "core/base/glob.h"

#include <algorithm>

namespace lockscope {

FeedMode FeedStatus::worst() const
{
    const auto worst = std::ranges::max_element(routes, {}, &Route::feed);
    return worst == routes.end() ? FeedMode::Polling : worst->feed;
}

bool FeedStatus::hasPush() const
{
    return std::ranges::any_of(routes, [](const Route &route) { return route.feed != FeedMode::Polling; });
}

bool FeedStatus::uses(FeedMode feed) const
{
    return std::ranges::find(routes, feed, &Route::feed) != routes.end();
}

bool FeedStatus::tellsNewName(QByteArrayView key) const
{
    return std::ranges::any_of(routes, [key](const Route &route) {
        return (route.feed == FeedMode::Tracking || route.feed == FeedMode::Notifications) &&
               globMatches(route.pattern, key);
    });
}

FeedMode FeedStatus::routeOf(QByteArrayView key) const
{
    FeedMode best = FeedMode::Polling;
    for (const Route &route : routes) {
        if (route.feed < best && globMatches(route.pattern, key))
            best = route.feed;
    }
    return best;
}

} // namespace lockscope
