// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/template.h"

#include "core/base/ascii.h"
#include "core/base/enumnames.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <limits>

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
    Named<PartRole>{PartRole::Metadata, "metadata"},
};

constexpr qsizetype hexUuidLength = 32;
constexpr int longestPart = 512;

bool isOf(PartType type, char c)
{
    const bool isLower = c >= 'a' && c <= 'z';
    const bool isUpper = c >= 'A' && c <= 'Z';
    switch (type) {
    case PartType::Uuid:
    case PartType::Uuid1:
    case PartType::Uuid4:
        return isDigit(c) || (c >= 'a' && c <= 'f') || c == '-';
    case PartType::HexUuid1:
    case PartType::HexUuid4:
    case PartType::Hex:
        return isDigit(c) || (c >= 'a' && c <= 'f');
    case PartType::UpperHex:
        return isDigit(c) || (c >= 'A' && c <= 'F');
    case PartType::Digits:
        return isDigit(c);
    case PartType::Letters:
        return isLower || isUpper;
    case PartType::Alnum:
    case PartType::Random:
        return isDigit(c) || isLower || isUpper;
    case PartType::Base64:
        return isDigit(c) || isLower || isUpper || c == '+' || c == '/';
    case PartType::DrawnBase64:
        return isDigit(c) || isLower || isUpper || c == '+' || c == '/' || c == '=';
    case PartType::Base64Url:
    case PartType::DrawnBase64Url:
        return isDigit(c) || isLower || isUpper || c == '-' || c == '_';
    case PartType::IsoTime:
        return isDigit(c) || QByteArrayView("-:.TZ+").contains(c);
    case PartType::EpochMs:
    case PartType::EpochS:
        return isDigit(c) || c == '.';
    case PartType::Word:
        return (c > ' ' && c < 0x7f && !QByteArrayView("\"'`{}[]()<>,;").contains(c)) || c < 0;
    case PartType::Literal:
    case PartType::Bytes:
    case PartType::RandomBytes:
    case PartType::Rest:
        return true;
    }
    return false;
}

