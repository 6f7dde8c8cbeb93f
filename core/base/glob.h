// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockscope {

/// True for wildcards and escapes.
constexpr bool isSpecialInGlob(char c)
{
    return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\';
}

/// Matches like Redis' MATCH, byte by byte: * ? [a-z] [^a] and backslash. Time is at most proportional to the
/// product of both lengths.
bool globMatches(QByteArrayView pattern, QByteArrayView text);

bool globMatchesAny(const QList<QByteArray> &patterns, QByteArrayView text);

/// A pattern that matches only these bytes.
QByteArray escapedGlob(const QByteArray &text);

/// The literal beginning of all matches, unescaped; empty if none.
QByteArray literalPrefix(QByteArrayView pattern);

/// One glob that covers all patterns, for a single SCAN pass: the only pattern itself, or "*part*" with the
/// longest common literal part; empty if there is none (scan without MATCH).
QByteArray coveringGlob(const QList<QByteArray> &patterns);

} // namespace lockscope
