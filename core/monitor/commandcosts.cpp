// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/commandcosts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope {

namespace {

constexpr std::array<QByteArrayView, 4> reads{
    "cmdstat_pttl:", "cmdstat_hscan:", "cmdstat_getrange:", "cmdstat_type:"};
constexpr std::array<QByteArrayView, 1> pages{"cmdstat_scan:"};
/// Processor time relative to a server's statistics, for reads in large batches and for a page.
constexpr double readWithItsWay = 1.3;
constexpr double pageWithItsWay = 1.25;
constexpr double enoughReads = 100;
constexpr double enoughPages = 1;
constexpr double longest = 100e3; // us; nothing of ours takes longer, whatever a server says

/// "…,name=12.5,…"
double figure(QByteArrayView line, QByteArrayView name)
{
    const qsizetype at = line.indexOf(name);
    if (at < 0)
        return 0;
    QByteArrayView value = line.sliced(at + name.size());
    if (const qsizetype end = value.indexOf(','); end >= 0)
        value = value.first(end);
    const double number = value.trimmed().toDouble();
    return std::isfinite(number) ? std::max(number, 0.0) : 0; // a peer may say anything
}

} // namespace

void CommandCosts::Kind::take(QByteArrayView commandStats, std::span<const QByteArrayView> names,
                              double enough, double withItsWay)
{
    double allCalls = 0;
    double allTime = 0;
    for (const QByteArrayView name : names) {
        const qsizetype at = commandStats.indexOf(name);
        if (at < 0)
            continue;
        QByteArrayView line = commandStats.sliced(at + name.size());
        if (const qsizetype end = line.indexOf('\n'); end >= 0)
            line = line.first(end);
        allCalls += figure(line, "calls=");
        allTime += figure(line, "usec=");
    }
    if (allCalls < calls || allTime < microseconds)
        calls = microseconds = 0;
    const double newCalls = allCalls - calls;
    if (newCalls < enough)
        return; // until there are more
    const double each = std::min((allTime - microseconds) / newCalls * withItsWay, longest);
    cost = std::chrono::nanoseconds(qRound64(each * 1000));
    calls = allCalls;
    microseconds = allTime;
}

void CommandCosts::take(QByteArrayView commandStats)
{
    m_read.take(commandStats, reads, enoughReads, readWithItsWay);
    m_page.take(commandStats, pages, enoughPages, pageWithItsWay);
}

} // namespace lockscope
