// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/feedstatus.h"

#include <algorithm>

namespace lockscope {

Feed FeedStatus::worst() const
{
    const auto worst = std::ranges::max_element(routes, {}, &Route::feed);
    return worst == routes.end() ? Feed::Polling : worst->feed;
}

} // namespace lockscope
