// SPDX-License-Identifier: GPL-3.0-or-later
// What may be somebody's home-made lock, and what is none.
#include "core/family/contentkind.h"

#include "core/base/ascii.h"
#include "core/family/statuswords.h"
#include "core/family/unwrap.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QUtf8StringView>

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>

namespace lockscope {

namespace {

constexpr qsizetype longestRecord = 256; // a lock's says who and when
constexpr qsizetype longestProse = 64;
constexpr qsizetype longestToken = 128;

using Word = QByteArrayView;

/// True for HyperLogLogs, bitmaps, packed or compressed data, and files with lines.
bool isBinary(QByteArrayView value)
{
    bool isAscii = true;
    for (const char c : value) {
        const auto byte = static_cast<uchar>(c);
        if (byte < 0x20 || byte == 0x7f)
            return true;
        isAscii = isAscii && byte < 0x80;
    }
    return !isAscii && !QUtf8StringView(value.data(), value.size()).isValidUtf8();
}

/// True for seconds or milliseconds since 1970, in this century.
bool isMoment(QByteArrayView digits)
{
    constexpr qint64 year2010 = 1'262'304'000;
    constexpr qint64 year2100 = 4'102'444'800;
    qint64 value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.size() == 13)
        value /= 1000;
    return (digits.size() == 10 || digits.size() == 13) && value > year2010 && value < year2100;
}

/// True for "12.5", "-3", "50%".
bool isMeasure(QByteArrayView value)
{
    if (value.endsWith('%'))
        value = value.chopped(1);
    if (value.startsWith('-') || value.startsWith('+'))
        value = value.sliced(1);
    return !value.isEmpty() &&
           std::ranges::all_of(value, [](char c) { return isDigit(c) || c == '.' || c == ','; });
}

ContentKind ofNumber(QByteArrayView key, QByteArrayView digits, bool hasLease)
{
    constexpr qsizetype longestProcess = 7;
    constexpr qsizetype shortestId = 15; // as some services draw them
    const bool isNamed = namesALock(key);
    if (isMoment(digits))
        return hasLease || isNamed ? ContentKind::Token : ContentKind::NoLock;
    const bool isNought = std::ranges::all_of(digits, [](char c) { return c == '0'; });
    const bool maySay = !isNought && (digits.size() >= shortestId || digits.size() <= longestProcess);
    return maySay && hasLease && isNamed ? ContentKind::Token : ContentKind::NoLock;
}

/// simple-redis-mutex draws 12 or more digits; a price has few.
ContentKind ofMeasure(QByteArrayView value, bool hasLease)
{
    constexpr qsizetype shortestDrawn = 12;
    const bool isDrawn = value.startsWith("0.") && value.size() >= shortestDrawn;
    return isDrawn && hasLease ? ContentKind::Token : ContentKind::NoLock;
}

/// True for "2026-11-21" with an optional time.
bool isDate(QByteArrayView value)
{
    constexpr QByteArrayView form = "0000-00-00";
    return value.size() >= form.size() &&
           std::equal(form.begin(), form.end(), value.begin(),
                      [](char f, char v) { return f == '0' ? v >= '0' && v <= '9' : f == v; }) &&
           (value.size() == form.size() || value[form.size()] == 'T' || value[form.size()] == ' ');
}

ContentKind ofObject(QByteArrayView value, bool hasLease)
{
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(value.data(), value.size())).object();
    const bool isFlat = std::ranges::none_of(
        object, [](const QJsonValue &field) { return field.isObject() || field.isArray(); });
    if (object.isEmpty() || !isFlat)
        return ContentKind::NoLock;
    for (auto field = object.begin(); field != object.end(); ++field) {
        if (recordField(field.key().toUtf8()) != RecordField::Nothing)
            return ContentKind::Token;
    }
    return hasLease ? ContentKind::Possible : ContentKind::NoLock;
}

/// A quoted text may be a token written by a codec.
ContentKind ofQuoted(QByteArrayView inner, bool hasLease)
{
    const bool isPlain = !inner.isEmpty() && std::ranges::all_of(inner, [](char c) {
        return isAlphanumeric(c) || QByteArrayView("-_.:@#").contains(c);
    });
    const StatusWord word = statusWord(inner);
    const bool maySay = word != StatusWord::Free && word != StatusWord::State;
    return isPlain && hasLease && maySay ? ContentKind::Token : ContentKind::NoLock;
}

/// A codec's string; other binary or quoted values are no tokens.
ContentKind ofCodec(QByteArrayView value, bool hasLease)
{
    const std::optional<QByteArrayView> text = unwrapped(value);
    return text ? ofQuoted(*text, hasLease) : ContentKind::NoLock;
}

