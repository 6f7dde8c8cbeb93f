// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/filterword.h"

#include "core/base/printable.h"

#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxExactBytes = 1024;
constexpr QChar quote = u'"';

/// An escape "\x41" or "\u{200b}" at the start of `value`: its length and code.
struct Escape
{
    qsizetype size = 0;
    uint code = 0;
};

std::optional<Escape> escapeIn(QByteArrayView value)
{
    const bool isByte = value.startsWith("\\x");
    const qsizetype from = isByte ? 2 : 3;
    const qsizetype to = isByte ? 4 : value.indexOf('}');
    if ((!isByte && !value.startsWith("\\u{")) || to <= from || value.size() < to)
        return std::nullopt;
    bool ok = false;
    const uint code = value.sliced(from, to - from).toUInt(&ok, 16);
    if (!ok || code > 0x10ffff)
        return std::nullopt;
    return Escape{isByte ? to : to + 1, code};
}

} // namespace

QList<FilterWord> filterWords(const QString &text)
{
    QList<FilterWord> words;
    FilterWord word;
    QString read; // of the word, without its quotes
    bool started = false;
    const auto finish = [&](qsizetype end) {
        if (!std::exchange(started, false))
            return;
        word.size = end - word.start;
        word.text = std::exchange(read, {}).toUtf8();
        words.append(std::exchange(word, {}));
    };
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        if (word.isClosed && (c == u' ' || c == u'\t')) {
            finish(at);
            continue;
        }
        if (!std::exchange(started, true))
            word.start = at;
        if (c == quote) {
            word.quoted |= read.isEmpty() || read == u'-';
            word.isClosed = !word.isClosed;
        } else {
            read += c;
        }
    }
    finish(text.size());
    return words;
}

std::optional<QString> exactWord(const char *field, QByteArrayView bytes)
{
    if (bytes.size() > maxExactBytes)
        return std::nullopt;
    QString value = printable(bytes, bytes.size());
    value.replace(quote, QStringLiteral("\\x22"));
    return QString::fromLatin1(field) + u'=' + quote + value + quote;
}

std::optional<QByteArray> unescaped(QByteArrayView value)
{
    QByteArray bytes;
    while (!value.isEmpty()) {
        if (value.front() != '\\') {
            bytes += value.front();
            value = value.sliced(1);
        } else if (value.startsWith("\\\\")) {
            bytes += '\\';
            value = value.sliced(2);
        } else {
            const auto escape = escapeIn(value);
            if (!escape)
                return std::nullopt;
            const char32_t code = escape->code;
            bytes += value.startsWith("\\x") ? QByteArray(1, static_cast<char>(code))
                                             : QString::fromUcs4(&code, 1).toUtf8();
            value = value.sliced(escape->size);
        }
    }
    return bytes;
}

QString quotedWord(const QString &value)
{
    return value.contains(u' ') ? quote + value + quote : value;
}

} // namespace lockscope
