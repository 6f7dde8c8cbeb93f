// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/template.h"

#include "core/base/ascii.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <string_view>

namespace lockscope {

namespace {

constexpr bool isAmong(char c, std::string_view some)
{
    return some.find(c) != std::string_view::npos;
}

constexpr bool mayHave(PartType type, char c)
{
    const bool isNumber = c >= '0' && c <= '9';
    const bool isLower = c >= 'a' && c <= 'z';
    const bool isUpper = c >= 'A' && c <= 'Z';
    switch (type) {
    case PartType::Uuid:
    case PartType::Uuid1:
    case PartType::Uuid4:
        return isNumber || (c >= 'a' && c <= 'f') || c == '-';
    case PartType::HexUuid1:
    case PartType::HexUuid4:
    case PartType::Hex:
        return isNumber || (c >= 'a' && c <= 'f');
    case PartType::UpperHex:
        return isNumber || (c >= 'A' && c <= 'F');
    case PartType::Digits:
        return isNumber;
    case PartType::Letters:
        return isLower || isUpper;
    case PartType::Alnum:
    case PartType::Random:
        return isNumber || isLower || isUpper;
    case PartType::Base64:
        return isNumber || isLower || isUpper || c == '+' || c == '/';
    case PartType::DrawnBase64:
        return isNumber || isLower || isUpper || c == '+' || c == '/' || c == '=';
    case PartType::Base64Url:
    case PartType::DrawnBase64Url:
        return isNumber || isLower || isUpper || c == '-' || c == '_';
    case PartType::IsoTime:
        return isNumber || isAmong(c, "-:.TZ+");
    case PartType::EpochMs:
    case PartType::EpochS:
        return isNumber || c == '.';
    case PartType::Word:
        return (c > ' ' && c < 0x7f && !isAmong(c, "\"'`{}[]()<>,;")) || c < 0;
    case PartType::Literal:
    case PartType::Bytes:
    case PartType::RandomBytes:
    case PartType::Rest:
        return true;
    }
    return false;
}

/// For each byte, the part types that may have it, as bits.
constexpr auto partsWith = [] {
    std::array<quint32, 256> table{};
    for (size_t byte = 0; byte < table.size(); ++byte) {
        for (quint32 type = 0; type <= static_cast<quint32>(PartType::Rest); ++type) {
            if (mayHave(static_cast<PartType>(type), static_cast<char>(byte)))
                table.at(byte) |= quint32(1) << type;
        }
    }
    return table;
}();

bool isOf(PartType type, char c)
{
    return partsWith[static_cast<uchar>(c)] >> static_cast<quint32>(type) & 1;
}

/// True if drawn bytes can have this end.
bool isDrawnBase64(QByteArrayView text, qsizetype bytes, bool isPadded)
{
    constexpr qsizetype sixteen = 16;
    const qsizetype padding = isPadded ? (3 - bytes % 3) % 3 : 0;
    const QByteArrayView letters = text.chopped(padding);
    if (std::ranges::any_of(text.last(padding), [](char c) { return c != '='; }) || letters.contains('='))
        return false;
    if (bytes == sixteen && isPadded)
        return endsSixteenBytes(letters.back()) && uuidInBase64(text).isEmpty(); // that would tell a time
    const bool canEnd = bytes != sixteen || endsSixteenBytes(letters.back());
    return canEnd && (bytes % 3 == 0 ? looksRandom(letters) : isMixed(letters));
}

/// One in nine random bytes is a control character, and hardly any sequence is UTF-8.
bool isText(QByteArrayView bytes)
{
    const auto isControl = [](char c) {
        return (c >= 0 && c < ' ' && !QByteArrayView("\t\n\r").contains(c)) || c == 0x7f;
    };
    return std::ranges::none_of(bytes, isControl) && bytes.isValidUtf8();
}

/// The letters were checked before.
bool isValid(const TemplatePart &part, QByteArrayView text)
{
    switch (part.type) {
    case PartType::Uuid:
        return isUuid(text) && uuidVersion(text) != 1;
    case PartType::Uuid1:
        return isUuid(text) && uuidVersion(text) == 1;
    case PartType::Uuid4:
        return isUuid(text) && uuidVersion(text) == 4;
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

bool consistsOf(const TemplatePart &part, QByteArrayView text)
{
    switch (part.type) {
    case PartType::Literal:
        return text == part.literal();
    case PartType::Uuid:
    case PartType::Uuid1:
    case PartType::Uuid4:
        return true; // isValid() looks at them
    default:
        return std::ranges::all_of(text, [&part](char c) { return isOf(part.type, c); });
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
                    m_captures[i] = {};
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
        const ByteLengths lengths = lengthsOf(part);
        qsizetype size = lengths.least;
        if (m_text.size() < size)
            return false;
        const bool isFixed = lengths.most <= size;
        if (!isFixed) {
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
        if (size < lengths.least || (isFixed && !consistsOf(part, taken)) || !isValid(part, taken))
            return false;
        m_captures[at] = taken;
        m_text = isFront ? m_text.sliced(size) : m_text.chopped(size);
        return true;
    }

    /// Qt 6.4's own reads one byte behind the view.
    qsizetype lastOf(QByteArrayView stop) const
    {
        const qsizetype last = m_text.size() - stop.size();
        return last < 0 ? -1 : m_text.lastIndexOf(stop, last);
    }

    QByteArrayView m_text;
    Captures &m_captures;
    size_t m_failed = 0;
    const char *m_failedAt = nullptr;
};

/// True if a text may begin or end with this part.
bool mayBeAtEnd(const TemplatePart &part, QByteArrayView text, bool isFront)
{
    if (part.group != 0 || part.least == 0)
        return true;
    if (part.type == PartType::Literal)
        return isFront ? text.startsWith(part.literal()) : text.endsWith(part.literal());
    return !text.isEmpty() && isOf(part.type, isFront ? text.front() : text.back());
}

bool mayBeAsLong(Template shape, qsizetype length)
{
    return length >= shape.lengths.least && length <= shape.lengths.most;
}

/// With an optional fraction; 0 if it is no time in range.
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
    captures.clear();
    captures.resize(static_cast<qsizetype>(shape.size()));
    const bool isOne = shape.size() == 1 && shape.front().type != PartType::Rest && shape.front().group == 0;
    if (isOne && !why) {
        const bool isIt = mayBeAsLong(shape, text.size()) && consistsOf(shape.front(), text) &&
                          isValid(shape.front(), text);
        captures[0] = text;
        return isIt;
    }
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
        captures[rest] = reader.text();
    if (!isWhole && why)
        *why = {isRead ? static_cast<size_t>(rest) : reader.failedPart(),
                (isRead ? reader.text().data() : reader.failedAt()) - text.data()};
    return isWhole;
}

bool mayMatch(Template shape, PartType bytes, qsizetype length)
{
    const auto isOther = [bytes](const TemplatePart &part) {
        return part.group == 0 && part.type == PartType::Literal &&
               std::ranges::any_of(part.literal(), [bytes](char c) { return !isOf(bytes, c); });
    };
    // A UUID has a hyphen after eight digits.
    const bool isTooLong = bytes == PartType::Uuid && !shape.empty() && shape.front().group == 0 &&
                           !isOf(shape.front().type, '-') && lengthsOf(shape.front()).least > 8;
    return mayBeAsLong(shape, length) && !isTooLong && std::ranges::none_of(shape, isOther);
}

bool mayMatch(Template shape, QByteArrayView begins, qsizetype least)
{
    const auto mayBegin = [shape](char c) {
        const TemplatePart &part = shape.front();
        return part.group != 0 || part.least == 0 ||
               (part.type == PartType::Literal ? part.literal().startsWith(c) : isOf(part.type, c));
    };
    return !shape.empty() && shape.lengths.most >= least &&
           (begins.isEmpty() || std::ranges::any_of(begins, mayBegin));
}

bool mayMatch(Template shape, QByteArrayView text)
{
    return !shape.empty() && mayBeAsLong(shape, text.size()) && mayBeAtEnd(shape.front(), text, true) &&
           mayBeAtEnd(shape.back(), text, false);
}

QByteArrayView partOf(Template shape, const Captures &captures, PartRole role)
{
    if (!shape.has(role))
        return {};
    const auto part = std::ranges::find(shape, role, &TemplatePart::role);
    return captures.at(part - shape.begin());
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
        return uuidTime(text.toByteArray().replace("-", ""));
    default:
        break;
    }
    return ms > 0 ? CompactOptional(ms) : CompactOptional<qint64>();
}

} // namespace lockscope
