// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clockjumps.h"

#include "core/redis/info.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// Clocks are slewed by less in a second, and stepped by more.
constexpr auto tolerance = 50ms;

std::optional<std::chrono::microseconds> timeIn(const QByteArray &serverInfo)
{
    const std::optional<qint64> time = infoNumber(serverInfo, "server_time_usec");
    // Far from where sums overflow; no server is of that time.
    const bool fits = time && *time >= 0 && *time < qint64(1) << 60;
    return fits ? std::optional(std::chrono::microseconds(*time)) : std::nullopt;
}

} // namespace

bool ClockJumps::happened(const QByteArray &serverInfo, TimePoint asked, TimePoint heard)
{
    const std::optional<std::chrono::microseconds> time = timeIn(serverInfo);
    if (!time) {
        m_offset.reset();
        return false;
    }
    const auto since = [&](TimePoint moment) {
        return *time - std::chrono::duration_cast<std::chrono::microseconds>(moment.time_since_epoch());
    };
    const Offset now{since(heard), since(asked)};
    const bool jumped =
        m_offset && (now.least > m_offset->most + tolerance || now.most < m_offset->least - tolerance);
    m_offset = now;
    return jumped;
}

} // namespace lockscope
