// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockscope {

constexpr char lowerAscii(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr char upperAscii(char c)
{
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

/// Searches without case of ASCII letters. `needle` is in lower case and not empty. Fast by its first byte: a
/// hundred thousand keys are searched while the user types.
constexpr bool containsFolded(QByteArrayView text, QByteArrayView needle)
{
    const char first = needle.front();
    const char other = upperAscii(first);
    const qsizetype last = text.size() - needle.size();
    for (qsizetype start = 0; start <= last; ++start) {
        if (text[start] != first && text[start] != other)
            continue;
        qsizetype same = 1;
        while (same < needle.size() && lowerAscii(text[start + same]) == needle[same])
            ++same;
        if (same == needle.size())
            return true;
    }
    return false;
}

} // namespace lockscope
