// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/nameindex.h"

#include "core/base/glob.h"
#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

namespace {

/// True if stars are the only wildcards.
bool hasOnlyStars(QByteArrayView glob)
{
    return std::ranges::none_of(glob, [](char c) { return isSpecialInGlob(c) && c != '*'; });
}

/// The part after the last star, if literal.
QByteArray literalEnd(QByteArrayView glob)
{
    const qsizetype star = glob.lastIndexOf('*');
    return star < 0 || !hasOnlyStars(glob) ? QByteArray() : glob.sliced(star + 1).toByteArray();
}

NameIndex indexOf(Discovery discovery)
{
    NameIndex index;
    for (const Family family : allFamilies()) {
        const FamilySpec &spec = specOf(family);
        if (spec.discovery != discovery)
            continue;
        for (const char *glob : spec.usualNames)
            index.add(glob, family);
    }
    return index;
}

} // namespace

void NameIndex::add(QByteArrayView glob, Family family)
{
    const QByteArray head = literalPrefix(glob);
    const QByteArray literal = hasOnlyStars(glob) ? glob.toByteArray().replace('*', QByteArray()) : head;
    Entry entry{bytesIn(literal), head, literalEnd(glob), glob.toByteArray(), family};
    const bool isHeadAndTail = entry.glob == entry.head + '*' + entry.tail;
    if (isHeadAndTail)
        entry.glob.clear();
    std::vector<Entry> &entries = !entry.head.isEmpty() ? m_byFirst.at(static_cast<uchar>(entry.head.front()))
                                  : !entry.tail.isEmpty() ? m_byLast.at(static_cast<uchar>(entry.tail.back()))
                                                          : m_rest;
    entries.push_back(std::move(entry));
}

bool NameIndex::Entry::matches(QByteArrayView name) const
{
    // A sweep asks a million names a second: no calls into Qt.
    const bool isBetween = name.size() >= head.size() + tail.size() &&
                           std::equal(head.begin(), head.end(), name.begin()) &&
                           std::equal(tail.rbegin(), tail.rend(), name.rbegin());
    return isBetween && (glob.isEmpty() || globMatches(glob, name));
}

const NameIndex &namesOf(Discovery discovery)
{
    static const NameIndex always = indexOf(Discovery::Always);
    static const NameIndex hint = indexOf(Discovery::Hint);
    return discovery == Discovery::Always ? always : hint;
}

} // namespace lockscope
