// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clockjumps.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// Clocks are slewed by less in a second, and stepped by more.
constexpr auto tolerance = 50ms;

std::optional<std::chrono::microseconds> timeIn(QByteArrayView serverInfo)
{
    constexpr QByteArrayView name = "\nserver_time_usec:";
    const qsizetype at = serverInfo.indexOf(name);
    if (at < 0)
        return std::nullopt;
    const QByteArrayView rest = serverInfo.sliced(at + name.size());
    const auto end = std::ranges::find_if(rest, [](char c) { return c < '0' || c > '9'; });
    bool isNumber = false;
    const qint64 time = rest.first(end - rest.begin()).toLongLong(&isNumber);
    // Far from where sums overflow; no server is of that time.
    return isNumber && time < qint64(1) << 60 ? std::optional(std::chrono::microseconds(time)) : std::nullopt;
}

} // namespace

bool ClockJumps::happened(QByteArrayView serverInfo, TimePoint asked, TimePoint heard)
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
