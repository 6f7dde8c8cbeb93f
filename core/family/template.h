// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/phrase.h"
#include "core/family/shapes.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QVarLengthArray>

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>

namespace lockscope {

enum class PartType : quint8 {
    Literal,
    Uuid, ///< any version but 1, lower case
    Uuid1,
    Uuid4,
    HexUuid1,
    HexUuid4,
    Hex, ///< lower case
    UpperHex,
    Digits,
    Letters,
    Alnum,
    Random, ///< random-looking letters and digits
    Base64, ///< without padding
    Base64Url,
    DrawnBase64,    ///< a fixed number of random bytes, padded
    DrawnBase64Url, ///< unpadded
    Bytes,
    RandomBytes, ///< not text
    IsoTime,
    EpochMs, ///< with an optional fraction, from 2001 to 2100
    EpochS,
    Word, ///< no blank, quote, bracket, comma or semicolon
    Rest, ///< anything between its neighbors
};

/// The property of the lock or owner that a part gives.
enum class PartRole : quint8 {
    None,
    Owner,
    Host,
    Process,
    Thread,
    Job,
    JobClass,
    Queue,
    Worker,
    Client,
    Node,
    Since,
    Tried, ///< when its owner began to try
    Ends,
    Holds,
    Readers,
    Permits,
    Metadata,
};

struct TemplatePart
{
    PartType type = PartType::Literal;
    PartRole role = PartRole::None;
    quint8 group = 0; ///< parts with the same number, not 0, are all present or all absent
    quint32 least = 1;
    quint32 most = 0;           ///< bytes; for drawn base64: decoded bytes
    const char *text = nullptr; ///< literal's text, otherwise the part's name
    quint16 textSize = 0;

    constexpr QByteArrayView literal() const { return {text, textSize}; }
};

/// The length of base64 of so many bytes.
constexpr qsizetype base64Length(qsizetype bytes, bool isPadded)
{
    return isPadded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

struct ByteLengths
{
    qsizetype least;
    qsizetype most;
};

/// The number of bytes that the part may match.
constexpr ByteLengths lengthsOf(const TemplatePart &part)
{
    switch (part.type) {
    case PartType::Literal:
        return {part.textSize, part.textSize};
    case PartType::Uuid:
    case PartType::Uuid1:
    case PartType::Uuid4:
        return {uuidLength, uuidLength};
    case PartType::HexUuid1:
    case PartType::HexUuid4:
        return {hexUuidLength, hexUuidLength};
    case PartType::DrawnBase64:
    case PartType::DrawnBase64Url: {
        const qsizetype length = base64Length(part.most, part.type == PartType::DrawnBase64);
        return {length, length};
    }
    case PartType::IsoTime:
        return {std::max<qsizetype>(part.least, 20), std::min<qsizetype>(part.most, 30)};
    case PartType::EpochMs:
        return {13, 24};
    case PartType::EpochS:
        return {10, 24};
    default:
        return {part.least, part.most};
    }
}

/// Literals and typed parts in order. At most one is a Rest: parts before it are read from the front, parts
/// after it from the back. There is no backtracking: a match takes time linear in the text. A view of the
/// parts.
class Template : public std::span<const TemplatePart>
{
public:
    constexpr Template() = default;
    template <typename Parts>
    requires std::convertible_to<const Parts &, std::span<const TemplatePart>>
    constexpr Template(const Parts &parts) : std::span<const TemplatePart>(parts)
    {
        for (const TemplatePart &part : *this) {
            const ByteLengths each = lengthsOf(part);
            lengths.least += part.group == 0 ? each.least : 0;
            lengths.most += each.most;
            m_roles |= quint32(1) << static_cast<int>(part.role);
        }
    }
    constexpr bool has(PartRole role) const { return m_roles >> static_cast<int>(role) & 1; }

    ByteLengths lengths{0, 0}; ///< for a matching text

private:
    quint32 m_roles = 0;
};
constexpr qsizetype maxParts = 24;

/// The text of each part of a template; empty if missing.
using Captures = QVarLengthArray<QByteArrayView, maxParts>;

/// The place where a text departs from a template.
struct TemplateMismatch
{
    size_t part;  ///< missing part; number of parts: text is left after the last
    qsizetype at; ///< byte offset in the text
};

/// True if the template matches the whole text; otherwise `why` is set. Pure.
bool matches(Template shape, QByteArrayView text, Captures &captures, TemplateMismatch *why = nullptr);
/// Compares only length and ends, which is quick; false: no match. Pure.
bool mayMatch(Template shape, QByteArrayView text);
/// True if a text of this length, of bytes of such a part, can match. Pure.
bool mayMatch(Template shape, PartType bytes, qsizetype length);
/// True if a text that begins with one of these bytes (empty: any) and is at least as long can match. Pure.
bool mayMatch(Template shape, QByteArrayView begins, qsizetype least);
/// The part of this role; empty if missing.
QByteArrayView partOf(Template shape, const Captures &captures, PartRole role);
/// The moment in the text, in epoch ms; absent if none.
CompactOptional<qint64> momentOf(PartType type, QByteArrayView text);

/// A template in a file: "ADDED:{since:iso-time}@{host:rest}[:{:uuid}]".
struct WrittenTemplate
{
    struct Part
    {
        TemplatePart part;
        QByteArray text;
    };
    QList<Part> parts;
};
struct TemplateFault
{
    qsizetype offset;
    Phrase expected;
};
/// Reads a template; absent, with `fault` set, if it is wrong. A template that is only filled may have any
/// number of open parts. Pure.
std::optional<WrittenTemplate> readTemplate(QByteArrayView text, TemplateFault &fault, bool isFilled = false);
/// The template in the syntax of readTemplate().
QByteArray writtenTemplate(Template shape);

} // namespace lockscope
