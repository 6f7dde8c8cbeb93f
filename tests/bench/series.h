// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <algorithm>
#include <numeric>
#include <vector>

namespace lockscope {

/// The figures of one contestant, a round each.
class Series
{
public:
    void add(double value) { m_values.push_back(value); }
    bool isEmpty() const { return m_values.empty(); }
    /// Not of an empty one.
    double quantile(double share) const
    {
        std::vector<double> sorted = m_values;
        std::ranges::sort(sorted);
        const double place = share * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<size_t>(place);
        const size_t above = std::min(below + 1, sorted.size() - 1);
        return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
    }
    /// Not of an empty one.
    double mean() const
    {
        return std::accumulate(m_values.begin(), m_values.end(), 0.0) / static_cast<double>(m_values.size());
    }
    double median() const { return quantile(0.5); }
    /// "median (quartile-quartile)"
    QByteArray text(int decimals) const
    {
        return QByteArray::number(median(), 'f', decimals) + " (" +
               QByteArray::number(quantile(0.25), 'f', decimals) + "-" +
               QByteArray::number(quantile(0.75), 'f', decimals) + ")";
    }
    QByteArray rate() const { return text(0); }
    QByteArray ratio() const { return text(2); }

private:
    std::vector<double> m_values;
};

} // namespace lockscope
