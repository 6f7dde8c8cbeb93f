// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockscope {

/// Whether the byte may stand for others than itself in a pattern.
constexpr bool isSpecialInGlob(char c)
{
    return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\';
}

/// Matches as Redis matches MATCH patterns, byte by byte: * ? [a-z] [^a] and backslash. Time is at most
/// proportional to the product of both lengths.
bool globMatches(QByteArrayView pattern, QByteArrayView text);

bool globMatchesAny(const QList<QByteArray> &patterns, QByteArrayView text);

/// A pattern that matches these bytes and no others.
QByteArray escapedGlob(const QByteArray &text);

/// The bytes with which whatever the pattern matches begins, unescaped; empty where it may begin with anything.
QByteArray literalPrefix(QByteArrayView pattern);

/// One glob that matches whatever any of the patterns matches, so that one SCAN pass serves all: the only
/// pattern itself, or
/// "*part*" with the longest literal part that all have in common; empty where there is none (scan without
/// MATCH).
QByteArray coveringGlob(const QList<QByteArray> &patterns);

} // namespace lockscope
