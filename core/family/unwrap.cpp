// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/unwrap.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QVariant>

#include <charconv>
#include <cmath>

namespace lockscope {

namespace {

using Text = std::optional<QByteArrayView>;

/// Reads bytes from the front; fails if they do not match.
class Bytes
{
public:
    explicit Bytes(QByteArrayView bytes) : m_left(bytes) {}

    bool skip(QByteArrayView expected)
    {
        if (!m_left.startsWith(expected))
            return false;
        m_left = m_left.sliced(expected.size());
        return true;
    }
    /// The first byte if it is one of these; otherwise 0.
    char oneOf(QByteArrayView choices)
    {
        if (m_left.isEmpty() || !choices.contains(m_left.front()))
            return 0;
        const char found = m_left.front();
        m_left = m_left.sliced(1);
        return found;
    }
    /// A length in so many bytes; -1 if longer than the rest.
    qsizetype bigEndian(qsizetype size) { return length(size, true); }
    qsizetype littleEndian(qsizetype size) { return length(size, false); }
    Text text(qsizetype size)
    {
        if (size < 0 || size > m_left.size())
            return std::nullopt;
        const QByteArrayView found = m_left.first(size);
        m_left = m_left.sliced(size);
        return found;
    }
    qsizetype left() const { return m_left.size(); }

private:
    qsizetype length(qsizetype size, bool isBig)
    {
        if (m_left.size() < size)
            return -1;
        quint64 value = 0;
        for (qsizetype i = 0; i < size; ++i)
            value = value << 8 | static_cast<uchar>(m_left[isBig ? i : size - 1 - i]);
        m_left = m_left.sliced(size);
        return value <= static_cast<quint64>(m_left.size()) ? static_cast<qsizetype>(value) : -1;
    }

    QByteArrayView m_left;
};

Text whole(Bytes &bytes, qsizetype length)
{
    const Text text = bytes.text(length);
    return bytes.left() == 0 ? text : std::nullopt;
}

Text json(QByteArrayView value)
{
    return value.size() > 1 && value.endsWith('"') ? Text(value.sliced(1).chopped(1)) : std::nullopt;
}

/// s:4:"text";
Text php(QByteArrayView value)
{
    constexpr qsizetype head = 2;
    const qsizetype quote = value.indexOf(":\"");
    if (!value.startsWith("s:") || quote <= head || !value.endsWith("\";") || value.size() < quote + 4)
        return std::nullopt;
    qsizetype length = -1;
    const auto [end, error] = std::from_chars(value.data() + head, value.data() + quote, length);
    const QByteArrayView text = value.sliced(quote + 2).chopped(2);
    return error == std::errc() && end == value.data() + quote && length == text.size() ? Text(text)
                                                                                        : std::nullopt;
}

Text igbinary(QByteArrayView value)
{
    Bytes bytes(value);
    if (!bytes.skip(QByteArrayView("\0\0\0", 3)) || !bytes.oneOf("\1\2"))
        return std::nullopt;
    const char kind = bytes.oneOf("\x11\x12");
    return kind ? whole(bytes, bytes.bigEndian(kind == '\x11' ? 1 : 2)) : std::nullopt;
}

Text java(QByteArrayView value)
{
    Bytes bytes(value);
    return bytes.skip(QByteArrayView("\xac\xed\0\5t", 5)) ? whole(bytes, bytes.bigEndian(2)) : std::nullopt;
}

/// A string or bytes, optionally put in the memo, and the end.
Text pickle(QByteArrayView value)
{
    Bytes bytes(value);
    const bool isPickle = bytes.skip("\x80") && bytes.oneOf("\2\3\4\5");
    if (!isPickle || (bytes.skip("\x95") && bytes.littleEndian(8) != bytes.left()))
        return std::nullopt;
    Text text;
    switch (bytes.oneOf("\x8c"
                        "CUX")) {
    case '\x8c':
    case 'C':
    case 'U':
        text = bytes.text(bytes.littleEndian(1));
        break;
    case 'X':
        text = bytes.text(bytes.littleEndian(4));
        break;
    default:
        break;
    }
    if (!bytes.skip("\x94") && bytes.skip("q"))
        bytes.text(1);
    return bytes.skip(".") && bytes.left() == 0 ? text : std::nullopt;
}

Text messagePack(QByteArrayView value)
{
    constexpr uchar longestFixed = 0x1f;
    Bytes bytes(value.sliced(1));
    const auto first = static_cast<uchar>(value.front());
    return whole(bytes, first == 0xd9 ? bytes.bigEndian(1) : first & longestFixed);
}

} // namespace

Text unwrapped(QByteArrayView value)
{
    if (value.isEmpty())
        return std::nullopt;
    const auto first = static_cast<uchar>(value.front());
    switch (first) {
    case '"':
        return json(value);
    case 's':
        return php(value);
    case 0:
        return igbinary(value);
    case 0xac:
        if (const Text text = java(value))
            return text;
        break; // MessagePack's texts of twelve bytes begin so
    case 0x80:
        return pickle(value);
    default:
        break;
    }
    return (first >= 0xa0 && first <= 0xbf) || first == 0xd9 ? messagePack(value) : std::nullopt;
}

QList<std::pair<QByteArray, QByteArray>> jsonFields(QByteArrayView text)
{
    constexpr qsizetype longest = 4096;
    QList<std::pair<QByteArray, QByteArray>> fields;
    if (!text.startsWith('{') || text.size() > longest)
        return fields;
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), text.size())).object();
    for (auto field = object.begin(); field != object.end(); ++field) {
        const double number = field->toDouble();
        const bool isWhole = field->isDouble() && std::floor(number) == number && std::abs(number) < 1e15;
        fields.append({field.key().toUtf8(), isWhole ? QByteArray::number(static_cast<qint64>(number))
                                                     : field->toVariant().toString().toUtf8()});
    }
    return fields;
}

} // namespace lockscope
