// SPDX-License-Identifier: GPL-3.0-or-later
// Templates as files write them.
#include "core/base/enumnames.h"
#include "core/family/template.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr EnumNames typeName{
    Named<PartType>{PartType::Uuid, "uuid"},
    Named<PartType>{PartType::Uuid1, "uuid1"},
    Named<PartType>{PartType::Uuid4, "uuid4"},
    Named<PartType>{PartType::HexUuid1, "hex-uuid1"},
    Named<PartType>{PartType::HexUuid4, "hex-uuid4"},
    Named<PartType>{PartType::Hex, "hex"},
    Named<PartType>{PartType::UpperHex, "upper-hex"},
    Named<PartType>{PartType::Digits, "digits"},
    Named<PartType>{PartType::Letters, "letters"},
    Named<PartType>{PartType::Alnum, "alnum"},
    Named<PartType>{PartType::Random, "random"},
    Named<PartType>{PartType::Base64, "base64"},
    Named<PartType>{PartType::Base64Url, "base64url"},
    Named<PartType>{PartType::DrawnBase64, "base64-of"},
    Named<PartType>{PartType::DrawnBase64Url, "base64url-of"},
    Named<PartType>{PartType::Bytes, "bytes"},
    Named<PartType>{PartType::RandomBytes, "random-bytes"},
    Named<PartType>{PartType::IsoTime, "iso-time"},
    Named<PartType>{PartType::EpochMs, "epoch-ms"},
    Named<PartType>{PartType::EpochS, "epoch-s"},
    Named<PartType>{PartType::Word, "word"},
    Named<PartType>{PartType::Rest, "rest"},
};

constexpr EnumNames roleName{
    Named<PartRole>{PartRole::Owner, "owner"},       Named<PartRole>{PartRole::Host, "host"},
    Named<PartRole>{PartRole::Process, "process"},   Named<PartRole>{PartRole::Thread, "thread"},
    Named<PartRole>{PartRole::Job, "job"},           Named<PartRole>{PartRole::Worker, "worker"},
    Named<PartRole>{PartRole::Client, "client"},     Named<PartRole>{PartRole::Node, "node"},
    Named<PartRole>{PartRole::Since, "since"},       Named<PartRole>{PartRole::Tried, "tried"},
    Named<PartRole>{PartRole::Ends, "ends"},         Named<PartRole>{PartRole::Holds, "holds"},
    Named<PartRole>{PartRole::Readers, "readers"},   Named<PartRole>{PartRole::Permits, "permits"},
    Named<PartRole>{PartRole::Metadata, "metadata"}, Named<PartRole>{PartRole::JobClass, "class"},
    Named<PartRole>{PartRole::Queue, "queue"},
};

constexpr int longestPart = 512;
constexpr int longestBytes = 1 << 20; // of a part without other conditions

bool hasLength(PartType type)
{
    switch (type) {
    case PartType::Hex:
    case PartType::UpperHex:
    case PartType::Digits:
    case PartType::Letters:
    case PartType::Alnum:
    case PartType::Random:
    case PartType::Base64:
    case PartType::Base64Url:
    case PartType::DrawnBase64:
    case PartType::DrawnBase64Url:
    case PartType::Bytes:
    case PartType::RandomBytes:
    case PartType::IsoTime:
    case PartType::Word:
    case PartType::Rest:
        return true;
    default:
        return false;
    }
}

/// Parses "name:type(16-32)" between braces.
class PartText
{
public:
    PartText(QByteArrayView text, qsizetype offset, TemplateFault &fault)
        : m_text(text), m_offset(offset), m_fault(fault)
    {
    }

    std::optional<WrittenTemplate::Part> read()
    {
        WrittenTemplate::Part found;
        const qsizetype colon = m_text.indexOf(':');
        found.text = (colon < 0 ? m_text : m_text.first(colon)).toByteArray();
        QByteArrayView type = colon < 0 ? QByteArrayView("rest") : m_text.sliced(colon + 1);
        QByteArrayView length;
        if (const qsizetype bracket = type.indexOf('('); bracket >= 0) {
            if (!type.endsWith(')'))
                return fail(m_text.size(), Phrase("“)”"));
            length = type.sliced(bracket + 1).chopped(1);
            type = type.first(bracket);
        }
        const std::optional<PartType> known = typeName.valueOf(type);
        if (!known)
            return fail(colon + 1, Phrase(QT_TRANSLATE_NOOP("phrases", "a type: %1"),
                                          namesIn(typeName.names).join(", ")));
        found.part.type = *known;
        if (!found.text.isEmpty())
            found.part.role = roleName.valueOf(found.text).value_or(PartRole::None);
        const bool isMoment = found.part.role == PartRole::Since || found.part.role == PartRole::Tried ||
                              found.part.role == PartRole::Ends;
        constexpr std::array moments{PartType::IsoTime, PartType::EpochMs, PartType::EpochS,
                                     PartType::HexUuid1, PartType::Uuid1};
        if (isMoment && std::ranges::find(moments, *known) == moments.end())
            return fail(colon + 1,
                        Phrase(QT_TRANSLATE_NOOP("phrases",
                                                 "a time: iso-time, epoch-ms, epoch-s, uuid1 or hex-uuid1")));
        return takeLength(found.part, length) ? std::optional(found) : std::nullopt;
    }

private:
    bool takeLength(TemplatePart &part, QByteArrayView length)
    {
        part.least = 1;
        part.most = longestPart;
        if (length.isEmpty())
            return (part.type != PartType::DrawnBase64 && part.type != PartType::DrawnBase64Url) ||
                   fail(m_text.size(),
                        Phrase(QT_TRANSLATE_NOOP("phrases", "a length, as in “base64-of(16)”")))
                       .has_value();
        const int longest = part.type == PartType::Bytes ? longestBytes : longestPart;
        const qsizetype dash = length.indexOf('-');
        bool isFirst = false;
        bool isLast = false;
        const int least = (dash < 0 ? length : length.first(dash)).toInt(&isFirst);
        const int most = dash < 0 ? least : length.sliced(dash + 1).toInt(&isLast);
        if (!hasLength(part.type) || !isFirst || (dash >= 0 && !isLast) || least < 0 || most < least ||
            most > longest)
            return fail(m_text.size(),
                        Phrase(QT_TRANSLATE_NOOP("phrases", "a length from 0 to %1, as in “hex(32)”"),
                               longest))
                .has_value();
        part.least = static_cast<quint32>(least);
        part.most = static_cast<quint32>(most);
        return true;
    }

