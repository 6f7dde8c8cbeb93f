// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <initializer_list>

namespace lockscope {

/// What the name of a lock's family rests on. Each by itself proves little: ordinary data have every one of them.
enum class Evidence : quint8 {
    Content = 0x01,    ///< what is stored has the family's form
    Name = 0x02,       ///< the key, or a member, has a name that the library itself gives; or a lock's name
    Companions = 0x04, ///< keys that only this family keeps beside a lock
    Lease = 0x08,      ///< the TTL is what the family and the stored moments make of it
    Renewals = 0x10,   ///< its lease was seen renewed while its holds stayed as they were
    Listeners = 0x20,  ///< somebody listens on the family's channel
    Rule = 0x40,       ///< the user says so
};

/// Several of them, in one byte: it is kept with each lock.
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

/// A few such sets, of which one will do.
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

/// What only watching shows. It is kept from one reading of a lock to the next.
constexpr EvidenceSet watchedEvidence{Evidence::Renewals, Evidence::Listeners, Evidence::Companions};

} // namespace lockscope
