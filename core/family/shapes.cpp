// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/shapes.h"

#include "core/base/ascii.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace lockscope {

namespace {

enum Class : uchar {
    Digit = 1,
    HexLetter = 2,
    Lower = 4,
    Upper = 8,
    Base64Sign = 16,
    UrlSign = 32,
    HostSign = 64
};

constexpr std::array<uchar, 256> classes = [] {
    std::array<uchar, 256> table{};
    for (size_t c = 0; c < table.size(); ++c) {
        if (c >= '0' && c <= '9')
            table[c] = Digit;
        else if (c >= 'a' && c <= 'z')
            table[c] = c <= 'f' ? Lower | HexLetter : Lower;
        else if (c >= 'A' && c <= 'Z')
            table[c] = Upper;
        else if (c == '+' || c == '/')
            table[c] = Base64Sign;
        else if (c == '-' || c == '_')
            table[c] = UrlSign | HostSign;
        else if (c == '.' || c >= 0x80) // Windows allows any letter in a machine's name
            table[c] = HostSign;
    }
    return table;
}();

constexpr uchar classOf(char c)
{
    return classes[static_cast<uchar>(c)];
}

bool consistsOf(QByteArrayView text, int wanted)
{
    return !text.isEmpty() && std::ranges::all_of(text, [wanted](char c) { return classOf(c) & wanted; });
}

constexpr qsizetype url16Length = 22;

/// The value of valid hex digits that fit a number.
quint64 hexValue(QByteArrayView hex)
{
    quint64 value = 0;
    std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    return value;
}

/// True for ADDED:time@host without characters of sentences.
bool isAddedAt(QByteArrayView value)
{
    constexpr QByteArrayView form = "ADDED:0000-00-00T00:00:00.000Z@";
    if (value.size() <= form.size() || !value.startsWith("ADDED:"))
        return false;
    const QByteArrayView host = value.sliced(form.size());
    return !host.contains(' ') && !host.contains('@') &&
           std::equal(form.begin(), form.end(), value.begin(),
                      [](char f, char v) { return f == '0' ? classOf(v) == Digit : f == v; });
}

bool isTimeAndProcess(QByteArrayView value)
{
    constexpr qsizetype timeLength = 13;
    constexpr qsizetype shortest = 5;
    constexpr qsizetype longest = 16;
    const qsizetype last = value.lastIndexOf('-');
    const qsizetype drawn = last - timeLength - 1;
    return drawn >= shortest && drawn <= longest && value[timeLength] == '-' &&
           isDigits(value.first(timeLength)) && isDigits(value.sliced(last + 1)) &&
           consistsOf(value.sliced(timeLength + 1, drawn), Digit | HexLetter | Lower);
}

bool isNodeAndTime(QByteArrayView value)
{
    constexpr qsizetype randomLength = 16;
    constexpr qsizetype timeLength = 13;
    constexpr qsizetype tail = 1 + timeLength + 1 + randomLength;
    if (value.size() <= tail || !isLowerHex(value.last(randomLength)))
        return false;
    const QByteArrayView rest = value.last(tail);
    return rest[0] == ':' && rest[1 + timeLength] == ':' && isDigits(rest.sliced(1, timeLength));
}

bool beginsWithUrl16(QByteArrayView value)
{
    const QByteArrayView first = value.first(url16Length);
    return endsSixteenBytes(first.back()) && isBase64Url(first) && isMixed(first);
}

TokenFormat shapeByLength(QByteArrayView value)
{
    switch (value.size()) {
    case 16:
        return isAlphanumeric(value) && looksRandom(value) ? TokenFormat::Letters16 : TokenFormat::Other;
    case 20:
        return isAlphanumeric(value) && looksRandom(value) ? TokenFormat::Letters20 : TokenFormat::Other;
    case url16Length:
        return beginsWithUrl16(value) ? TokenFormat::Url16 : TokenFormat::Other;
    case 24:
        if (value.endsWith("=="))
            return endsSixteenBytes(value[21]) && isBase64(value.chopped(2)) ? TokenFormat::Base64Of16
                                                                             : TokenFormat::Other;
        return isBase64(value) && looksRandom(value) ? TokenFormat::Base64Of18 : TokenFormat::Other;
    case 32:
        return isLowerHex(value) ? TokenFormat::Hex32 : TokenFormat::Other;
    case uuidLength:
        return isUuid(value) ? TokenFormat::Uuid : TokenFormat::Other;
    case 40:
        return isLowerHex(value) ? TokenFormat::Hex40 : TokenFormat::Other;
    case 44:
        return value.back() == '=' && isBase64(value.chopped(1)) && isMixed(value) ? TokenFormat::Base64Of32
                                                                                   : TokenFormat::Other;
    default:
        return TokenFormat::Other;
    }
}

bool equalsWord(QByteArrayView text, QByteArrayView word)
{
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char t, char w) { return (t | 0x20) == w; });
}

