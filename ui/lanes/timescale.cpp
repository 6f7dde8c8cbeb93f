// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/timescale.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope {

namespace {

constexpr qint64 hourMs = 3'600'000;
constexpr double aheadShare = 0.02;

} // namespace

void TimeScale::setPlace(double left, double width)
{
    m_left = left;
    m_width = std::max(width, 1.0);
}

void TimeScale::setKnown(TimeRange known)
{
    m_known = known;
    bound();
}

void TimeScale::setFollowing(bool on)
{
    m_isFollowing = on;
    bound();
}

qint64 TimeScale::longestSpan() const
{
    return std::max(hourMs, (m_known.toMs - m_known.fromMs) * 11 / 10);
}

void TimeScale::bound()
{
    m_spanMs = std::clamp(m_spanMs, leastSpanMs, longestSpan());
    const qint64 latest = m_known.toMs + qint64(double(m_spanMs) * aheadShare) - m_spanMs;
    const qint64 earliest = std::min(m_known.fromMs - m_spanMs / 2, latest);
    m_fromMs = m_isFollowing ? latest : std::clamp(m_fromMs, earliest, latest);
}

void TimeScale::setSpan(qint64 spanMs)
{
    const qint64 middle = m_fromMs + m_spanMs / 2;
    m_spanMs = spanMs;
    m_fromMs = middle - spanMs / 2;
    bound();
}

void TimeScale::zoom(double factor, qint64 aroundMs)
{
    const double share = double(aroundMs - m_fromMs) / double(m_spanMs);
    m_spanMs = std::clamp(qint64(std::llround(double(m_spanMs) * factor)), leastSpanMs, longestSpan());
    m_fromMs = aroundMs - qint64(std::llround(share * double(m_spanMs)));
    bound();
}

void TimeScale::pan(qint64 byMs)
{
    const qint64 wanted = m_fromMs + byMs;
    m_isFollowing = false;
    m_fromMs = wanted;
    bound();
    m_isFollowing = byMs > 0 && m_fromMs < wanted;
}

void TimeScale::show(TimeRange time)
{
    m_isFollowing = false;
    m_spanMs = time.toMs - time.fromMs;
    m_fromMs = time.fromMs;
    bound();
}

void TimeScale::showFirst()
{
    m_isFollowing = false;
    m_fromMs = m_known.fromMs - m_spanMs / 50;
    bound();
}

void TimeScale::fit()
{
    const qint64 all = std::max(m_known.toMs - m_known.fromMs, leastSpanMs);
    m_spanMs = all + all / 20;
    m_isFollowing = true;
    bound();
}

void TimeScale::reveal(qint64 atMs)
{
    const qint64 margin = m_spanMs / 20;
    if (atMs < m_fromMs + margin)
        pan(atMs - margin - m_fromMs);
    else if (atMs > m_fromMs + m_spanMs - margin && !m_isFollowing)
        pan(atMs + margin - m_fromMs - m_spanMs);
}

double TimeScale::xOf(qint64 atMs) const
{
    return m_left + double(atMs - m_fromMs) * m_width / double(m_spanMs);
}

qint64 TimeScale::atX(double x) const
{
    return m_fromMs + qint64(std::llround((x - m_left) * double(m_spanMs) / m_width));
}

qint64 TimeScale::stepMs() const
{
    return std::max<qint64>(1, qint64(double(m_spanMs) / m_width));
}

qint64 TimeScale::decimalStepMs(double leastMs)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(leastMs, 1.0))));
    for (const double digit : {1, 2, 5}) {
        if (digit * power >= leastMs)
            return qint64(digit * power);
    }
    return qint64(10 * power);
}

qint64 TimeScale::clockStepMs(double leastMs)
{
    constexpr std::array<qint64, 22> steps{
        1,     2,      5,      10,     20,     50,      100,     200,     500,       1'000,     2'000,
        5'000, 10'000, 15'000, 30'000, 60'000, 120'000, 300'000, 600'000, 1'800'000, 3'600'000, 21'600'000};
    const auto found =
        std::ranges::find_if(steps, [leastMs](qint64 step) { return double(step) >= leastMs; });
    return found == steps.end() ? qint64(std::ceil(leastMs / double(steps.back()))) * steps.back() : *found;
}

QString TimeScale::labelOf(qint64 wallMs, qint64 labelStepMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).toString(labelStepMs < 1000 ? QStringLiteral("HH:mm:ss.zzz")
                                                           : labelStepMs < 60'000 ? QStringLiteral("HH:mm:ss")
                                                           : labelStepMs < 86'400'000
                                                               ? QStringLiteral("HH:mm")
                                                               : QStringLiteral("MM-dd HH:mm"));
}

} // namespace lockscope
