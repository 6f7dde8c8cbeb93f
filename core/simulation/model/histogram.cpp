// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockscope {

namespace {

// Up to 2^steps µs each value has a bucket; from there on each doubling is divided into 2^(steps - 1) equal ones.
constexpr int steps = 7;
constexpr size_t half = size_t(1) << (steps - 1);
constexpr qint64 largest = (qint64(1) << 36) - 1; // longer ones share the last bucket

size_t indexOf(qint64 value)
{
    const auto bits = static_cast<quint64>(std::min(value, largest));
    const int shift = std::max(0, static_cast<int>(std::bit_width(bits)) - steps);
    return static_cast<size_t>(shift) * half + static_cast<size_t>(bits >> shift);
}

const size_t bucketCount = indexOf(largest) + 1;

microseconds lowOf(size_t index)
{
    const size_t shift = index < 2 * half ? 0 : index / half - 1;
    return microseconds(static_cast<qint64>((index - shift * half) << shift));
}

} // namespace

void Histogram::record(microseconds value, qint64 times)
{
    value = std::max(value, microseconds(0));
    const size_t index = indexOf(value.count());
    if (index >= m_counts.size())
        m_counts.resize(index + 1);
    m_counts[index] += times;
    m_max = std::max(m_max, value);
    m_count += times;
}

void Histogram::merge(const Histogram &other)
{
    m_counts.resize(std::max(m_counts.size(), other.m_counts.size()));
    for (size_t i = 0; i < other.m_counts.size(); ++i)
        m_counts[i] += other.m_counts[i];
    m_max = std::max(m_max, other.m_max);
    m_count += other.m_count;
}

std::optional<microseconds> Histogram::percentile(double share) const
{
    if (m_count == 0)
        return std::nullopt;
    const auto wanted =
        std::clamp(static_cast<qint64>(std::ceil(share * static_cast<double>(m_count))), qint64(1), m_count);
    if (wanted == m_count)
        return m_max;
    qint64 passed = 0;
    size_t index = 0;
    while ((passed += m_counts[index]) < wanted)
        ++index;
    return std::min(lowOf(index + 1) - microseconds(1), m_max);
}

QList<Histogram::Bucket> Histogram::buckets() const
{
    QList<Bucket> found;
    for (size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] == 0)
            continue;
        const microseconds end = i + 1 == bucketCount ? m_max + microseconds(1) : microseconds(0);
        found.append(Bucket{lowOf(i), std::max(lowOf(i + 1), end), m_counts[i]});
    }
    return found;
}

} // namespace lockscope