int numberAt(QByteArrayView text, qsizetype at, qsizetype digits)
{
    int value = -1;
    if (at + digits <= text.size() && isDigits(text.sliced(at, digits)))
        std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
}

} // namespace

bool isLowerHex(QByteArrayView text)
{
    return consistsOf(text, Digit | HexLetter);
}

bool isDigits(QByteArrayView text)
{
    return consistsOf(text, Digit);
}

bool isCount(QByteArrayView text)
{
    return isDigits(text.startsWith('-') ? text.sliced(1) : text);
}

bool isAlphanumeric(QByteArrayView text)
{
    return consistsOf(text, Digit | Lower | Upper);
}

bool isBase64(QByteArrayView text)
{
    return consistsOf(text, Digit | Lower | Upper | Base64Sign);
}

bool isBase64Url(QByteArrayView text)
{
    return consistsOf(text, Digit | Lower | Upper | UrlSign);
}

bool isUuid(QByteArrayView text)
{
    if (text.size() != uuidLength || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return false;
    // Counted, not searched: without branches it is twice as fast, and half of all tokens have one.
    return std::ranges::count_if(text, [](char c) { return (classOf(c) & (Digit | HexLetter)) != 0; }) ==
           hexUuidLength;
}

int uuidVersion(QByteArrayView uuid)
{
    const bool isDashed = uuid.size() == uuidLength;
    const char version = uuid[isDashed ? 14 : 12];
    const char variant = uuid[isDashed ? 19 : 16];
    if (version < '1' || version > '8' ||
        (variant != '8' && variant != '9' && variant != 'a' && variant != 'b'))
        return 0;
    return version - '0';
}

CompactOptional<qint64> uuidTime(QByteArrayView hex)
{
    if (uuidVersion(hex) != 1)
        return {};
    // RFC 9562: the time's low, middle and high bits in this order, in 100 ns since the Gregorian calendar began.
    constexpr quint64 from1582To1970 = 0x01B21DD213814000;
    constexpr qint64 year2010 = 1'262'304'000'000;
    constexpr qint64 year2100 = 4'102'444'800'000;
    const quint64 ticks =
        hexValue(hex.sliced(13, 3)) << 48 | hexValue(hex.sliced(8, 4)) << 32 | hexValue(hex.first(8));
    const qint64 ms = (static_cast<qint64>(ticks) - static_cast<qint64>(from1582To1970)) / 10'000;
    return ms >= year2010 && ms < year2100 ? CompactOptional(ms) : CompactOptional<qint64>();
}

bool isMixed(QByteArrayView text)
{
    uchar seen = 0;
    for (const char c : text)
        seen |= classOf(c);
    return (seen & Lower) && (seen & Upper) && (seen & Digit);
}

bool looksRandom(QByteArrayView text)
{
    qsizetype small = 0;
    qsizetype capitals = 0;
    for (const char c : text) {
        small += (classOf(c) & Lower) ? 1 : 0;
        capitals += (classOf(c) & Upper) ? 1 : 0;
    }
    if (small + capitals < text.size())
        return small > 0 && capitals > 0;
    return std::min(small, capitals) * 7 >= text.size() * 2; // 7 of 24: random ones in 98 of 100 cases
}

bool endsSixteenBytes(char last)
{
    return last == 'A' || last == 'Q' || last == 'g' || last == 'w';
}

std::optional<ProcessToken> processToken(QByteArrayView text)
{
    constexpr QByteArrayView waiting = "_WRITERWAITING";
    constexpr qsizetype randomLength = 32;
    constexpr qsizetype longestNumber = 10;
    constexpr qsizetype longestMachine = 255;
    ProcessToken token;
    token.waits = text.endsWith(waiting);
    if (token.waits)
        text = text.chopped(waiting.size());
    if (text.size() < randomLength + 4 || text[text.size() - randomLength - 1] != '_')
        return std::nullopt;
    const QByteArrayView random = text.last(randomLength);
    // A GUID is of version 4; a digest, as sessions have it, hardly looks so.
    if (!isLowerHex(random) || uuidVersion(random) != 4)
        return std::nullopt;
    text = text.chopped(randomLength + 1);
    const qsizetype cut = text.lastIndexOf('_');
    if (cut < 1 || cut > longestMachine)
        return std::nullopt;
    token.machine = text.first(cut);
    token.process = text.sliced(cut + 1);
    token.namesAMachine =
        std::ranges::any_of(token.machine, [](char c) { return !(classOf(c) & Lower) && c != '_'; });
    const bool isNumber =
        isDigits(token.process) && token.process[0] != '0' && token.process.size() <= longestNumber;
    if (!isNumber || !consistsOf(token.machine, Digit | Lower | Upper | HostSign))
        return std::nullopt;
    return token;
}

std::optional<RedissonId> redissonId(QByteArrayView text)
{
    constexpr QByteArrayView write = ":write";
    constexpr qsizetype longestNumber = 19;
    if (text.size() < uuidLength + 2 || text[uuidLength] != ':' || !isUuid(text.first(uuidLength)))
        return std::nullopt;
    qsizetype end = text.indexOf(':', uuidLength + 1);
    if (end < 0)
        end = text.size();
    RedissonId id;
    id.clientAndThread = text.first(end);
    QByteArrayView thread = id.thread();
    if (thread.startsWith('-'))
        thread = thread.sliced(1);
    if (!isDigits(thread) || thread.size() > longestNumber)
        return std::nullopt;
    QByteArrayView rest = text.sliced(end);
    if (rest.isEmpty())
        return id;
    id.writes = rest.startsWith(write);
    if (id.writes)
        rest = rest.sliced(write.size());
    if (rest.isEmpty())
        return id;
    constexpr qsizetype transactionLength = 32;
    id.transaction = rest.sliced(1);
    if (rest[0] != ':' || id.transaction.size() != transactionLength || !isLowerHex(id.transaction))
        return std::nullopt;
    return id;
}

TokenFormat shapeOf(QByteArrayView value)
{
    if (const TokenFormat shape = shapeByLength(value); shape != TokenFormat::Other)
        return shape;
    if (value.size() > uuidLength + 1 && isUuid(value.first(uuidLength))) {
        if (value[uuidLength] == ':' && isDigits(value.sliced(uuidLength + 1)))
            return TokenFormat::CountedUuid;
        if (value[uuidLength] == '-')
            return TokenFormat::SuffixedUuid;
    }
    if (isAddedAt(value))
        return TokenFormat::AddedAt;
    if (processToken(value))
        return TokenFormat::Process;
    if (isNodeAndTime(value))
        return TokenFormat::NodeAndTime;
    if (isTimeAndProcess(value))
        return TokenFormat::TimeAndProcess;
    if (value.size() > url16Length && beginsWithUrl16(value)) {
        // What an application appends mostly is JSON or a name. A dot joins the parts of other tokens.
        const char next = value[url16Length];
        const bool canBelong = classOf(next) & (Digit | Lower | Upper | UrlSign | Base64Sign);
        return canBelong || next == '.' || next == '=' ? TokenFormat::Url16MaybeMore
                                                       : TokenFormat::Url16AndMore;
    }
    return TokenFormat::Other;
}

QByteArray uuidInBase64(QByteArrayView value)
{
    constexpr qsizetype atVersion = 8; // its four bits are the first of this letter's six
    if (value.size() <= atVersion || value[atVersion] < 'E' || value[atVersion] > 'H')
        return {};
    const QByteArray hex = QByteArray::fromBase64(value.toByteArray()).toHex();
    return hex.size() == 32 && uuidTime(hex) ? hex : QByteArray();
}

bool namesALock(QByteArrayView key)
{
    return !lockWordIn(key).isEmpty();
}

QByteArrayView lockWordIn(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 4> words{"lock", "mutex", "semaphore", "redlock"};
    for (qsizetype i = 0; i < key.size(); ++i) {
        // A word begins after what is no letter, and at a capital after a small one.
        const bool begins = isLetter(key[i]) && (i == 0 || !isLetter(key[i - 1]) ||
                                                 (classOf(key[i]) == Upper && classOf(key[i - 1]) & Lower));
        if (!begins)
            continue;
        for (const QByteArrayView word : words) {
            if (key.size() - i < word.size() || !equalsWord(key.sliced(i, word.size()), word))
                continue;
            QByteArrayView rest = key.sliced(i + word.size());
            if (rest.startsWith('s') || rest.startsWith('S'))
                rest = rest.sliced(1);
            const bool isCapitals = classOf(key[i + word.size() - 1]) == Upper;
            if (rest.isEmpty() || !isLetter(rest[0]) || (!isCapitals && classOf(rest[0]) == Upper))
                return key.sliced(i, rest.data() - key.data() - i);
        }
    }
    return {};
}

std::optional<qint64> parseCount(QByteArrayView text)
{
    constexpr qsizetype maxDigits = 15; // Lua's numbers are exact to 2^53
    qint64 count = 0;
    if (text.isEmpty() || text.size() > maxDigits || text[0] < '1' || text[0] > '9')
        return std::nullopt;
    const char *end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, count);
    if (failure != std::errc() || stop != end)
        return std::nullopt;
    return count;
}

