// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QtGlobal>

#include <algorithm>
#include <utility>

namespace lockscope {

/// The algorithm that wrote a lock: a way of storing one, or the library that stores it so. A number that is the same
/// while a program runs, and no longer; core/family/registry.h has what is known of each, and its name.
class Family
{
public:
    /// Those that are built in, and a thousand of a user's.
    static constexpr int most = 1280;

    /// Unknown.
    constexpr Family() = default;
    constexpr explicit Family(int index) : m_index(static_cast<quint16>(index)) {}

    constexpr int index() const { return m_index; }
    constexpr bool isUnknown() const { return m_index == 0; }

    friend constexpr bool operator==(Family, Family) = default;
    friend constexpr auto operator<=>(Family, Family) = default;

private:
    quint16 m_index = 0;
};

/// Several families, in order; most locks have none beside them, few have three.
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

/// How sure it is that a lock is of its family.
enum class Certainty : quint8 {
    Certain,   ///< nothing else has all of this evidence
    Likely,    ///< something else could have it, but hardly does
    Ambiguous, ///< one of several, or none: only the user knows
};

} // namespace lockscope