/// PHP's serialization: only a string may be a token.
std::optional<ContentKind> ofSerialised(QByteArrayView value, bool hasLease)
{
    if (value.size() < 3 || value[1] != ':' || !QByteArrayView("abdiOsC").contains(value[0]))
        return std::nullopt;
    if (const std::optional<QByteArrayView> text = unwrapped(value))
        return ofQuoted(*text, hasLease);
    const bool isSerialised = value.endsWith(';') || value.endsWith('}');
    return isSerialised ? std::optional(ContentKind::NoLock) : std::nullopt;
}

/// A document by its beginning; absent: none.
std::optional<ContentKind> ofDocument(QByteArrayView value, bool hasLease)
{
    const qsizetype blanks = std::ranges::find_if(value, [](char c) { return c != ' '; }) - value.begin();
    const QByteArrayView text = value.sliced(blanks);
    if (text.isEmpty())
        return ContentKind::NoLock;
    switch (text[0]) {
    case '{':
        if (text.size() > 1 && (text[1] == '"' || text[1] == ' ' || text[1] == '}'))
            return value.size() <= longestRecord ? ofObject(text, hasLease) : ContentKind::NoLock;
        return std::nullopt;
    case '[':
    case '<':
        return ContentKind::NoLock;
    case '"':
        return ofCodec(text, hasLease);
    default:
        break;
    }
    if (text.startsWith("eyJ") || text.startsWith("$2") || text.startsWith("$argon2") ||
        text.startsWith("W/\"") || text.startsWith("HYLL") || text.contains("://"))
        return ContentKind::NoLock;
    return ofSerialised(text, hasLease);
}

/// True for random-looking bytes: the published recipe of a lock stores 20.
bool looksDrawn(QByteArrayView bytes)
{
    constexpr qsizetype fewest = 16;
    constexpr qsizetype most = 64;
    constexpr std::array headers{Word("HYLL"),     Word("\x1f\x8b"), Word("\xac\xed"),
                                 Word("\x28\xb5"), Word("\x78\x9c"), Word("\x04\x22")};
    if (bytes.size() < fewest || bytes.size() > most ||
        std::ranges::any_of(headers, [bytes](Word header) { return bytes.startsWith(header); }))
        return false;
    std::bitset<256> different;
    for (const char byte : bytes)
        different.set(static_cast<uchar>(byte));
    const auto printable = std::ranges::count_if(bytes, [](char c) { return c >= 0x20 && c < 0x7f; });
    return different.count() * 4 >= size_t(bytes.size()) * 3 && printable * 5 <= bytes.size() * 3;
}

ContentKind ofWords(QByteArrayView value, bool hasLease)
{
    return hasLease && value.size() <= longestProse ? ContentKind::Token : ContentKind::NoLock;
}

/// True for values that no library writes without a lease: maybe checksums, device tokens or IDs.
bool needsLease(QByteArrayView value, TokenFormat shape)
{
    constexpr qsizetype shortestDigest = 24;
    if (shape == TokenFormat::Hex32)
        return uuidVersion(value) != 1 && uuidVersion(value) != 4;
    return shape == TokenFormat::Other &&
           (value.size() > longestProse || (value.size() >= shortestDigest && isLowerHex(value)));
}

QByteArrayView withoutLineEnd(QByteArrayView value)
{
    if (value.endsWith('\n'))
        value = value.chopped(1);
    return value.endsWith('\r') ? value.chopped(1) : value;
}

ContentKind ofValue(QByteArrayView key, QByteArrayView value, TokenFormat shape, bool hasLease)
{
    if (!hasLease && needsLease(value, shape))
        return ContentKind::NoLock;
    if (shape != TokenFormat::Other)
        return ContentKind::Token;
    switch (statusWord(value)) {
    case StatusWord::Free:
    case StatusWord::State:
        return ContentKind::NoLock;
    case StatusWord::Held: // a door says so, too: with an end it may be a lock
        return hasLease || namesALock(key) ? ContentKind::Token : ContentKind::NoLock;
    case StatusWord::Filler:
    case StatusWord::None:
        break;
    }
    if (isDigits(value))
        return ofNumber(key, value, hasLease);
    if (isMeasure(value))
        return ofMeasure(value, hasLease);
    if (isBinary(value))
        return hasLease && namesALock(key) && looksDrawn(value) ? ContentKind::Token
                                                                : ofCodec(value, hasLease);
    if (const std::optional<ContentKind> found = ofDocument(value, hasLease))
        return *found;
    if (isDate(value))
        return hasLease || namesALock(key) ? ContentKind::Token : ContentKind::NoLock;
    if (value.contains(' '))
        return ofWords(value, hasLease);
    return value.size() <= longestToken ? ContentKind::Token : ContentKind::NoLock;
}

} // namespace

