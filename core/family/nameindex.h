// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/spec.h"

#include <QByteArray>
#include <QByteArrayView>

#include <array>
#include <vector>

namespace lockscope {

/// The families that name their locks as a name is. A sweep asks for a million names a second: globs are filed by the byte with
/// which names begin, or end, and a name that lacks a byte of one is not compared with it.
class NameIndex
{
public:
    void add(QByteArrayView glob, Family family);

    /// Calls `visit` with each family that names its locks so, until it answers true; whether it did.
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
    /// A bit for each byte that is there, four bytes to a bit.
    static quint64 bytesIn(QByteArrayView text)
    {
        quint64 bits = 0;
        for (const char c : text)
            bits |= quint64(1) << (static_cast<uchar>(c) & 63);
        return bits;
    }
    struct Entry
    {
        quint64 needs;   ///< bytesIn() of what is literal in it
        QByteArray head; ///< with which the names begin
        QByteArray tail; ///< and end
        QByteArray glob; ///< empty: head and tail say all
        Family family;

        bool matches(QByteArrayView name) const;
    };
    using ByByte = std::array<std::vector<Entry>, 256>;

    ByByte m_byFirst;
    ByByte m_byLast; ///< of those that may begin with anything
    std::vector<Entry> m_rest;
};

/// Of the families whose locks are looked for without being asked, and of those that are told as a hint alone.
const NameIndex &namesOf(Discovery discovery);

} // namespace lockscope
