// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <bit>
#include <cstddef>

namespace lockscope {

/// The algorithm that wrote a lock: a way of storing one, or the library that stores it so. A number that is the same
/// while a program runs, and no longer; core/family/registry.h has what is known of each, and its name.
class Family
{
public:
    static constexpr int most = 64;

    /// Unknown.
    constexpr Family() = default;
    constexpr explicit Family(int index) : m_index(static_cast<quint8>(index)) {}

    constexpr int index() const { return m_index; }
    constexpr bool isUnknown() const { return m_index == 0; }

    friend constexpr bool operator==(Family, Family) = default;
    friend constexpr auto operator<=>(Family, Family) = default;

private:
    quint8 m_index = 0;
};

/// Several families.
class FamilySet
{
public:
    constexpr bool isEmpty() const { return m_bits == 0; }
    constexpr bool contains(Family family) const { return m_bits >> family.index() & 1; }
    constexpr void insert(Family family) { m_bits |= quint64(1) << family.index(); }
    constexpr void insert(FamilySet other) { m_bits |= other.m_bits; }
    constexpr bool contains(FamilySet other) const { return (m_bits & other.m_bits) == other.m_bits; }

    class Iterator
    {
    public:
        using value_type = Family;
        using difference_type = std::ptrdiff_t;

        constexpr Iterator() = default;
        constexpr explicit Iterator(quint64 bits) : m_bits(bits) {}
        constexpr Family operator*() const { return Family(std::countr_zero(m_bits)); }
        constexpr Iterator &operator++()
        {
            m_bits &= m_bits - 1;
            return *this;
        }
        constexpr Iterator operator++(int)
        {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

    private:
        quint64 m_bits = 0;
    };
    constexpr Iterator begin() const { return Iterator(m_bits); }
    constexpr Iterator end() const { return Iterator(0); }

    friend constexpr bool operator==(FamilySet, FamilySet) = default;

private:
    quint64 m_bits = 0;
};

/// How sure it is that a lock is of its family.
enum class Certainty : quint8 {
    Certain,   ///< nothing else has all of this evidence
    Likely,    ///< something else could have it, but hardly does
    Ambiguous, ///< one of several, or none: only the user knows
};

} // namespace lockscope
