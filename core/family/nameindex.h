// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/spec.h"

#include <QByteArray>
#include <QByteArrayView>

#include <array>
#include <vector>

namespace lockscope {

/// Families by the globs of their names. A scan looks up a million names per second: globs are indexed by
/// first or last byte, and skipped if the name lacks one of their bytes.
class NameIndex
{
public:
    void add(QByteArrayView glob, Family family);

    /// Calls `visit` with each family that uses such names until it returns true; returns whether it did.
    template <typename Visit>
    bool anyOf(QByteArrayView name, Visit visit) const
    {
        if (name.isEmpty())
            return false;
        const quint64 bytes = bytesIn(name);
        const auto first = static_cast<uchar>(name.front());
        const auto last = static_cast<uchar>(name.back());
        for (const std::vector<Entry> *entries : {&m_byFirst.at(first), &m_byLast.at(last), &m_rest}) {
            for (const Entry &entry : *entries) {
                if ((entry.needs & ~bytes) == 0 && entry.matches(name) && visit(entry.family))
                    return true;
            }
        }
        return false;
    }

private:
    /// One bit for each byte value present; four values share a bit.
    static quint64 bytesIn(QByteArrayView text)
    {
        quint64 bits = 0;
        for (const char c : text)
            bits |= quint64(1) << (static_cast<uchar>(c) & 63);
        return bits;
    }
    struct Entry
    {
        quint64 needs;   ///< bytesIn() of the literal parts
        QByteArray head; ///< literal start of the names
        QByteArray tail;
        QByteArray glob; ///< empty: head and tail are enough
        Family family;

        bool matches(QByteArrayView name) const;
    };
    using ByByte = std::array<std::vector<Entry>, 256>;

    ByByte m_byFirst;
    ByByte m_byLast; ///< globs that may begin with any byte
    std::vector<Entry> m_rest;
};

/// The names of the families with this discovery; only for Always and Hint.
const NameIndex &namesOf(Discovery discovery);

} // namespace lockscope
