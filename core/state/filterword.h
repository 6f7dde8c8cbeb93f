// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

/// A word of a filter's text, and where it stands there.
struct FilterWord
{
    qsizetype start = 0; ///< in characters of the text, its quotes included
    qsizetype size = 0;
    QByteArray text;      ///< without its quotes
    bool quoted = false;  ///< starts with a quote (after a "-"): never a token
    bool isClosed = true; ///< each of its quotes is

    qsizetype end() const { return start + size; }
    bool isNegated() const { return text.startsWith('-'); }
    /// Without the "-" that negates it.
    QByteArray positive() const { return isNegated() ? text.mid(1) : text; }
    /// As typed.
    QString in(const QString &filter) const { return filter.mid(start, size); }
};

/// The words of a text: what white space outside quotes separates.
QList<FilterWord> filterWords(const QString &text);

/// A word that matches these bytes alone: key="two words". Bytes that are no text, quotes and backslashes are escaped, as
/// printable() does it. nullopt where the bytes are too many for a field in which people type.
std::optional<QString> exactWord(const char *field, QByteArrayView bytes);
/// The bytes that such a word's value stands for; nullopt where an escape is none.
std::optional<QByteArray> unescaped(QByteArrayView value);
/// The value as one word, quoted where it needs it: for what is sought as a part.
QString quotedWord(const QString &value);

} // namespace lockscope
