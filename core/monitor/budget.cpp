// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/budget.h"

#include <cmath>
#include <ctime>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto cheapestRead = 1us;
/// Minimum time for a page with many names; a server that reports less or nothing is not asked more often for
/// it.
constexpr auto cheapestPage = 100us;
constexpr auto costliestRead = 10us; // a bounded read of one key; ten times what was measured
constexpr auto costliestPage = 2000us;
constexpr int tellingReads = 32; // so many say what one costs
constexpr auto readAhead = 50ms;
constexpr auto longestDebt = 1s; // of what is read without asking for the price: what is looked at, what ends
constexpr double least = 0.2;    // of the share
/// Time for consecutive pages before a pause: the first ones find cold caches in the server and cost several
/// times as much. Other commands run between the pages.
constexpr auto stretch = 50ms;
constexpr auto averagedOver = 1s;

} // namespace

Clock::duration Budget::costOfRead() const
{
    return std::clamp<Clock::duration>(m_byServer.read().value_or(m_read.value()), cheapestRead,
                                       costliestRead);
}

Clock::duration Budget::usually(int reads, int pages) const
{
    return reads * costOfRead() +
           pages * std::clamp<Clock::duration>(m_page.value(), cheapestPage, costliestPage);
}

Clock::duration Budget::ownTime()
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
#endif
    return {};
}

Clock::duration Budget::measure(Clock::duration time, Clock::duration own, bool waited, int reads, int pages)
{
    time -= own;
    if (!waited)
        m_idleRoundTrip = std::min(m_idleRoundTrip, time);
    const Clock::duration worked = std::max<Clock::duration>(waited ? time : time - m_idleRoundTrip, 0us);
    if (pages == 0 && reads >= tellingReads)
        m_read.add(worked / reads);
    else if (pages == 1)
        m_page.add(ofPages(worked, reads));
    m_lastWorked = std::min<Clock::duration>(worked, reads * costliestRead + pages * costliestPage);
    if (!m_byServer.read() || (pages > 0 && !m_byServer.page()))
        return std::clamp<Clock::duration>(worked, reads * cheapestRead + pages * cheapestPage,
                                           usually(reads, pages));
    // Who else scans, and in how large pages, is in the statistics too: ours may cost more.
    const bool isSeen = m_page.value() != Clock::duration::max();
    const auto seen = isSeen ? std::min<Clock::duration>(m_page.value(), costliestPage) : 0us;
    return reads * std::max<Clock::duration>(*m_byServer.read(), cheapestRead) +
           pages * std::max<Clock::duration>({m_byServer.page().value_or(0us), seen, cheapestPage});
}

Clock::duration Budget::ofPages(Clock::duration cost, int reads) const
{
    const bool isKnown = m_byServer.read() || m_read.value() != Clock::duration::max();
    return std::max<Clock::duration>(cost - (isKnown ? usually(reads, 0) : reads * cheapestRead), 0us);
}

double Budget::Use::by(TimePoint now) const
{
    const double age = std::chrono::duration<double>(now - at) / averagedOver;
    return share * std::exp(-std::max(age, 0.0));
}

void Budget::Use::add(Clock::duration cost, TimePoint now)
{
    share = by(now) + std::chrono::duration<double>(cost) / averagedOver;
    at = now;
}

void Budget::chargePush(Clock::duration cost, TimePoint at)
{
    m_byTelling.add(cost, at);
}

void Budget::chargeChanges(Clock::duration cost, double share, TimePoint startedAt)
{
    m_byChanges.add(cost, startedAt);
    m_changes.charge(cost, std::max(share - m_byTelling.by(startedAt), share * least), startedAt);
    m_changes.limit(startedAt + longestDebt);
}

double Budget::leftForScans(double share, TimePoint at) const
{
    return std::max(share - m_byTelling.by(at) - m_byChanges.by(at), share * least);
}

void Budget::learn(QByteArrayView commandStats, double share, TimePoint now)
{
    m_byServer.take(commandStats);
    const Charged charged = std::exchange(m_charged, {});
    if (!m_byServer.read() || !m_byServer.page())
        return;
    const auto owed = charged.reads * *m_byServer.read() + charged.pages * *m_byServer.page() - charged.cost;
    if (owed <= 0us)
        return;
    m_scans.charge(owed, leftForScans(share, now), now);
    if (m_nextScan > now) // it rests
        m_nextScan = m_scans.next();
}

void Budget::chargeScan(Clock::duration cost, int reads, int pages, double share, TimePoint startedAt)
{
    m_charged.reads += reads;
    m_charged.pages += pages;
    m_charged.cost += cost;
    m_scans.charge(cost, leftForScans(share, startedAt), startedAt);
    m_atAStretch += cost;
    if (m_atAStretch < stretch)
        return;
    m_atAStretch = {};
    m_nextScan = m_scans.next();
}

void Budget::clearCharges()
{
    m_scans.clearCharges();
    m_charged = {};
    m_atAStretch = {};
    m_nextScan = {};
}

TimePoint Budget::nextChanges() const
{
    return m_changes.next() - readAhead;
}

} // namespace lockscope
