// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/anonymizer.h"

#include <QCryptographicHash>
#include <QRandomGenerator>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr qsizetype uuidSize = 36;
/// 48 bits: two of a million words collide once in five hundred recordings.
constexpr qsizetype wordSize = 12;
/// Further words have no known structure, and would make the text grow.
constexpr qsizetype maxWords = 32;

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isHexByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool looksLikeUuid(QByteArrayView text)
{
    for (qsizetype i = 0; i < uuidSize; ++i) {
        const bool isDash = i == 8 || i == 13 || i == 18 || i == 23;
        if (isDash ? text[i] != '-' : !isHexByte(text[i]))
            return false;
    }
    return true;
}

QByteArrayView firstWord(QByteArrayView text)
{
    if (text.size() >= uuidSize && looksLikeUuid(text.first(uuidSize)) &&
        (text.size() == uuidSize || !isWordByte(text[uuidSize])))
        return text.first(uuidSize);
    return text.first(std::ranges::find_if_not(text, isWordByte) - text.begin());
}

} // namespace

Anonymizer::Anonymizer()
{
    std::array<quint32, 8> random{};
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    m_salt = QByteArray(reinterpret_cast<const char *>(random.data()), sizeof random); // NOLINT: its bytes
}

QByteArray Anonymizer::replacementOf(const QByteArray &text) const
{
    const auto isPlain = [](char c) { return c > ' ' && c < 0x7f; };
    const qsizetype marks = std::ranges::count_if(text, [](char c) { return !isWordByte(c); });
    if (marks > maxWords || !std::ranges::all_of(text, isPlain))
        return text.isEmpty() ? text : digestOf(text).toHex().first(2 * wordSize);
    QByteArray replaced;
    for (QByteArrayView rest = text; !rest.isEmpty();) {
        const QByteArrayView word = firstWord(rest);
        if (!word.isEmpty())
            replaced += wordFor(word);
        else
            replaced += rest[0];
        rest = rest.sliced(std::max<qsizetype>(word.size(), 1));
    }
    return replaced;
}

QByteArray Anonymizer::wordFor(QByteArrayView word) const
{
    const QByteArray digest = digestOf(word);
    if (std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) {
        quint64 number = 0;
        for (const char byte : digest.first(8))
            number = number << 8 | static_cast<quint8>(byte);
        return QByteArray::number(100'000'000'000 + number % 900'000'000'000);
    }
    QByteArray hex = digest.toHex();
    if (word.size() != uuidSize || !word.contains('-'))
        return hex.first(wordSize);
    for (const qsizetype dash : {8, 13, 18, 23})
        hex.insert(dash, '-');
    return hex.first(uuidSize);
}

QByteArray Anonymizer::digestOf(QByteArrayView word) const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(m_salt);
    hash.addData(word.toByteArray());
    return hash.result();
}

} // namespace lockscope
