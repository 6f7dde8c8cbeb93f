// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/outsidenames.h"

#include "core/base/ascii.h"
#include "core/base/glob.h"
#include "core/family/companionkeys.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// Whatever has "lock", "mutex" or "semaphore" in it, in small letters or capitals, and little else. The server takes up to
/// half as long again for it as for "*lock*", where a SCAN without MATCH would send every name.
constexpr QByteArrayView anyLockWord = "*[lLmMsS][oueOUE][ctmCTM][keaKEA]*";

/// Names in which the word stands without a boundary: dogpile.cache's and node-resque's.
constexpr std::array<QByteArrayView, 2> ownHeads{"_lock", "resque:workerslock:"};

/// An id, most likely: other names have another in its place.
bool hasId(QByteArrayView text)
{
    return std::ranges::any_of(text, [](char c) { return isDigit(c) || c == '{'; });
}

/// What else may name a lock, and is too much used otherwise to say that something is one. In small letters.
constexpr std::array<QByteArrayView, 5> hintingWords{"lease", "leader", "singleton", "lockfile",
                                                     "locked_record"};

/// A word that names a lock, or may, with the s of a plural, as it stands in the name; empty: there is none.
QByteArrayView hintingWordIn(QByteArrayView name)
{
    if (const QByteArrayView word = lockWordIn(name); !word.isEmpty())
        return word;
    for (qsizetype i = 0; i < name.size(); ++i) {
        // Every name of a keyspace is looked at: all of them begin with an L or S.
        if (const char letter = name[i] | 0x20; letter != 'l' && letter != 's')
            continue;
        // Like a lock's word: from what is no letter, or a capital after a small one, to the next of either.
        if (i > 0 && isLetter(name[i - 1]) && !(isUpperLetter(name[i]) && isLowerLetter(name[i - 1])))
            continue;
        for (const QByteArrayView word : hintingWords) {
            const QByteArrayView here = name.sliced(i, std::min(word.size(), name.size() - i));
            if (here.compare(word, Qt::CaseInsensitive) != 0)
                continue;
            QByteArrayView rest = name.sliced(i + word.size());
            rest = rest.sliced(rest.startsWith('s') || rest.startsWith('S') ? 1 : 0);
            if (rest.isEmpty() || !isLetter(rest[0]) ||
                (isLowerLetter(here.back()) && isUpperLetter(rest[0])))
                return name.sliced(i, rest.data() - name.data() - i);
        }
    }
    return {};
}

QByteArrayView ownHead(QByteArrayView name)
{
    const auto head = std::ranges::find_if(ownHeads, [name](QByteArrayView h) { return name.startsWith(h); });
    return head == ownHeads.end() ? QByteArrayView() : *head;
}

/// It is a literal with a lock's word in it, between stars or not: whatever it matches, the wide glob matches too.
bool hasLockWord(const QByteArray &pattern)
{
    const bool isPlain =
        std::ranges::none_of(pattern, [](char c) { return c == '[' || c == '?' || c == '\\'; });
    return isPlain && globMatches(anyLockWord, pattern);
}

} // namespace

bool looksLikeLock(QByteArrayView name)
{
    return (!ownHead(name).isEmpty() || !hintingWordIn(name).isEmpty()) && !isCompanion(name);
}

QByteArray patternLike(QByteArrayView name)
{
    if (const QByteArrayView head = ownHead(name); !head.isEmpty())
        return escapedGlob(head.toByteArray()) + '*';
    const QByteArrayView word = hintingWordIn(name);
    if (word.isEmpty())
        return escapedGlob(name.toByteArray());
    const qsizetype from = word.data() - name.data();
    const qsizetype to = from + word.size();
    const QByteArrayView before = name.first(from);
    const bool isJoined = from > 0 && !isAlphanumeric(name[from - 1]);
    const QByteArray begin = isJoined ? name.sliced(from - 1, 1).toByteArray() : QByteArray();
    if (to == name.size()) // the thing that is locked, and that it is a lock
        return from == 0 ? escapedGlob(name.toByteArray()) : '*' + escapedGlob(begin + word.toByteArray());
    const QByteArray end = isAlphanumeric(name[to]) ? QByteArray() : name.sliced(to, 1).toByteArray();
    const QByteArray kind = word.toByteArray() + end;
    return hasId(before) ? '*' + escapedGlob(begin + kind) + '*'
                         : escapedGlob(before.toByteArray() + kind) + '*';
}

void OutsideNames::note(QByteArrayView name, const QByteArray &hint)
{
    if (!hint.isEmpty())
        add(hint, 1);
    else if (looksLikeLock(name))
        add(patternLike(name), 1);
}

void OutsideNames::add(const QByteArray &pattern, qint64 names)
{
    m_names += names;
    const auto known = m_patterns.find(pattern);
    if (known != m_patterns.end())
        *known += names;
    else if (m_patterns.size() < mostPatterns)
        m_patterns.insert(pattern, names);
}

Outside OutsideNames::outside() const
{
    Outside outside{m_names, {}};
    for (auto each = m_patterns.begin(); each != m_patterns.end(); ++each)
        outside.patterns.append({each.key(), each.value()});
    std::ranges::sort(outside.patterns, [](const OutsidePattern &a, const OutsidePattern &b) {
        return a.names != b.names ? a.names > b.names : a.pattern < b.pattern;
    });
    return outside;
}

ScanGlob scanGlob(const QList<QByteArray> &patterns, bool looksOutside)
{
    const QByteArray narrow = coveringGlob(patterns);
    const bool areWide = std::ranges::all_of(patterns, hasLockWord);
    const bool isAnchored = !narrow.isEmpty() && !narrow.startsWith('*'); // which costs next to nothing
    if (areWide && !isAnchored && (looksOutside || narrow.isEmpty()))
        return {anyLockWord.toByteArray(), looksOutside};
    return {narrow, looksOutside && narrow.isEmpty()};
}

void Outside::add(const Outside &other)
{
    names += other.names;
    for (const OutsidePattern &more : other.patterns) {
        const auto known = std::ranges::find(patterns, more.pattern, &OutsidePattern::pattern);
        if (known != patterns.end())
            known->names += more.names;
        else if (patterns.size() < OutsideNames::mostPatterns)
            patterns.append(more);
    }
    std::ranges::stable_sort(patterns, std::greater<>(), &OutsidePattern::names);
}

} // namespace lockscope
