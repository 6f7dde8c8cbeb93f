// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/feedstatus.h"

#include <algorithm>

namespace lockscope {

Feed FeedStatus::worst() const
{
    const auto worst = std::ranges::max_element(routes, {}, &Route::feed);
    return worst == routes.end() ? Feed::Polling : worst->feed;
}

bool FeedStatus::tellsAnything() const
{
    return std::ranges::any_of(routes, [](const Route &route) { return route.feed != Feed::Polling; });
}

} // namespace lockscope
