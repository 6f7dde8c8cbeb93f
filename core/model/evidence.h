// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <initializer_list>

namespace lockscope {

/// Evidence for a lock's family. A single kind proves little: ordinary data may have each.
enum class Evidence : quint8 {
    Content = 0x01, ///< the value has the family's form
    Name = 0x02,    ///< the key or a member has a name that the library itself gives, or the name of a lock
    Companions = 0x04,
    Lease = 0x08,     ///< the TTL fits the family and the stored times
    Renewals = 0x10,  ///< the lease was renewed while the holds stayed the same
    Listeners = 0x20, ///< subscribers of the family's channel
    Rule = 0x40,      ///< a family rule of the user
};

/// A set of evidence in one byte: each lock has one.
class EvidenceSet
{
public:
    constexpr EvidenceSet() = default;
    constexpr EvidenceSet(Evidence one) : m_bits(static_cast<quint8>(one)) {}
    constexpr EvidenceSet(std::initializer_list<Evidence> several)
    {
        for (const Evidence one : several)
            m_bits |= static_cast<quint8>(one);
    }

    constexpr bool isEmpty() const { return m_bits == 0; }
    constexpr bool has(Evidence one) const { return m_bits & static_cast<quint8>(one); }
    constexpr bool hasAll(EvidenceSet other) const { return (m_bits & other.m_bits) == other.m_bits; }
    constexpr void set(Evidence one, bool on = true)
    {
        const int bit = static_cast<quint8>(one);
        m_bits = static_cast<quint8>(on ? m_bits | bit : m_bits & ~bit);
    }
    constexpr EvidenceSet &operator|=(EvidenceSet other)
    {
        m_bits = static_cast<quint8>(m_bits | other.m_bits);
        return *this;
    }
    friend constexpr EvidenceSet operator|(EvidenceSet a, EvidenceSet b) { return a |= b; }
    friend constexpr EvidenceSet operator&(EvidenceSet a, EvidenceSet b)
    {
        a.m_bits = static_cast<quint8>(a.m_bits & b.m_bits);
        return a;
    }
    friend constexpr bool operator==(EvidenceSet, EvidenceSet) = default;

private:
    quint8 m_bits = 0;
};

/// A few sets, any of which is enough.
class EvidenceSets
{
public:
    constexpr EvidenceSets() = default;
    constexpr EvidenceSets(std::initializer_list<EvidenceSet> sets)
    {
        size_t i = 0;
        for (const EvidenceSet set : sets)
            m_sets.at(i++) = set;
    }
    constexpr bool areMetBy(EvidenceSet evidence) const
    {
        for (const EvidenceSet set : m_sets) {
            if (!set.isEmpty() && evidence.hasAll(set))
                return true;
        }
        return false;
    }
    auto begin() const { return m_sets.begin(); }
    auto end() const { return m_sets.end(); }
    friend bool operator==(const EvidenceSets &, const EvidenceSets &) = default;

private:
    std::array<EvidenceSet, 4> m_sets{};
};

/// Evidence from watching a lock, kept from one reading to the next.
constexpr EvidenceSet watchedEvidence{Evidence::Renewals, Evidence::Listeners, Evidence::Companions};

} // namespace lockscope
