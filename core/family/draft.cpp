// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/draft.h"

#include "core/base/ascii.h"
#include "core/base/glob.h"
#include "core/family/contentkind.h"
#include "core/family/familycheck.h"
#include "core/family/registry.h"
#include "core/family/unwrap.h"

#include <QCryptographicHash>
#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

using Fields = QList<std::pair<QByteArray, QByteArray>>;

constexpr qsizetype maxElements = 12; ///< limit for a hash or a set
constexpr quint16 longestPart = 512;

bool isPlainByte(char c)
{
    return c >= ' ' && c < 0x7f;
}

bool isAscii(QByteArrayView text)
{
    return std::ranges::all_of(text, isPlainByte);
}

QByteArray quoted(QByteArray text)
{
    return text.contains('\'') ? '"' + text.replace('\\', "\\\\").replace('"', "\\\"") + '"'
                               : '\'' + text + '\'';
}

/// Writes any bytes with escapes, as bytesWritten() reads them.
QByteArray bytesQuoted(const QByteArray &bytes)
{
    constexpr qsizetype maxDots = 16; // those who read files take not many in a line
    const QByteArrayView hidden = bytes.count('.') > maxDots ? "'." : "'";
    QByteArray text;
    for (const char c : bytes) {
        if (!isPlainByte(c) || hidden.contains(c))
            text += "\\x" + QByteArray(1, c).toHex();
        else
            text += c == '\\' ? QByteArray("\\\\") : QByteArray(1, c);
    }
    return quoted(text);
}

/// Other bytes of the same form, always the same for a token: it may occur twice.
QByteArray drawnAlike(const QByteArray &token)
{
    const bool isHex = std::ranges::none_of(token, [](char c) { return isLetter(c) && (c | 0x20) > 'f'; });
    const QByteArray drawn = QCryptographicHash::hash(token, QCryptographicHash::Sha512);
    QByteArray other = token;
    for (qsizetype i = 0; i < token.size(); ++i) {
        const int number = static_cast<uchar>(drawn[i % drawn.size()]);
        const bool isVersion = isUuid(token) && (i == 14 || i == 19);
        if (isDigit(token[i]) && !isVersion)
            other[i] = static_cast<char>('0' + number % 10);
        else if (isLetter(token[i]) && !isVersion)
            other[i] = static_cast<char>((isLowerLetter(token[i]) ? 'a' : 'A') + number % (isHex ? 6 : 26));
        else if (!isPlainByte(token[i]))
            other[i] = static_cast<char>(number);
    }
    return other;
}

bool isMoment(PartType type)
{
    return type == PartType::IsoTime || type == PartType::EpochMs || type == PartType::EpochS;
}

bool isDrawn(PartType type)
{
    return !isMoment(type) && type != PartType::Digits && type != PartType::Word && type != PartType::Rest;
}

/// The part for these bytes; absent for a word.
std::optional<TemplatePart> knownPart(QByteArrayView text)
{
    struct Guess
    {
        PartType type;
        quint16 least;
        bool isMixed = false; ///< false: words
    };
    static constexpr Guess guesses[] = {
        {PartType::IsoTime, 20},      {PartType::EpochMs, 13},        {PartType::EpochS, 10},
        {PartType::Uuid1, 36},        {PartType::Uuid, 36},           {PartType::Digits, 1},
        {PartType::Hex, 8},           {PartType::UpperHex, 8},        {PartType::Alnum, 12, true},
        {PartType::Base64, 20, true}, {PartType::Base64Url, 20, true}};
    const bool hasDigit = std::ranges::any_of(text, isDigit);
    const auto size = static_cast<quint16>(std::min<qsizetype>(text.size(), longestPart));
    for (const auto &[type, least, mixed] : guesses) {
        const bool hasAnyLength = type == PartType::Digits;
        const TemplatePart part{.type = type,
                                .least = hasAnyLength ? quint16(1) : size,
                                .most = hasAnyLength ? longestPart : size};
        Captures captures;
        if (text.size() >= least && hasDigit && (!mixed || isMixed(text)) &&
            matches(std::span(&part, 1), text, captures))
            return part;
    }
    return std::nullopt;
}

class Draft
{
public:
    Draft(const LockKey &key, CompactOptional<milliseconds> ttl, qint64 nowMs, bool isPlain)
        : m_key(key.bytes), m_ttl(ttl), m_nowMs(nowMs), m_isPlain(isPlain)
    {
    }

