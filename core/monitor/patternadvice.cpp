// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/patternadvice.h"

#include "core/base/ascii.h"
#include "core/base/glob.h"
#include "core/family/shapes.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// The common parts of names with the same beginning.
struct Group
{
    QByteArray head; ///< including a colon
    QByteArray tail; ///< from a colon on
    QList<LockKey> keys;
};

QByteArray upToColon(const QByteArray &text)
{
    return text.left(text.lastIndexOf(':') + 1);
}

/// The last part of a name with its colon, if it is a word, not a number or ID.
QByteArray lastWord(const QByteArray &key)
{
    const qsizetype colon = key.lastIndexOf(':');
    const QByteArray word = colon < 0 ? QByteArray() : key.mid(colon);
    const bool isWord = word.size() > 1 && std::all_of(word.begin() + 1, word.end(),
                                                       [](char c) { return isLetter(c) || c == '_'; });
    return isWord ? word : QByteArray();
}

QByteArray commonHead(const QByteArray &a, const QByteArray &b)
{
    const auto differs = std::ranges::mismatch(a, b);
    return upToColon(a.left(differs.in1 - a.begin()));
}

/// The colon before the first part with a digit, most likely an ID.
qsizetype colonBeforeId(const QByteArray &key)
{
    qsizetype colon = -1;
    for (qsizetype i = 0; i < key.size(); ++i) {
        if (key[i] == ':')
            colon = i;
        else if (key[i] >= '0' && key[i] <= '9' && colon >= 0)
            return colon;
    }
    return -1;
}

QByteArray patternOf(const Group &group)
{
    if (group.keys.size() == 1) {
        const QByteArray &key = group.keys.first().bytes;
        const qsizetype colon = colonBeforeId(key);
        return colon < 0 ? escapedGlob(key)
                         : escapedGlob(key.left(colon + 1)) + '*' + escapedGlob(group.tail);
    }
    return escapedGlob(group.head) + '*' + escapedGlob(group.tail);
}

/// True if a part of a name ends before `at`: at a separator, number, capital or the end.
bool endsPart(const QByteArray &name, qsizetype at)
{
    const char before = name[at - 1];
    if (at == name.size() || !isAlphanumeric(before) || !isAlphanumeric(name[at]))
        return true;
    return isDigit(before) ? !isDigit(name[at]) : !isLowerLetter(name[at]);
}

constexpr qsizetype shortestHead = 3;

/// The common beginning in whole parts; empty if too short to be specific.
QByteArray commonParts(const QByteArray &a, const QByteArray &b)
{
    qsizetype length = std::ranges::mismatch(a, b).in1 - a.begin();
    while (length >= shortestHead && !(endsPart(a, length) && endsPart(b, length)))
        --length;
    return length >= shortestHead ? a.left(length) : QByteArray();
}

/// The common end, from a separator on.
QByteArray commonEnd(const QByteArray &a, const QByteArray &b)
{
    qsizetype length = 0;
    for (qsizetype i = 1; i <= std::min(a.size(), b.size()) && a[a.size() - i] == b[b.size() - i]; ++i) {
        if (!isAlphanumeric(a[a.size() - i]))
            length = i;
    }
    return a.right(length);
}

/// For names without a colon: patterns by common beginnings, or by a word for a lock at the end.
QList<PatternAdvice> advisePlain(QList<LockKey> keys)
{
    std::ranges::sort(keys, {}, &LockKey::bytes);
    QList<Group> groups;
    for (const LockKey &key : keys) {
        const QByteArray head = groups.isEmpty() ? QByteArray() : commonParts(groups.last().head, key.bytes);
        if (head.isEmpty()) {
            groups.append({key.bytes, key.bytes, {key}});
            continue;
        }
        Group &group = groups.last();
        if (group.keys.size() == 1)
            group.tail = group.tail.sliced(head.size());
        group.head = head;
        group.tail = commonEnd(group.tail, key.bytes.sliced(head.size()));
        group.keys.append(key);
    }
    QList<PatternAdvice> advice;
    QHash<QByteArray, QList<LockKey>> byEnd;
    for (const Group &group : std::as_const(groups)) {
        if (group.keys.size() > 1) {
            advice.append({escapedGlob(group.head) + '*' + escapedGlob(group.tail), group.keys});
            continue;
        }
        const QByteArray &name = group.head;
        const QByteArrayView word = lockWordIn(name);
        const qsizetype from = word.isEmpty() ? 0 : word.data() - name.data();
        const bool isAtEnd = from > 0 && from + word.size() == name.size() && !isAlphanumeric(name[from - 1]);
        byEnd[isAtEnd ? '*' + escapedGlob(name.sliced(from - 1)) : escapedGlob(name)] += group.keys;
    }
    for (auto each = byEnd.cbegin(); each != byEnd.cend(); ++each)
        advice.append(each->size() > 1 ? PatternAdvice{each.key(), *each}
                                       : PatternAdvice{escapedGlob(each->first().bytes), *each});
    return advice;
}

