// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockscope {

/// Durations in ms with quantiles. Exact up to maxExact values; with more, they are rounded down by at most
/// 1%, and the longest stays exact. 16 KiB at most.
class Lengths
{
public:
    static constexpr size_t maxExact = 4096;

    void add(quint32 ms);
    qint64 count() const { return m_count; }
    /// The smallest duration that at least this share of all, 0 to 1, does not exceed; 0 without values.
    quint32 quantile(double share);
    quint32 longest() const { return m_longest; }
    /// Calls `take` with each duration and its number, as rounded.
    template <typename Take>
    void visit(Take take) const
    {
        for (const quint32 ms : m_exact)
            take(ms, qint64(1));
        for (size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
            if (m_buckets[bucket] > 0)
                take(leastOf(bucket), qint64(m_buckets[bucket]));
        }
    }

private:
    static size_t bucketOf(quint32 ms);
    static quint32 leastOf(size_t bucket);

    std::vector<quint32> m_exact;
    std::vector<quint32> m_buckets; ///< counts, once there are more
    qint64 m_count = 0;
    quint32 m_longest = 0;
};

} // namespace lockscope
