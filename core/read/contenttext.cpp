// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/contenttext.h"

#include "core/base/printable.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype bytesInLine = 16;

using Type = StoredKey::Type;

bool hasPairs(const StoredKey &content)
{
    return content.type == Type::Hash || content.type == Type::SortedSet;
}

/// Line ends are kept: the text is shown alone.
QString printableLines(const QByteArray &bytes)
{
    QStringList lines;
    for (const QByteArray &line : bytes.split('\n'))
        lines.append(printable(line, bytes.size()));
    return lines.join(u'\n');
}

QString printableWhole(const QByteArray &bytes)
{
    return printable(bytes, bytes.size());
}

QString hexDump(const QByteArray &bytes)
{
    QStringList lines;
    for (qsizetype at = 0; at < bytes.size(); at += bytesInLine) {
        const QByteArray part = bytes.mid(at, bytesInLine);
        QByteArray shown = part;
        std::ranges::replace_if(
            shown, [](char c) { return c < 0x20 || c > 0x7e; }, '.');
        lines.append(QStringLiteral("%1  %2  %3")
                         .arg(at, 8, 16, QLatin1Char('0'))
                         .arg(QString::fromLatin1(part.toHex(' ')), -(3 * bytesInLine - 1))
                         .arg(QString::fromLatin1(shown)));
    }
    return lines.join(u'\n');
}

/// A valid JSON text with other blanks; long numbers and duplicate names are unchanged.
QByteArray indented(const QByteArray &json)
{
    QByteArray text;
    qsizetype depth = 0;
    bool isInString = false, isFirst = false;
    const auto newLine = [&] { text += '\n' + QByteArray(4 * depth, ' '); };
    for (qsizetype at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (isInString) {
            text += c;
            if (c == '\\' && at + 1 < json.size())
                text += json[++at];
            isInString = c != '"';
            continue;
        }
        if (QByteArrayView(" \t\r\n").contains(c))
            continue;
        const bool isEnd = c == '}' || c == ']';
        depth -= isEnd ? 1 : 0;
        if (isFirst != isEnd) // nothing stands between the brackets of what is empty
            newLine();
        isFirst = c == '{' || c == '[';
        depth += isFirst ? 1 : 0;
        isInString = c == '"';
        text += c;
        if (c == ',')
            newLine();
        if (c == ':')
            text += ' ';
    }
    return text;
}

QString jsonOf(const QJsonDocument &document)
{
    return QString::fromUtf8(escapedJson(document.toJson(QJsonDocument::Indented))).trimmed();
}

QJsonObject entry(const QByteArray &first, const QString &firstName, const QByteArray &second,
                  const QString &secondName)
{
    QJsonObject object;
    insertBytes(object, firstName, first);
    insertBytes(object, secondName, second);
    return object;
}

QJsonDocument structureOf(const StoredKey &content)
{
    const bool areNames =
        content.type == Type::Hash && std::ranges::all_of(content.elements, [](const auto &element) {
            return isValidUtf8(element.first) && isValidUtf8(element.second);
        });
    if (areNames) {
        QJsonObject object;
        for (const auto &[field, value] : content.elements)
            object[lossless(field)] = lossless(value);
        return QJsonDocument(object);
    }
    QJsonArray array;
    for (const auto &[first, second] : content.elements) {
        if (content.type == Type::Hash)
            array.append(entry(first, QStringLiteral("field"), second, QStringLiteral("value")));
        else if (content.type == Type::SortedSet)
            array.append(entry(first, QStringLiteral("member"), second, QStringLiteral("score")));
        else if (isValidUtf8(first))
            array.append(lossless(first));
        else {
            QJsonObject object;
            insertBytes(object, QStringLiteral("element"), first);
            array.append(object);
        }
    }
    return QJsonDocument(array);
}

} // namespace

QString plainText(const StoredKey &content)
{
    if (content.type == Type::String)
        return printableLines(content.text);
    QStringList lines;
    for (const auto &[first, second] : content.elements)
        lines.append(hasPairs(content)
                         ? QStringLiteral("%1: %2").arg(printableWhole(first), printableWhole(second))
                         : printableWhole(first));
    return lines.join(u'\n');
}

QString jsonText(const StoredKey &content)
{
    if (content.type != Type::String)
        return content.elements.isEmpty() ? QString() : jsonOf(structureOf(content));
    if (content.hasMore)
        return {};
    if (QJsonDocument::fromJson(content.text).isNull())
        return {};
    return QString::fromUtf8(escapedJson(indented(content.text)));
}

QString hexText(const StoredKey &content)
{
    if (content.type == Type::String)
        return hexDump(content.text);
    QStringList parts;
    for (const auto &[first, second] : content.elements) {
        parts.append(hexDump(first));
        if (hasPairs(content))
            parts.append(hexDump(second));
    }
    return parts.join(QStringLiteral("\n\n"));
}

} // namespace lockscope
