// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <algorithm>
#include <optional>

namespace lockscope {

/// Notices SWAPDB: no message tells of it, but the server counts its commands.
class Swaps
{
public:
    /// The text of INFO commandstats. True where databases were swapped since the one before.
    bool happened(QByteArrayView commandStats)
    {
        constexpr QByteArrayView name = "cmdstat_swapdb:calls=";
        const qsizetype at = commandStats.indexOf(name);
        const QByteArrayView rest = at < 0 ? QByteArrayView() : commandStats.sliced(at + name.size());
        const auto end = std::ranges::find_if(rest, [](char c) { return c < '0' || c > '9'; });
        const qint64 calls = rest.first(end - rest.begin()).toLongLong();
        const bool more = m_calls && calls > *m_calls;
        m_calls = calls;
        return more;
    }
    void reset() { m_calls.reset(); }

private:
    std::optional<qint64> m_calls; ///< absent: nothing to compare with
};

} // namespace lockscope