ContentKind contentKindByName(QByteArrayView key)
{
    return namesALock(key) && !namesALockFile(key) ? ContentKind::Possible : ContentKind::NoLock;
}

ContentKind contentKindOf(QByteArrayView key, QByteArrayView value, TokenFormat shape,
                          CompactOptional<milliseconds> ttl)
{
    const bool hasLease = ttl.has_value();
    if (hasLease) // a shell's echo ends its line
        value = withoutLineEnd(value);
    if (value.isEmpty())
        return contentKindByName(key);
    const ContentKind found =
        namesALockFile(key) ? ContentKind::NoLock : ofValue(key, value, shape, hasLease);
    if (found != ContentKind::NoLock)
        return found;
    const StatusWord word = statusWord(unwrapped(value).value_or(value));
    const bool saysFree = word == StatusWord::Free || word == StatusWord::State;
    return saysFree && !hasLease ? ContentKind::NoLock : contentKindByName(key);
}

bool namesALockFile(QByteArrayView key)
{
    static constexpr std::array files{Word("package-lock.json"),
                                      Word("npm-shrinkwrap.json"),
                                      Word("yarn.lock"),
                                      Word("poetry.lock"),
                                      Word("Cargo.lock"),
                                      Word("Gemfile.lock"),
                                      Word("composer.lock"),
                                      Word("Pipfile.lock"),
                                      Word("flake.lock"),
                                      Word("pnpm-lock.yaml"),
                                      Word("mix.lock"),
                                      Word("go.sum"),
                                      Word("Podfile.lock"),
                                      Word("pubspec.lock"),
                                      Word("uv.lock"),
                                      Word("bun.lock"),
                                      Word("bun.lockb"),
                                      Word("deno.lock"),
                                      Word("packages.lock.json"),
                                      Word("gradle.lockfile"),
                                      Word(".terraform.lock.hcl"),
                                      Word("Chart.lock"),
                                      Word("conda-lock.yml")};
    // Most names end otherwise, and every name that is met comes here.
    if (key.isEmpty() || !QByteArrayView("nkemlb").contains(key.back()) || !key.contains('.'))
        return false;
    return std::ranges::any_of(files, [key](Word file) {
        if (!key.endsWith(file))
            return false;
        const QByteArrayView before = key.chopped(file.size());
        return before.isEmpty() || QByteArrayView("/:._-|\\ ").contains(before.back());
    });
}

RecordField recordField(QByteArrayView name)
{
    struct Named
    {
        Word name;
        RecordField field;
    };
    static constexpr std::array fields{
        Named{"owner", RecordField::Owner},     Named{"ownerid", RecordField::Owner},
        Named{"lockowner", RecordField::Owner}, Named{"holder", RecordField::Owner},
        Named{"holderid", RecordField::Owner},  Named{"lockedby", RecordField::Owner},
        Named{"heldby", RecordField::Owner},    Named{"acquiredby", RecordField::Owner},
        Named{"takenby", RecordField::Owner},   Named{"worker", RecordField::Owner},
        Named{"workerid", RecordField::Owner},  Named{"clientid", RecordField::Owner},
        Named{"instance", RecordField::Owner},  Named{"instanceid", RecordField::Owner},
        Named{"host", RecordField::Host},       Named{"hostname", RecordField::Host},
        Named{"machine", RecordField::Host},    Named{"node", RecordField::Host},
        Named{"nodeid", RecordField::Host},     Named{"pod", RecordField::Host},
        Named{"podname", RecordField::Host},    Named{"server", RecordField::Host},
        Named{"ip", RecordField::Host},         Named{"pid", RecordField::Process},
        Named{"process", RecordField::Process}, Named{"processid", RecordField::Process},
        Named{"thread", RecordField::Thread},   Named{"threadid", RecordField::Thread},
        Named{"acquiredat", RecordField::Time}, Named{"lockedat", RecordField::Time},
        Named{"heldsince", RecordField::Time},  Named{"since", RecordField::Time},
        Named{"startedat", RecordField::Time},  Named{"time", RecordField::Time},
        Named{"timestamp", RecordField::Time},  Named{"ts", RecordField::Time},
        Named{"at", RecordField::Time},         Named{"expiresat", RecordField::Time},
        Named{"expiry", RecordField::Time},     Named{"acquired", RecordField::Time},
        Named{"renewedat", RecordField::Time},  Named{"heartbeat", RecordField::Time},
    };
    constexpr size_t longest = 12;
    std::array<char, longest> plain{}; // without what joins words, in small letters
    size_t size = 0;
    for (const char c : name) {
        if (c == '_' || c == '-')
            continue;
        if (size == plain.size())
            return RecordField::Nothing;
        plain.at(size++) = static_cast<char>(isUpperLetter(c) ? c | 0x20 : c);
    }
    const QByteArrayView word(plain.data(), static_cast<qsizetype>(size));
    const auto *const found = std::ranges::find(fields, word, &Named::name);
    return found == fields.end() ? RecordField::Nothing : found->field;
}

