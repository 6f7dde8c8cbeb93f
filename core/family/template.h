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

/// Of which bytes a part of a template is.
enum class PartType : quint8 {
    Literal,
    Uuid, ///< of any version but 1, lower case
    Uuid1,
    Uuid4,
    HexUuid1, ///< 32 hex digits
    HexUuid4,
    Hex, ///< lower case
    UpperHex,
    Digits,
    Letters,
    Alnum,
    Random, ///< letters and digits that look drawn
    Base64, ///< without padding
    Base64Url,
    DrawnBase64,    ///< of as many random bytes, padded
    DrawnBase64Url, ///< unpadded
    Bytes,
    RandomBytes, ///< that are no text
    IsoTime,
    EpochMs, ///< with a fraction or not, from 2001 to 2100
    EpochS,
    Word, ///< no blank, quote, bracket, comma or semicolon
    Rest, ///< whatever the parts before and after it leave
};

/// What a part says of the lock or its owner.
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
    Since, ///< when it was acquired
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
    quint8 group = 0; ///< parts with the same number, not 0, are there together or not at all
    quint16 least = 1;
    quint16 most = 0;           ///< bytes; of drawn base64: that it stands for
    const char *text = nullptr; ///< of a literal; else what the part is called
    quint16 textSize = 0;

    constexpr QByteArrayView literal() const { return {text, textSize}; }
};

/// The number of bytes that a part of drawn base64 has.
constexpr qsizetype base64Length(qsizetype bytes, bool isPadded)
{
    return isPadded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

/// In bytes.
struct ByteLengths
{
    qsizetype least;
    qsizetype most;
};

/// Of the bytes that such a part has.
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

/// Literals and typed parts, one after the other. One part may be a Rest: what stands before it is read from the front, what stands
/// after it from the back. Nothing is ever tried twice, so a match takes time in proportion to the text. Values that live as
/// long as the program, or as what the parts were read from.
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

    ByteLengths lengths{0, 0}; ///< of a text that it may match

private:
    quint32 m_roles = 0;
};
constexpr qsizetype mostParts = 24;

/// What each part of a template stands for in a text; empty for what isn't there.
using Captures = QVarLengthArray<QByteArrayView, mostParts>;

/// Where a text is not what a template says.
struct TemplateMismatch
{
    size_t part;  ///< that is not there; as many as there are parts: something is left behind the last
    qsizetype at; ///< byte of the text
};

/// Whether the template matches the whole text; where it does not, `why` says where. Pure.
bool matches(Template shape, QByteArrayView text, Captures &captures, TemplateMismatch *why = nullptr);
/// A look at the length and the ends of the text, which is quick: false where it surely does not match. Pure.
bool mayMatch(Template shape, QByteArrayView text);
/// Whether a text of this length, of bytes that such a part may have, can match. Pure.
bool mayMatch(Template shape, PartType bytes, qsizetype length);
/// Whether a text that begins with one of these bytes (none: with any) and is at least as long can match. Pure.
bool mayMatch(Template shape, QByteArrayView begins, qsizetype least);
/// The part of this role, where it is there; else empty.
QByteArrayView partOf(Template shape, const Captures &captures, PartRole role);
/// The moment that the part tells, in epoch ms; absent where it tells none.
CompactOptional<qint64> momentOf(PartType type, QByteArrayView text);

/// A template as files write it: "ADDED:{since:iso-time}@{host:rest}[:{:uuid}]".
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
    qsizetype offset; ///< in the text
    Phrase expected;
};
/// Reads one; what is wrong with it in `fault`. One that is only filled may have any number of open parts. Pure.
std::optional<WrittenTemplate> readTemplate(QByteArrayView text, TemplateFault &fault, bool isFilled = false);
/// As readTemplate() takes it.
QByteArray writtenTemplate(Template shape);

} // namespace lockscope
