// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/unlistednames.h"

#include "core/base/ascii.h"
#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lockscope {

namespace {

/// A glob for "lock", "mutex" or "semaphore" in any case, and little else. It costs the server up to 50% more
/// than "*lock*", but a SCAN without MATCH would send every name.
constexpr QByteArrayView anyLockWord = "*[lLmMsS][oueOUE][ctmCTM][keaKEA]*";

/// Names with the word but no boundary: dogpile.cache's and node-resque's.
constexpr std::array<QByteArrayView, 2> ownHeads{"_lock", "resque:workerslock:"};

/// True for a likely ID, which differs in other names.
bool hasId(QByteArrayView text)
{
    return std::ranges::any_of(text, [](char c) { return isDigit(c) || c == '{'; });
}

/// Words that may name a lock, but are too common to prove it. Lower case.
constexpr std::array<QByteArrayView, 36> hintingWords{
    "acquired",    "barrier",     "chosen",    "claim",       "cleaner",       "cleanup",
    "concurrency", "coordinator", "elected",   "election",    "exclusive",     "fetching",
    "funnel",      "guard",       "holder",    "in-progress", "in_progress",   "inprogress",
    "janitor",     "lck",         "leader",    "lease",       "locked_record", "lockfile",
    "loner",       "master",      "once",      "owner",       "primary",       "processing",
    "reaper",      "running",     "scheduler", "singleton",   "sweep",         "sweeper"};

struct Hint
{
    QByteArrayView word; ///< including a plural s
    LockSign sign = LockSign::None;
};

/// The word at `from` with a plural s; empty if it continues.
QByteArrayView wholeWord(QByteArrayView name, qsizetype from, QByteArrayView word)
{
    const QByteArrayView here = name.sliced(from, std::min(word.size(), name.size() - from));
    if (here.compare(word, Qt::CaseInsensitive) != 0)
        return {};
    QByteArrayView rest = name.sliced(from + word.size());
    rest = rest.sliced(rest.startsWith('s') || rest.startsWith('S') ? 1 : 0);
    const bool ends =
        rest.isEmpty() || !isLetter(rest[0]) || (isLowerLetter(here.back()) && isUpperLetter(rest[0]));
    return ends ? name.sliced(from, rest.data() - name.data() - from) : QByteArrayView();
}

/// "globallock", "qlock"; not "block", "clock", "flock" and "unlock". Includes the letters before it.
QByteArrayView joinedLock(QByteArrayView name, qsizetype from)
{
    const QByteArrayView found = wholeWord(name, from, "lock");
    const QByteArrayView before = name.first(from);
    const bool isUnlock = before.endsWith("un") || before.endsWith("UN") || before.endsWith("Un");
    if (found.isEmpty() || isUnlock || QByteArrayView("bBcCfF").contains(before.back()))
        return {};
    while (from > 0 && isLetter(name[from - 1]))
        --from;
    return name.sliced(from, found.data() + found.size() - name.data() - from);
}

/// A word that names a lock, or may.
Hint hintIn(QByteArrayView name)
{
    if (const QByteArrayView word = lockWordIn(name); !word.isEmpty())
        return {word, LockSign::Lock};
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (!isLetter(name[i]))
            continue;
        const char letter = name[i] | 0x20;
        // Like a lock's word: from what is no letter, or a capital after a small one, to the next of either.
        const bool begins =
            i == 0 || !isLetter(name[i - 1]) || (isUpperLetter(name[i]) && isLowerLetter(name[i - 1]));
        if (!begins) {
            if (const QByteArrayView word = letter == 'l' ? joinedLock(name, i) : QByteArrayView();
                !word.isEmpty())
                return {word, LockSign::Word};
            continue;
        }
        for (const QByteArrayView word : hintingWords) {
            // Every name of a keyspace is looked at.
            const QByteArrayView whole = word[0] == letter ? wholeWord(name, i, word) : QByteArrayView();
            if (!whole.isEmpty())
                return {whole, LockSign::Word};
        }
    }
    return {};
}

QByteArrayView ownHead(QByteArrayView name)
{
    const auto head = std::ranges::find_if(ownHeads, [name](QByteArrayView h) { return name.startsWith(h); });
    return head == ownHeads.end() ? QByteArrayView() : *head;
}

/// True for a literal with a lock's word, with optional outer stars: the wide glob matches all its names.
bool hasLockWord(const QByteArray &pattern)
{
    const bool isPlain =
        std::ranges::none_of(pattern, [](char c) { return c == '[' || c == '?' || c == '\\'; });
    return isPlain && globMatches(anyLockWord, pattern);
}

std::tuple<bool, qint64, QByteArray> orderOf(const UnlistedPattern &each)
{
    return {each.isWide, -each.names, each.pattern};
}

} // namespace

LockSign lockSignIn(QByteArrayView name)
{
    const LockSign sign = ownHead(name).isEmpty() ? hintIn(name).sign : LockSign::Lock;
    return sign == LockSign::None || isCompanion(name) ? LockSign::None : sign;
}

