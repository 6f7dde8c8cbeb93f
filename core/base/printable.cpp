// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/printable.h"

#include <QChar>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// The code point at the start of some bytes; size 0 if invalid UTF-8.
struct CodePoint
{
    char32_t value = 0;
    qsizetype size = 0;
};

CodePoint firstCodePoint(QByteArrayView bytes)
{
    const auto byte = [&](qsizetype at) { return static_cast<unsigned char>(bytes[at]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    const qsizetype size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || bytes.size() < size)
        return {};
    char32_t value = lead & (0x7fU >> size);
    for (qsizetype at = 1; at < size; ++at) {
        if ((byte(at) & 0xc0U) != 0x80)
            return {};
        value = (value << 6U) | (byte(at) & 0x3fU);
    }
    const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
    const bool outside = value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff);
    return overlong || outside ? CodePoint{} : CodePoint{value, size};
}

/// The length of the prefix of printable ASCII without escapes: most texts have no other.
qsizetype plainPrefix(QByteArrayView bytes)
{
    const auto end = std::ranges::find_if(bytes, [](char c) { return c < 0x20 || c > 0x7e || c == '\\'; });
    return end - bytes.begin();
}

qsizetype validPrefix(QByteArrayView bytes)
{
    qsizetype size = plainPrefix(bytes);
    while (size < bytes.size()) {
        const CodePoint point = firstCodePoint(bytes.sliced(size));
        if (point.size == 0)
            break;
        size += point.size;
    }
    return size;
}

// Characters that change how others are shown, or that show nothing: a name with one may pass for another
// name.
bool isDeceptive(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        break;
    }
    constexpr std::array<char32_t, 7> blankLetters{0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0};
    return std::ranges::find(blankLetters, c) != blankLetters.end();
}

QString escapedByte(char byte)
{
    return QStringLiteral("\\x") + QString::fromLatin1(QByteArray(1, byte).toHex());
}

QString escaped(char32_t c)
{
    if (c < 0x80)
        return escapedByte(static_cast<char>(c));
    return QStringLiteral("\\u{%1}").arg(static_cast<uint>(c), 0, 16);
}

} // namespace

QString printable(QByteArrayView bytes, qsizetype most)
{
    QString text;
    while (!bytes.isEmpty()) {
        if (const qsizetype plain = plainPrefix(bytes.first(std::clamp<qsizetype>(most, 0, bytes.size())));
            plain > 0) {
            text += QString::fromLatin1(bytes.first(plain));
            bytes = bytes.sliced(plain);
            most -= plain;
            continue;
        }
        if (most-- <= 0)
            return text + u'…';
        const CodePoint point = firstCodePoint(bytes);
        if (point.size == 0)
            text += escapedByte(bytes.front());
        else if (point.value == U'\\')
            text += QStringLiteral("\\\\");
        else if (isDeceptive(point.value))
            text += escaped(point.value);
        else
            text += QString::fromUtf8(bytes.first(point.size));
        bytes = bytes.sliced(std::max<qsizetype>(point.size, 1));
    }
    return text;
}

QString lossless(QByteArrayView bytes)
{
    QString text;
    while (!bytes.isEmpty()) {
        const qsizetype valid = validPrefix(bytes);
        // fromUtf8() would take a leading U+FEFF for a byte order mark and drop it.
        QByteArrayView run = bytes.first(valid);
        constexpr QByteArrayView byteOrderMark = "\xef\xbb\xbf";
        while (run.startsWith(byteOrderMark)) {
            text += QChar(0xfeff);
            run = run.sliced(byteOrderMark.size());
        }
        text += QString::fromUtf8(run);
        bytes = bytes.sliced(valid);
        if (!bytes.isEmpty()) {
            text += escapedByte(bytes.front());
            bytes = bytes.sliced(1);
        }
    }
    return text;
}

QByteArray losslessUtf8(const QByteArray &bytes)
{
    return isValidUtf8(bytes) ? bytes : lossless(bytes).toUtf8();
}

QByteArray escapedJson(const QByteArray &json)
{
    if (std::ranges::none_of(json, [](char c) { return static_cast<uchar>(c) > 0x7e; }))
        return json;
    QByteArray text;
    text.reserve(json.size());
    for (QByteArrayView rest = json; !rest.isEmpty();) {
        const CodePoint point = firstCodePoint(rest);
        const qsizetype size = std::max<qsizetype>(point.size, 1);
        // What is left of ASCII is escaped already; a line end stands between two documents.
        if (point.value > 0x7e && isDeceptive(point.value)) {
            for (const char16_t unit : QChar::fromUcs4(point.value)) // QString would drop a byte order mark
                text += "\\u" + QByteArray::number(unit, 16).rightJustified(4, '0');
        } else {
            text += rest.first(size);
        }
        rest = rest.sliced(size);
    }
    return text;
}

bool isValidUtf8(QByteArrayView bytes)
{
    return validPrefix(bytes) == bytes.size();
}

QString ownerIdText(const QByteArray &id, qsizetype most)
{
    constexpr qsizetype fewest = 16;
    constexpr qsizetype longest = 64;
    const bool areBytes = id.size() >= fewest && id.size() <= longest && !isValidUtf8(id);
    return areBytes ? printable(id.toHex(), most) : printable(id, most);
}

void insertBytes(QJsonObject &object, const QString &name, const QByteArray &bytes)
{
    object[name] = lossless(bytes);
    if (!isValidUtf8(bytes))
        object[name + QStringLiteral("_base64")] = QString::fromLatin1(bytes.toBase64());
}

QString grouped(qint64 number)
{
    return QLocale(QLocale::English).toString(number);
}

} // namespace lockscope
