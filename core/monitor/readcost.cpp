// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readcost.h"

#include <array>

namespace lockscope {

namespace {

constexpr std::array<QByteArrayView, 4> reads{
    "cmdstat_pttl:", "cmdstat_hscan:", "cmdstat_getrange:", "cmdstat_type:"};
constexpr double enough = 100; // calls
/// Processor time of a server by what its statistics say of such commands: 1.3 in batches of a thousand, 1.8 of ninety.
constexpr double withItsWay = 1.6;

/// "…,name=12.5,…"
double figure(QByteArrayView line, QByteArrayView name)
{
    const qsizetype at = line.indexOf(name);
    if (at < 0)
        return 0;
    QByteArrayView value = line.sliced(at + name.size());
    if (const qsizetype end = value.indexOf(','); end >= 0)
        value = value.first(end);
    return value.trimmed().toDouble();
}

} // namespace

void ReadCost::take(QByteArrayView commandStats)
{
    double calls = 0;
    double microseconds = 0;
    for (const QByteArrayView name : reads) {
        const qsizetype at = commandStats.indexOf(name);
        if (at < 0)
            continue;
        QByteArrayView line = commandStats.sliced(at + name.size());
        if (const qsizetype end = line.indexOf('\n'); end >= 0)
            line = line.first(end);
        calls += figure(line, "calls=");
        microseconds += figure(line, "usec=");
    }
    const double newCalls = calls - m_calls;
    const double newTime = microseconds - m_microseconds;
    if (newCalls >= 0 && newCalls < enough && newTime >= 0)
        return; // until there are more
    m_calls = calls;
    m_microseconds = microseconds;
    if (newCalls >= enough && newTime >= 0)
        m_cost = std::chrono::nanoseconds(static_cast<qint64>(newTime / newCalls * withItsWay * 1000));
}

} // namespace lockscope