    std::optional<WrittenTemplate::Part> fail(qsizetype at, const Phrase &expected)
    {
        m_fault = {m_offset + at, expected};
        return std::nullopt;
    }

    QByteArrayView m_text;
    qsizetype m_offset;
    TemplateFault &m_fault;
};

} // namespace

std::optional<WrittenTemplate> readTemplate(QByteArrayView text, TemplateFault &fault, bool isFilled)
{
    WrittenTemplate shape;
    quint8 groups = 0;
    bool isInGroup = false;
    bool isLiteral = false;
    const auto groupNow = [&] { return isInGroup ? groups : quint8(0); };
    const auto fail = [&fault](qsizetype at, const char *expected) -> std::optional<WrittenTemplate> {
        fault = {at, Phrase(expected)};
        return std::nullopt;
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '{') {
            const qsizetype close = text.indexOf('}', i);
            if (close < 0)
                return fail(text.size(), "“}”");
            if (text.sliced(i + 1, close - i - 1).contains('{'))
                return fail(
                    i, QT_TRANSLATE_NOOP("phrases", "a part without “{” in it, or “\\{” for a literal one"));
            std::optional<WrittenTemplate::Part> part =
                PartText(text.sliced(i + 1, close - i - 1), i + 1, fault).read();
            if (!part)
                return std::nullopt;
            part->part.group = groupNow();
            if (isInGroup && part->part.type == PartType::Rest)
                return fail(i, QT_TRANSLATE_NOOP("phrases", "another type than “rest” between brackets"));
            shape.parts.append(*part);
            isLiteral = false;
            i = close;
        } else if (c == '[' || c == ']') {
            if ((c == '[') == isInGroup)
                return fail(i, isInGroup ? "“]”"
                                         : QT_TRANSLATE_NOOP("phrases",
                                                             "“[” before “]”, or “\\]” for a literal one"));
            isInGroup = c == '[';
            groups = static_cast<quint8>(groups + (isInGroup ? 1 : 0));
            isLiteral = false;
        } else {
            if (c == '\\' && ++i == text.size())
                return fail(i, QT_TRANSLATE_NOOP("phrases", "a character after “\\”"));
            if (!isLiteral)
                shape.parts.append({TemplatePart{.group = groupNow()}, {}});
            shape.parts.last().text += text[i];
            isLiteral = true;
        }
        if (shape.parts.size() > maxParts)
            return fail(i, QT_TRANSLATE_NOOP("phrases", "24 parts at most"));
    }
    if (isInGroup)
        return fail(text.size(), "“]”");
    if (text.size() > longestPart)
        return fail(longestPart, QT_TRANSLATE_NOOP("phrases", "512 bytes at most"));
    const auto isOpen = [](const WrittenTemplate::Part &part) { return part.part.type == PartType::Rest; };
    if (!isFilled && std::ranges::count_if(shape.parts, isOpen) > 1)
        return fail(text.size(), QT_TRANSLATE_NOOP("phrases", "one “rest” at most"));
    return shape;
}

QByteArray writtenTemplate(Template shape)
{
    QByteArray text;
    quint8 group = 0;
    for (const TemplatePart &part : shape) {
        if (part.group != group) {
            text += group != 0 ? "]" : "";
            text += part.group != 0 ? "[" : "";
            group = part.group;
        }
        if (part.type == PartType::Literal) {
            for (const char c : part.literal())
                text += QByteArrayView("{}[]\\").contains(c) ? QByteArray("\\") + c : QByteArray(1, c);
            continue;
        }
        text += '{' + part.literal().toByteArray() + ':' + typeName(part.type);
        const bool isAny = part.least == 1 && part.most == longestPart;
        if (hasLength(part.type) && !isAny) {
            text += '(' + QByteArray::number(part.least);
            text += part.most == part.least ? QByteArray(")") : '-' + QByteArray::number(part.most) + ')';
        }
        text += '}';
    }
    return text + (group != 0 ? "]" : "");
}

} // namespace lockscope
