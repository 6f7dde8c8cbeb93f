// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QtGlobal>

#include <algorithm>
#include <utility>

namespace lockscope {

/// The library or algorithm that wrote a lock. A number that is constant while the program runs; see
/// core/family/registry.h for its name and properties.
class Family
{
public:
    /// Limit: the built-in families, and a thousand of a user's.
    static constexpr int most = 1280;

    constexpr Family() = default;
    constexpr explicit Family(int index) : m_index(static_cast<quint16>(index)) {}

    constexpr int index() const { return m_index; }
    constexpr bool isUnknown() const { return m_index == 0; }

    friend constexpr bool operator==(Family, Family) = default;
    friend constexpr auto operator<=>(Family, Family) = default;

private:
    quint16 m_index = 0;
};

/// A sorted set of families; for most locks it is empty, few have three.
class FamilySet
{
public:
    bool isEmpty() const { return m_sorted.isEmpty(); }
    bool contains(Family family) const { return std::ranges::binary_search(m_sorted, family); }
    bool contains(const FamilySet &other) const { return std::ranges::includes(m_sorted, other.m_sorted); }
    void insert(Family family)
    {
        const auto at = std::ranges::lower_bound(std::as_const(m_sorted), family);
        if (at == m_sorted.cend() || *at != family)
            m_sorted.insert(at, family);
    }
    void insert(const FamilySet &others)
    {
        for (const Family family : others)
            insert(family);
    }
    QList<Family>::const_iterator begin() const { return m_sorted.cbegin(); }
    QList<Family>::const_iterator end() const { return m_sorted.cend(); }

    friend bool operator==(const FamilySet &, const FamilySet &) = default;

private:
    QList<Family> m_sorted;
};

enum class Certainty : quint8 {
    Certain,
    Likely,    ///< other causes are possible, but rare
    Ambiguous, ///< several or no families are possible: only the user knows
};

} // namespace lockscope
