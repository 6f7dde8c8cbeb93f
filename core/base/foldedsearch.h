// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockscope {

constexpr char lowerAscii(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Ignores the case of ASCII letters. `needle` is in lower case and not empty.
constexpr bool containsFolded(QByteArrayView text, QByteArrayView needle)
{
    const qsizetype last = text.size() - needle.size();
    for (qsizetype start = 0; start <= last; ++start) {
        qsizetype same = 0;
        while (same < needle.size() && lowerAscii(text[start + same]) == needle[same])
            ++same;
        if (same == needle.size())
            return true;
    }
    return false;
}

} // namespace lockscope