bool isLongPast(QByteArrayView time, qint64 nowMs)
{
    const qint64 number = isDigits(time) && isMoment(time) ? time.toLongLong() : 0;
    const qint64 ms = number == 0         ? isoTime(time).value_or(nowMs)
                      : time.size() == 10 ? number * 1000
                                          : number;
    return ms < nowMs - dayMs;
}

bool isOldRecord(QByteArrayView value, qint64 nowMs)
{
    if (!value.startsWith('{') || value.size() > longestRecord)
        return false;
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(value.data(), value.size())).object();
    for (auto field = object.begin(); field != object.end(); ++field) {
        if (recordField(field.key().toUtf8()) == RecordField::Time &&
            isLongPast(field->toVariant().toString().toUtf8(), nowMs))
            return true;
    }
    return false;
}

bool saysHeld(QByteArrayView value)
{
    static constexpr std::array words{Word("locked"), Word("held"),   Word("taken"), Word("acquired"),
                                      Word("inuse"),  Word("in_use"), Word("in-use")};
    return namesALock(value) ||
           std::ranges::any_of(words, [value](Word word) { return sameWord(value, word); });
}

bool isHoldersRecord(QByteArrayView value)
{
    if (!value.startsWith('{') || value.size() > longestRecord)
        return false;
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(value.data(), value.size())).object();
    int known = 0;
    bool isHolders = false;
    for (auto field = object.begin(); field != object.end(); ++field) {
        const RecordField role = recordField(field.key().toUtf8());
        known += role != RecordField::Nothing ? 1 : 0;
        isHolders |=
            role == RecordField::Owner || role == RecordField::Process || role == RecordField::Thread;
    }
    return isHolders && known > 1;
}

bool namesAProcess(QByteArrayView text)
{
    constexpr qsizetype longestNumber = 7;
    const auto isJoint = [](char c) { return QByteArrayView(":@#|/=").contains(c); };
    if (std::ranges::any_of(
            text, [](char c) { return QByteArrayView("\"';,{}").contains(c); })) // a document, a session
        return false;
    bool hasNumber = false;
    bool hasHost = false;
    for (auto from = text.begin(); from < text.end();) {
        const auto to = std::find_if(from, text.end(), isJoint);
        const QByteArrayView part(from, to);
        const bool isNumber = part.size() > 1 && part.size() <= longestNumber && isDigits(part);
        const bool isHost = std::ranges::any_of(part, isLetter) && std::ranges::any_of(part, [](char c) {
                                return isDigit(c) || c == '-' || c == '.';
                            });
        hasNumber |= isNumber;
        hasHost |= isHost;
        from = to == text.end() ? to : to + 1;
    }
    return hasNumber && hasHost && !text.contains(' ') && text.size() <= longestToken && !isDate(text);
}

bool namesANumber(QByteArrayView field)
{
    static constexpr std::array numbers{Word("index"),   Word("idx"),   Word("version"),  Word("fence"),
                                        Word("fencing"), Word("token"), Word("sequence"), Word("seq"),
                                        Word("epoch"),   Word("count"), Word("revision")};
    return std::ranges::any_of(numbers, [field](Word number) { return sameWord(field, number); });
}

bool namesAHolder(QByteArrayView text)
{
    static constexpr std::array words{Word("thread"), Word("worker"),  Word("client"), Word("process"),
                                      Word("node"),   Word("host"),    Word("pod"),    Word("instance"),
                                      Word("owner"),  Word("service"), Word("holder"), Word("token")};
    if (redissonId(text) || processToken(text))
        return true;
    const auto joint = std::ranges::find_if(text, [](char c) { return QByteArrayView(":@#-_").contains(c); });
    const auto head = text.first(joint - text.begin());
    const bool isWord = std::ranges::any_of(words, [head](Word word) { return sameWord(head, word); });
    return head.size() + 1 < text.size() && isWord;
}

bool looksLikeHolder(QByteArrayView text)
{
    if (namesAHolder(text))
        return true;
    const auto joint = std::ranges::find_if(text, [](char c) { return QByteArrayView(":@#").contains(c); });
    const auto head = joint - text.begin();
    const bool hasDigit = std::ranges::any_of(text, isDigit);
    return head > 0 && head + 1 < text.size() && hasDigit && std::ranges::any_of(text, isLetter) &&
           !text.contains(' ') && !isDate(text);
}

} // namespace lockscope