/// The number of bytes that a part of drawn base64 has.
qsizetype base64Length(qsizetype bytes, bool isPadded)
{
    return isPadded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

struct Lengths
{
    qsizetype least;
    qsizetype most;
};

Lengths lengthsOf(const TemplatePart &part)
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

/// Whether drawn bytes can end so, whatever they are.
bool isDrawnBase64(QByteArrayView text, qsizetype bytes, bool isPadded)
{
    constexpr qsizetype sixteen = 16;
    const qsizetype padding = isPadded ? (3 - bytes % 3) % 3 : 0;
    const QByteArrayView letters = text.chopped(padding);
    if (std::ranges::any_of(text.last(padding), [](char c) { return c != '='; }) || letters.contains('='))
        return false;
    if (bytes == sixteen && isPadded)
        return endsSixteenBytes(letters.back());
    const bool canEnd = bytes != sixteen || endsSixteenBytes(letters.back());
    return canEnd && (bytes % 3 == 0 ? looksRandom(letters) : isMixed(letters));
}

/// Of drawn bytes one in nine is a control character, and hardly any sequence is UTF-8.
bool isText(QByteArrayView bytes)
{
    const auto isControl = [](char c) {
        return (c >= 0 && c < ' ' && !QByteArrayView("\t\n\r").contains(c)) || c == 0x7f;
    };
    return std::ranges::none_of(bytes, isControl) && bytes.isValidUtf8();
}

QByteArray withoutHyphens(QByteArrayView uuid)
{
    return uuid.toByteArray().replace("-", "");
}

/// What its letters are has been looked at.
bool isValid(const TemplatePart &part, QByteArrayView text)
{
    switch (part.type) {
    case PartType::Uuid:
        return isUuid(text) && uuidVersion(withoutHyphens(text)) != 1;
    case PartType::Uuid1:
        return isUuid(text) && uuidVersion(withoutHyphens(text)) == 1;
    case PartType::Uuid4:
        return isUuid(text) && uuidVersion(withoutHyphens(text)) == 4;
    case PartType::HexUuid1:
        return uuidVersion(text) == 1;
    case PartType::HexUuid4:
        return uuidVersion(text) == 4;
    case PartType::Random:
        return looksRandom(text);
    case PartType::RandomBytes:
        return !isText(text);
    case PartType::DrawnBase64:
        return isDrawnBase64(text, part.most, true);
    case PartType::DrawnBase64Url:
        return isDrawnBase64(text, part.most, false);
    case PartType::IsoTime:
    case PartType::EpochMs:
    case PartType::EpochS:
        return momentOf(part.type, text).has_value();
    default:
        return true;
    }
}

/// Reads parts at one end of a text.
class Reader
{
public:
    Reader(QByteArrayView text, Captures &captures) : m_text(text), m_captures(captures) {}

    QByteArrayView text() const { return m_text; }
    size_t failedPart() const { return m_failed; }
    const char *failedAt() const { return m_failedAt; }

    /// Takes the parts from `at` to before `end`, from the front for a step of 1, from the back for -1.
    bool take(Template shape, int at, int end, int step)
    {
        while (at != end) {
            const quint8 group = shape[static_cast<size_t>(at)].group;
            int next = at + step;
            while (group != 0 && next != end && shape[static_cast<size_t>(next)].group == group)
                next += step;
            const QByteArrayView before = m_text;
            bool isThere = true;
            for (int i = at; i != next && isThere; i += step)
                isThere = takeOne(shape, i, i + step == end ? -1 : i + step, step);
            if (!isThere && group == 0) {
                m_failed = static_cast<size_t>(at);
                m_failedAt = step > 0 ? m_text.data() : m_text.data() + m_text.size();
                return false;
            }
            if (!isThere) {
                m_text = before;
                for (int i = at; i != next; i += step)
                    m_captures.at(static_cast<size_t>(i)) = {};
            }
            at = next;
        }
        return true;
    }

private:
    bool takeOne(Template shape, int at, int neighbour, int step)
    {
        const TemplatePart &part = shape[static_cast<size_t>(at)];
        const bool isFront = step > 0;
        const Lengths lengths = lengthsOf(part);
        qsizetype size = lengths.least;
        if (m_text.size() < size)
            return false;
        if (lengths.most > size) {
            // It ends where the literal beside it begins.
            qsizetype limit = std::min(m_text.size(), lengths.most);
            if (neighbour >= 0 && shape[static_cast<size_t>(neighbour)].type == PartType::Literal) {
                const QByteArrayView stop = shape[static_cast<size_t>(neighbour)].literal();
                const qsizetype found = isFront ? m_text.indexOf(stop) : lastOf(stop);
                if (found >= 0)
                    limit = std::min(limit, isFront ? found : m_text.size() - found - stop.size());
            }
            size = 0;
            while (size < limit && isOf(part.type, isFront ? m_text[size] : m_text[m_text.size() - 1 - size]))
                ++size;
        }
        const QByteArrayView taken = isFront ? m_text.first(size) : m_text.last(size);
        if (size < lengths.least || !isWhole(part, taken))
            return false;
        m_captures.at(static_cast<size_t>(at)) = taken;
        m_text = isFront ? m_text.sliced(size) : m_text.chopped(size);
        return true;
    }

    /// Qt 6.4's own looks one byte behind the view.
    qsizetype lastOf(QByteArrayView stop) const
    {
        const qsizetype last = m_text.size() - stop.size();
        return last < 0 ? -1 : m_text.lastIndexOf(stop, last);
    }

    static bool isWhole(const TemplatePart &part, QByteArrayView taken)
    {
        if (part.type == PartType::Literal)
            return taken == part.literal();
        return std::ranges::all_of(taken, [&part](char c) { return isOf(part.type, c); }) &&
               isValid(part, taken);
    }

    QByteArrayView m_text;
    Captures &m_captures;
    size_t m_failed = 0;
    const char *m_failedAt = nullptr;
};

/// With a fraction or not: 0 where it is none, or of another time.
qint64 epochMs(QByteArrayView text, qsizetype digits, double unit)
{
    constexpr double year2100 = 4'102'444'800'000;
    const qsizetype point = text.indexOf('.');
    const QByteArrayView whole = point < 0 ? text : text.first(point);
    if (whole.size() != digits || !isDigits(whole) || (point >= 0 && !isDigits(text.sliced(point + 1))))
        return 0;
    const double ms = text.toDouble() * unit;
    return ms > year2001 && ms < year2100 ? static_cast<qint64>(ms) : 0;
}

} // namespace