    QByteArray text(const KeyContent &content)
    {
        std::visit([this](const auto &stored) { describe(stored); }, content);
        const QByteArray glob = nameGlob();
        const QByteArray at =
            QDateTime::fromMSecsSinceEpoch(m_nowMs, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
        return "# A draft: all of it is guessed from the key " + bytesQuoted(m_key) +
               ".\n# Edit it, then: lockscope-cli family check FILE, lockscope-cli family try FILE\nname = " +
               quoted(m_name) + '\n' +
               (glob.isEmpty() ? "# names.usual = ['prefix:*']\n"
                               : "names.usual = [" + quoted(glob) + "]\n") +
               (m_ttl ? "" : "may_lack_expiry = true # the key had none\n") +
               (m_owners > 1 ? "several_owners = true\n" : "") +
               "# runbook = 'https://...'\n# contact = '...'\n\n[[form]]\n" + m_form +
               "\n# Drawn tokens are replaced by others of the same form. Check the rest for "
               "secrets.\n[[example]]\nkey = " +
               bytesQuoted(m_key) + '\n' + (m_ttl ? "ttl = '" + leaseText() + "'\n" : "") + "at = '" + at +
               "'\nis = " + (glob.isEmpty() ? "'ambiguous'\n" : "'certain'\n") + m_example;
    }

private:
    QByteArray leaseText() const
    {
        const qint64 ms = std::max<qint64>(1, m_ttl->count());
        return ms < 1000 ? QByteArray::number(ms) + "ms" : QByteArray::number(ms / 1000) + 's';
    }

    /// The name as a glob with stars for changing parts; sets the family's name. Empty: nothing is constant.
    QByteArray nameGlob()
    {
        QByteArray joint(":/|#.-_");
        joint.removeIf([this](char c) { return !m_key.contains(c); });
        joint.truncate(1);
        const QByteArrayList words = joint.isEmpty() ? QByteArrayList{m_key} : m_key.split(joint.front());
        const auto mayChange = [](QByteArray word) {
            return !isAscii(word) || knownPart(word.replace('{', "").replace('}', ""));
        };
        qsizetype first = std::ranges::find_if(words, mayChange) - words.begin();
        qsizetype end = std::find_if(words.rbegin(), words.rend(), mayChange).base() - words.begin();
        if (end == 0 && words.size() > 1) { // the last one, or that before “lock”
            end = words.size() - (lockWordIn(words.last()).isEmpty() ? 0 : 1);
            first = end - 1;
        }
        const QByteArrayList constants = words.mid(0, first) + words.mid(std::max(first, end));
        for (QByteArray word : constants) {
            word.removeIf([](char c) { return !isLetter(c) && c != '-'; });
            if (m_name.isEmpty() && word.size() > 1 && !namesALock(word))
                m_name = word.toLower().left(30);
        }
        m_name = m_name.isEmpty() ? "my-lock" : m_name;
        while (familyFromName(m_name))
            m_name += "-own";
        if (first == words.size())
            return escapedGlob(m_key);
        const QByteArray head = words.mid(0, first).join(joint) + (first > 0 ? joint : "");
        const QByteArray tail = (end < words.size() ? joint : "") + words.mid(end).join(joint);
        return constants.isEmpty() ? QByteArray() : escapedGlob(head) + '*' + escapedGlob(tail);
    }

    /// True for a moment nearer to the lease's end than to now; without a lease, for a future one.
    bool isEnd(qint64 moment) const
    {
        const qint64 left = m_ttl ? m_ttl->count() : 0;
        return moment > m_nowMs && moment - m_nowMs >= std::abs(moment - m_nowMs - left);
    }

    const char *roleOf(const TemplatePart &part, QByteArrayView bytes, QByteArrayView label, char next)
    {
        const char *role = "";
        const RecordField field = recordField(label);
        if (isMoment(part.type))
            role = isEnd(*momentOf(part.type, bytes)) ? "ends" : "since";
        else if (field == RecordField::Process || field == RecordField::Thread)
            role = field == RecordField::Process ? "process" : "thread";
        else if (part.type == PartType::Digits)
            role = m_roles.contains("process") || m_roles.contains("client") ? "thread" : "process";
        else if (!isDrawn(part.type))
            role = label.startsWith("job") ? "job" : "host";
        else if (next == ':')
            role = "client";
        if (m_roles.contains(role))
            return "";
        m_roles.append(role);
        return role;
    }

    void add(TemplatePart part, QByteArrayView bytes, QByteArrayView label = {}, char next = 0)
    {
        if (isDrawn(part.type) && part.type != PartType::Literal)
            m_drawn.append(bytes.toByteArray());
        const QByteArrayView text = part.type == PartType::Literal ? bytes : roleOf(part, bytes, label, next);
        part.text = text.data();
        part.textSize = static_cast<quint16>(text.size());
        m_parts.push_back(part);
    }

    /// Adds a text between separators; its ends may be separate parts, after a hyphen or similar.
    void addRun(QByteArrayView run, QByteArrayView label, char next)
    {
        constexpr QByteArrayView joints = "-_./+";
        if (const auto part = knownPart(run))
            return add(*part, run, label, next);
        for (qsizetype i = 1; i + 1 < run.size(); ++i) {
            const QByteArrayView tail = run.sliced(i + 1);
            const auto front = knownPart(run.first(i));
            const auto back = knownPart(tail);
            const bool isBack =
                back && (isDrawn(back->type) || run[i] == '/' || (tail.size() > 2 && run[i] != '.'));
            if (joints.contains(run[i]) && (isBack || (front && front->type != PartType::Digits))) {
                addRun(run.first(i), label, run[i]);
                add({}, run.sliced(i, 1));
                return addRun(tail, {}, next);
            }
        }
        const bool isConstant = next == '=' || (next == ':' && recordField(run) != RecordField::Nothing) ||
                                (run.size() > 2 && std::ranges::all_of(run, isUpperLetter));
        const PartType type = next != 0 && run.contains(next) ? PartType::Rest : PartType::Word;
        isConstant ? add({}, run) : add({.type = type, .most = longestPart}, run, label);
    }

    void addRuns(QByteArrayView text, QByteArrayView label)
    {
        constexpr qsizetype shortestTime = 20, longestTime = 30;
        const auto isOfRun = [](char c) {
            return isAlphanumeric(c) || c < 0 || QByteArrayView("-_./+").contains(c);
        };
        while (!text.isEmpty()) {
            // A time has separators in it.
            qsizetype size = std::min(longestTime, text.size());
            while (size >= shortestTime && !isoTime(text.first(size)))
                --size;
            if (size < shortestTime)
                size = std::ranges::find_if_not(text, isOfRun) - text.begin();
            const char next = size < text.size() ? text[size] : '\0';
            if (size > 0)
                addRun(text.first(size), label, next);
            else
                add({}, text.first(1));
            label = size > 0 ? text.first(size) : label;
            text = text.sliced(std::max<qsizetype>(size, 1));
        }
    }

    QByteArray shape(const QByteArray &text, QByteArrayView label = {})
    {
        m_parts.clear();
        const bool isText =
            text.isValidUtf8() && std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' '; });
        const auto size = static_cast<quint16>(text.size());
        if (!isText)
            add({.type = PartType::Bytes, .least = size, .most = size}, text);
        else
            addRuns(text, label);
        if (m_isPlain && isText)
            m_parts = {TemplatePart{.type = PartType::Rest, .most = longestPart, .text = ""}};
        return quoted(writtenTemplate(m_parts));
    }

    /// The fields by name, the owner's first.
    QByteArray shapesOf(Fields fields)
    {
        std::ranges::stable_partition(
            fields, [](const auto &field) { return recordField(field.first) == RecordField::Owner; });
        QByteArray shapes;
        for (const auto &[name, value] : std::as_const(fields)) {
            if (!value.isEmpty() && isAscii(name) && !name.endsWith('?'))
                shapes += quoted(name) + " = " + shape(value, name) + '\n';
        }
        return shapes;
    }

    QByteArray shown(QByteArray bytes) const
    {
        for (const QByteArray &token : m_drawn)
            bytes.replace(token, drawnAlike(token));
        return bytesQuoted(bytes);
    }

    void describe(const StringContent &string)
    {
        const QByteArray inner = unwrapped(string.value).value_or(string.value).toByteArray();
        // A value like “1” or “locked” says nothing of its holder.
        const bool isFlag = inner.size() < 3 || std::ranges::all_of(inner, isLetter);
        const QByteArray shapes = shapesOf(jsonFields(string.value).mid(0, maxElements));
        if (string.value.isEmpty())
            m_form = "empty = true\n";
        else if (!shapes.isEmpty())
            m_form = "[form.json]\n" + shapes;
        else
            m_form = "value = " + (isFlag && !m_isPlain && isAscii(inner) ? quoted(inner) : shape(inner)) +
                     '\n' + (inner.size() < string.value.size() ? "wrapped = true\n" : "");
        if (!m_ttl && m_roles.contains("ends"))
            m_form.prepend("free = ['past-end']\n");
        m_example = "value = " + shown(string.value) + '\n';
    }

    /// Fields with plain names are a record; others are owners with counts.
    void describe(const HashContent &hash)
    {
        Fields fields = hash.fields.mid(0, maxElements);
        std::ranges::sort(fields);
        const auto isWord = [](const QByteArray &name) {
            return std::ranges::all_of(name, [](char c) { return isLetter(c) || c == '_'; });
        };
        const bool isRecord = std::ranges::any_of(fields, [&](const auto &field) {
            return recordField(field.first) != RecordField::Nothing ||
                   (isWord(field.first) && !isDigits(field.second));
        });
        const auto owners = std::ranges::stable_partition(fields, [&](const auto &field) {
            return recordField(field.first) != RecordField::Nothing || (isRecord && isWord(field.first));
        });
        m_owners = owners.end() - owners.begin();
        m_form = "type = 'hash'\n";
        for (const auto &[field, value] : owners) {
            const QByteArray owner = shape(field); // of all, for what is drawn in them
            const QByteArray count =
                value.size() < 10 && parseCount(value) ? "'{holds:digits}'" : shape(value);
            if (!m_form.contains("field"))
                m_form += "field = " + owner + '\n' + (value.isEmpty() ? "" : "value = " + count + '\n');
        }
        if (const QByteArray shapes = shapesOf({fields.begin(), owners.begin()}); !shapes.isEmpty())
            m_form += "[form.fields]\n" + shapes;
        m_example = "[example.fields]\n";
        for (const auto &[field, value] : std::as_const(fields))
            m_example += shown(field) + " = " + shown(value) + '\n';
    }

    void describe(const SortedSetContent &set)
    {
        constexpr double leastMs = 1e11;
        const double score = set.members.isEmpty() ? 0 : set.members.last().second;
        const auto ms = static_cast<qint64>(score * (score > leastMs ? 1 : 1000));
        describeMembers("sorted-set", set.members, [](const auto &member) { return member.first; });
        if (score * 1000 > year2001)
            m_form += QByteArray("score = '") + (isEnd(ms) ? "ends-" : "since-") +
                      (score > leastMs ? "ms'\n" : "s'\n");
        m_example = "[example.members]\n";
        for (const auto &[member, at] : set.members.mid(0, maxElements))
            m_example += shown(member) + " = " + QByteArray::number(at, 'f', 3) + '\n';
    }

    void describe(const SetContent &set)
    {
        describeMembers("set", set.members, [](const QByteArray &member) { return member; });
        for (const QByteArray &member : set.members.mid(0, maxElements))
            m_example += "    " + shown(member) + ",\n";
        m_example = "set = [\n" + m_example + "]\n";
    }

    template <typename Members, typename NameOf>
    void describeMembers(const QByteArray &type, const Members &members, NameOf nameOf)
    {
        m_owners = members.size();
        m_form = "type = '" + type + "'\n";
        for (const auto &member : members.mid(0, maxElements)) {
            const QByteArray each = shape(nameOf(member)); // of all, for what is drawn in them
            m_form += m_form.contains("member") ? "" : "member = " + each + '\n';
        }
    }

    void describe(const OtherContent &) {} // without a form the file is refused

    QByteArray m_key;
    CompactOptional<milliseconds> m_ttl;
    qint64 m_nowMs;
    bool m_isPlain;
    qsizetype m_owners = 1;
    std::vector<TemplatePart> m_parts;
    QByteArrayList m_roles;
    QByteArrayList m_drawn;
    QByteArray m_name;
    QByteArray m_form;
    QByteArray m_example;
};

} // namespace

QByteArray familyDraft(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                       qint64 nowMs)
{
    for (const bool isPlain : {false, true}) {
        const QByteArray text = Draft(key, ttl, nowMs, isPlain).text(content);
        const FamilyFile file(text);
        if (file.isValid() && checkExamples(file).isEmpty() &&
            certaintyIn(file.spec(), {0, key.bytes, content, ttl, nowMs, {}, {}}) != "none")
            return text;
    }
    return {};
}

} // namespace lockscope
