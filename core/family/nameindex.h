// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/spec.h"

#include <QByteArray>
#include <QByteArrayView>

#include <array>
#include <vector>

namespace lockscope {

/// The families that name their locks as a name is. A sweep asks for a million names a second: globs are filed by the byte with
/// which names begin, or end.
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
        const Start start(name);
        const auto first = static_cast<uchar>(name.front());
        const auto last = static_cast<uchar>(name.back());
        for (const std::vector<Entry> *entries : {&m_byFirst.at(first), &m_byLast.at(last), &m_rest}) {
            for (const Entry &entry : *entries) {
                if ((start.bytes & entry.start.mask) == entry.start.bytes && entry.matches(name) &&
                    visit(entry.family))
                    return true;
            }
        }
        return false;
    }

private:
    /// The first bytes of a name as a number, zeros where it is shorter.
    struct Start
    {
        explicit Start(QByteArrayView name);

        quint64 bytes = 0;
        quint64 mask = 0; ///< of the bytes that are there
    };
    struct Entry
    {
        Start start;     ///< of the head
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