FieldFormat fieldFormatOf(QByteArrayView field)
{
    constexpr qsizetype jobIdLength = 24;
    constexpr qsizetype hashLength = 22;
    if (field == "mode")
        return FieldFormat::Mode;
    if (redissonId(field))
        return FieldFormat::RedissonId;
    if (field.size() > uuidLength && field[uuidLength] == ':' && isUuid(field.first(uuidLength)))
        return FieldFormat::UuidPair;
    if (field.size() == jobIdLength && isLowerHex(field))
        return FieldFormat::JobId;
    if (field.size() >= hashLength && endsSixteenBytes(field[hashLength - 1]) &&
        isBase64(field.first(hashLength)))
        return FieldFormat::ValueHash;
    return FieldFormat::Other;
}

CompactOptional<qint64> isoTime(QByteArrayView text)
{
    using namespace std::chrono;
    constexpr qsizetype seconds = 19; // characters up to them
    if (text.size() <= seconds || !text.endsWith('Z') || text[4] != '-' || text[7] != '-' ||
        text[10] != 'T' || text[13] != ':' || text[16] != ':')
        return {};
    const year_month_day date{year(numberAt(text, 0, 4)), month(static_cast<unsigned>(numberAt(text, 5, 2))),
                              day(static_cast<unsigned>(numberAt(text, 8, 2)))};
    const int hour = numberAt(text, 11, 2);
    const int minute = numberAt(text, 14, 2);
    const int second = numberAt(text, 17, 2);
    if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
        return {};
    const QByteArrayView fraction = text.sliced(seconds).chopped(1);
    int ms = 0;
    if (!fraction.isEmpty()) {
        ms = fraction[0] == '.' ? numberAt(fraction, 1, 3) : -1;
        if (ms < 0)
            return {};
    }
    const auto time =
        sys_days(date).time_since_epoch() + hours(hour) + minutes(minute) + std::chrono::seconds(second);
    return milliseconds(time).count() + ms;
}

} // namespace lockscope