/// The specific beginning of a name, up to its word for a lock or its last colon.
QByteArray headOf(const QByteArray &name)
{
    const QByteArrayView word = lockWordIn(name);
    const qsizetype end = word.isEmpty() ? 0 : word.data() + word.size() - name.data();
    return end > 0 && end < name.size() && !isAlphanumeric(name[end]) ? name.left(end + 1) : upToColon(name);
}

/// Patterns of names with a colon. Each is for at least one key.
QList<QByteArray> patternsOfParts(const QList<LockKey> &keys)
{
    QHash<QByteArray, Group> groups;
    for (const LockKey &key : keys) {
        const QByteArray word = lastWord(key.bytes);
        Group &group = groups[key.bytes.left(key.bytes.indexOf(':') + 1) + word];
        group.head = group.keys.isEmpty() ? upToColon(key.bytes) : commonHead(group.head, key.bytes);
        group.tail = word;
        group.keys.append(key);
    }
    QList<QByteArray> patterns;
    QHash<QByteArray, QList<LockKey>> alone; // by what they begin with
    for (const Group &group : std::as_const(groups)) {
        const QByteArray pattern = patternOf(group);
        const bool isOneName = group.keys.size() == 1 && pattern == escapedGlob(group.keys.first().bytes);
        if (!isOneName)
            patterns.append(pattern);
        for (const LockKey &key :
             group.keys) { // shorter than what the others have in common: a name for itself
            if (isOneName || !globMatches(pattern, key.bytes))
                alone[headOf(key.bytes)].append(key);
        }
    }
    for (auto each = alone.cbegin(); each != alone.cend(); ++each)
        patterns.append(each->size() > 1 && !each.key().isEmpty() ? escapedGlob(each.key()) + '*'
                                                                  : escapedGlob(each->first().bytes));
    return patterns;
}

QList<LockKey> matches(const QByteArray &pattern, const QList<LockKey> &sorted)
{
    const QByteArray head = literalPrefix(pattern);
    QList<LockKey> found;
    for (auto key = std::ranges::lower_bound(sorted, head, {}, &LockKey::bytes);
         key != sorted.end() && key->bytes.startsWith(head); ++key) {
        if (globMatches(pattern, key->bytes))
            found.append(*key);
    }
    return found;
}

} // namespace

QList<PatternAdvice> suggestPatterns(const QList<LockKey> &keys)
{
    QList<LockKey> sorted = keys;
    std::ranges::sort(sorted, {}, &LockKey::bytes);
    QList<LockKey> plain;
    QList<LockKey> inParts;
    for (const LockKey &key : std::as_const(sorted))
        (key.bytes.contains(':') ? inParts : plain).append(key);
    QList<QByteArray> patterns = patternsOfParts(inParts);
    for (const PatternAdvice &each : advisePlain(plain))
        patterns.append(each.pattern);
    QList<PatternAdvice> all;
    for (const QByteArray &pattern : std::as_const(patterns))
        all.append({pattern, matches(pattern, sorted)});
    std::ranges::sort(all, [](const PatternAdvice &a, const PatternAdvice &b) {
        return a.keys.size() != b.keys.size() ? a.keys.size() > b.keys.size() : a.pattern < b.pattern;
    });
    QList<PatternAdvice> advice;
    QSet<LockKey> covered;
    for (const PatternAdvice &each : std::as_const(all)) {
        const qsizetype before = covered.size();
        covered.unite({each.keys.cbegin(), each.keys.cend()});
        if (covered.size() > before)
            advice.append(each);
    }
    return advice;
}

} // namespace lockscope