QByteArray patternLike(QByteArrayView name)
{
    if (const QByteArrayView head = ownHead(name); !head.isEmpty())
        return escapedGlob(head.toByteArray()) + '*';
    const QByteArrayView word = hintIn(name).word;
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

UnlistedNameCounter::Met *UnlistedNameCounter::metAs(const QByteArray &pattern, qsizetype most)
{
    const auto known = m_patterns.find(pattern);
    if (known != m_patterns.end())
        return &*known;
    return m_patterns.size() < most ? &m_patterns[pattern] : nullptr;
}

void UnlistedNameCounter::note(QByteArrayView name, const QByteArray &hint)
{
    constexpr qsizetype samples = 3;
    const LockSign sign = hint.isEmpty() ? lockSignIn(name) : LockSign::Lock;
    if (sign == LockSign::None)
        return noteByContent(name);
    const bool isByWord = sign == LockSign::Word;
    // Of those that only a word hints at most are of something else: they take no room of the others.
    Met *met = metAs(hint.isEmpty() ? patternLike(name) : hint, isByWord ? 2 * maxPatterns : 3 * maxPatterns);
    if (!met) {
        m_others += isByWord ? 0 : 1;
        return;
    }
    met->isByWord = isByWord;
    met->isWide = !hint.isEmpty();
    met->note(name, hint.isEmpty() ? samples : 0);
}

void UnlistedNameCounter::Met::note(QByteArrayView name, qint64 samples)
{
    const qint64 before = names++;
    if (before < samples)
        unread.append(LockKey(name.toByteArray()));
    if (samples > 0 && before < maxNames)
        all.append(LockKey(name.toByteArray()));
}

/// Of names that say nothing a few are read all the same, of each beginning: who holds a lock may stand in it.
void UnlistedNameCounter::noteByContent(QByteArrayView name)
{
    constexpr qsizetype samples = 2;
    constexpr QByteArrayView word = "session";
    const bool isSession =
        name.startsWith("sess") || // which are private
        !std::ranges::search(name, word, [](char a, char b) { return (a | 0x20) == b; }).empty();
    if (!m_takesAnyName || name.isEmpty() || isSession)
        return;
    const auto joint =
        std::ranges::find_if(name, [](char c) { return QByteArrayView(":/._-|").contains(c); });
    const QByteArrayView head = name.first(std::min<qsizetype>(joint - name.begin() + 1, name.size()));
    auto met = m_byContent.find(QByteArray::fromRawData(head.data(), head.size()));
    if (met == m_byContent.end()) {
        if (m_byContent.size() >= 2 * maxPatterns || isCompanion(name))
            return;
        met = m_byContent.insert(head.toByteArray(), {});
    }
    met->note(name, samples);
}

void UnlistedNameCounter::add(const QByteArray &pattern, qint64 names)
{
    Met *met = metAs(pattern, 3 * maxPatterns);
    (met ? met->names : m_others) += names;
    if (met)
        met->isWide = true;
}

QList<LockKey> UnlistedNameCounter::samples() const
{
    QList<LockKey> all; // the last are read first
    for (const auto *mets : {&m_byContent, &m_patterns}) {
        for (const Met &met : *mets)
            all += met.unread;
    }
    return all;
}

QByteArray UnlistedNameCounter::contentPattern(const QByteArray &head)
{
    const bool isWhole = isAlphanumeric(head.back());
    return escapedGlob(head) + (isWhole ? "" : "*");
}

void UnlistedNameCounter::forget(const QByteArray &pattern)
{
    m_patterns.remove(pattern);
    m_byContent.removeIf([&](auto each) { return contentPattern(each.key()) == pattern; });
}

std::optional<UnlistedNameCounter::Proven> UnlistedNameCounter::judge(const LockKey &sample,
                                                                      const std::optional<Lock> &lock)
{
    std::optional<Proven> proven;
    // A text without a lease may be anything where the name hardly says that it is a lock.
    const bool isHeld =
        lock && !isNoLock(*lock) && (lock->deadline || isProven(lock->family, lock->evidence));
    const bool isShown = lock && !isHidden(*lock);
    const bool proves = isShown && isProven(lock->family, lock->evidence);
    for (auto met = m_patterns.begin(); met != m_patterns.end(); ++met) {
        if (!met->unread.removeOne(sample))
            continue;
        ++met->read;
        met->isListed = met->isListed || isHeld || (isShown && !met->isByWord);
        if (proves && met->isByWord && met->names <= maxNames)
            proven = {met.key(), met->all};
    }
    for (auto met = m_byContent.begin(); met != m_byContent.end(); ++met) {
        if (!met->unread.removeOne(sample))
            continue;
        met->isListed = met->isListed || proves || (isShown && tellsOfHolder(*lock));
        met->hasLock = met->hasLock || proves;
        if (proves && met->names <= maxNames)
            proven = {contentPattern(met.key()), met->all};
    }
    return proven;
}

UnlistedNames UnlistedNameCounter::outside() const
{
    UnlistedNames outside{m_others, {}};
    for (auto each = m_patterns.begin(); each != m_patterns.end(); ++each) {
        if (!each->mayList())
            continue;
        outside.names += each->names;
        outside.patterns.append({each.key(), each->names, each->isWide});
    }
    for (auto each = m_byContent.begin(); each != m_byContent.end(); ++each) {
        if (!each->isListed || (each->names > maxNames && !each->hasLock))
            continue;
        outside.names += each->names;
        outside.patterns.append({contentPattern(each.key()), each->names, true});
    }
    std::ranges::sort(outside.patterns, {}, orderOf);
    outside.patterns.resize(std::min(outside.patterns.size(), maxPatterns));
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

void UnlistedNames::add(const UnlistedNames &other)
{
    names += other.names;
    for (const UnlistedPattern &more : other.patterns) {
        const auto known = std::ranges::find(patterns, more.pattern, &UnlistedPattern::pattern);
        if (known != patterns.end())
            known->names += more.names;
        else if (patterns.size() < UnlistedNameCounter::maxPatterns)
            patterns.append(more);
    }
    std::ranges::sort(patterns, {}, orderOf);
}

} // namespace lockscope