bool matches(Template shape, QByteArrayView text, Captures &captures, TemplateMismatch *why)
{
    const auto open = std::ranges::find(shape, PartType::Rest, &TemplatePart::type);
    const int size = static_cast<int>(shape.size());
    const int rest = static_cast<int>(open - shape.begin());
    Reader reader(text, captures);
    const bool isRead =
        reader.take(shape, 0, rest, 1) && (rest == size || reader.take(shape, size - 1, rest, -1));
    const qsizetype left = reader.text().size();
    const bool isWhole =
        isRead && (open == shape.end() ? left == 0 : left >= open->least && left <= open->most);
    if (isWhole && open != shape.end())
        captures.at(static_cast<size_t>(rest)) = reader.text();
    if (!isWhole && why)
        *why = {isRead ? static_cast<size_t>(rest) : reader.failedPart(),
                (isRead ? reader.text().data() : reader.failedAt()) - text.data()};
    return isWhole;
}

QByteArrayView partOf(Template shape, const Captures &captures, PartRole role)
{
    const auto part = std::ranges::find(shape, role, &TemplatePart::role);
    return part == shape.end() ? QByteArrayView() : captures.at(static_cast<size_t>(part - shape.begin()));
}

CompactOptional<qint64> momentOf(PartType type, QByteArrayView text)
{
    qint64 ms = 0;
    switch (type) {
    case PartType::IsoTime:
        return isoTime(text);
    case PartType::EpochMs:
        ms = epochMs(text, 13, 1);
        break;
    case PartType::EpochS:
        ms = epochMs(text, 10, 1000);
        break;
    case PartType::HexUuid1:
        return uuidTime(text);
    case PartType::Uuid1:
        return uuidTime(withoutHyphens(text));
    default:
        break;
    }
    return ms > 0 ? CompactOptional(ms) : CompactOptional<qint64>();
}

QByteArray filledIn(Template shape, Template from, const Captures &captures)
{
    QByteArray text;
    for (const TemplatePart &part : shape) {
        if (part.type == PartType::Literal) {
            text += part.literal();
            continue;
        }
        const auto same = std::ranges::find_if(from, [&part](const TemplatePart &other) {
            return other.type != PartType::Literal && other.literal() == part.literal();
        });
        if (same != from.end())
            text += captures.at(static_cast<size_t>(same - from.begin()));
    }
    return text;
}

namespace {

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

/// "name:type(16-32)", as it stands between braces.
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
                return fail(m_text.size(),
                            Phrase(QT_TRANSLATE_NOOP("phrases", "“)” at the end of the length")));
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
                        Phrase(QT_TRANSLATE_NOOP("phrases", "a number of bytes, as in “base64-of(16)”")))
                       .has_value();
        const qsizetype dash = length.indexOf('-');
        bool isFirst = false;
        bool isLast = false;
        const int least = (dash < 0 ? length : length.first(dash)).toInt(&isFirst);
        const int most = dash < 0 ? least : length.sliced(dash + 1).toInt(&isLast);
        if (!hasLength(part.type) || !isFirst || (dash >= 0 && !isLast) || least < 0 || most < least ||
            most > longestPart)
            return fail(m_text.size(),
                        Phrase(QT_TRANSLATE_NOOP(
                            "phrases", "a length from 0 to 512, as in “hex(32)” or “alnum(10-12)”")))
                .has_value();
        part.least = static_cast<quint16>(least);
        part.most = static_cast<quint16>(most);
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

std::optional<WrittenTemplate> readTemplate(QByteArrayView text, TemplateFault &fault)
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
                return fail(text.size(), QT_TRANSLATE_NOOP("phrases", "“}” at the end of the part"));
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
                return fail(i, isInGroup ? QT_TRANSLATE_NOOP("phrases", "“]” before the next “[”")
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
        if (shape.parts.size() > static_cast<qsizetype>(mostParts))
            return fail(i, QT_TRANSLATE_NOOP("phrases", "24 parts at most"));
    }
    if (isInGroup)
        return fail(text.size(), QT_TRANSLATE_NOOP("phrases", "“]” at the end"));
    if (text.size() > longestPart)
        return fail(longestPart, QT_TRANSLATE_NOOP("phrases", "512 bytes at most"));
    const auto isOpen = [](const WrittenTemplate::Part &part) { return part.part.type == PartType::Rest; };
    if (std::ranges::count_if(shape.parts, isOpen) > 1)
        return fail(text.size(),
                    QT_TRANSLATE_NOOP("phrases", "one “rest” at most: nothing tells where the first ends"));
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
