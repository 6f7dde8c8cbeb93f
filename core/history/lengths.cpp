// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lengths.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockscope {

namespace {

/// Buckets per doubling, as bits: a bucket spans a 128th of its maximum.
constexpr int partBits = 7;
constexpr quint32 parts = quint32(1) << partBits;

} // namespace

size_t Lengths::bucketOf(quint32 ms)
{
    if (ms < parts)
        return ms;
    const int shift = int(std::bit_width(ms)) - partBits - 1;
    return size_t(shift) * parts + (ms >> shift);
}

quint32 Lengths::leastOf(size_t bucket)
{
    if (bucket < parts)
        return quint32(bucket);
    const size_t shift = bucket / parts - 1;
    return quint32((bucket - shift * parts) << shift);
}

void Lengths::add(quint32 ms)
{
    ++m_count;
    m_longest = std::max(m_longest, ms);
    if (m_buckets.empty() && m_exact.size() < maxExact)
        return m_exact.push_back(ms);
    if (m_buckets.empty()) {
        m_buckets.resize(bucketOf(~quint32(0)) + 1);
        for (const quint32 each : m_exact)
            ++m_buckets[bucketOf(each)];
        m_exact = {};
    }
    ++m_buckets[bucketOf(ms)];
}

quint32 Lengths::quantile(double share)
{
    if (m_count == 0)
        return 0;
    const auto rank = std::clamp<qint64>(qint64(std::ceil(share * double(m_count))), 1, m_count);
    if (m_buckets.empty()) {
        const auto at = m_exact.begin() + (rank - 1);
        std::ranges::nth_element(m_exact, at);
        return *at;
    }
    qint64 below = 0;
    for (size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        below += m_buckets[bucket];
        if (below >= rank)
            return leastOf(bucket);
    }
    return m_longest;
}

} // namespace lockscope
