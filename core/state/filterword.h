// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

/// A word of a filter's text with its position.
struct FilterWord
{
    qsizetype start = 0; ///< in characters of the text, including quotes
    qsizetype size = 0;
    QByteArray text;      ///< without its quotes
    bool quoted = false;  ///< starts with a quote (after a "-"): never a token
    bool isClosed = true; ///< all quotes are closed

    qsizetype end() const { return start + size; }
    bool isNegated() const { return text.startsWith('-'); }
    /// The text without a negating "-".
    QByteArray positive() const { return isNegated() ? text.mid(1) : text; }
    QString in(const QString &filter) const { return filter.mid(start, size); }
};

/// The words of a text, separated by white space outside quotes.
QList<FilterWord> filterWords(const QString &text);

/// A word that matches only these bytes: key="two words". Non-text bytes, quotes and backslashes are escaped
/// like in printable(). Absent for too many bytes.
std::optional<QString> exactWord(const char *field, QByteArrayView bytes);
/// The bytes of such a word's value; absent for an invalid escape.
std::optional<QByteArray> unescaped(QByteArrayView value);
/// The value as one word for a search, quoted if needed.
QString quotedWord(const QString &value);

} // namespace lockscope
