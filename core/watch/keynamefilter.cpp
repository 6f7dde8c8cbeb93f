// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/keynamefilter.h"

#include "core/base/glob.h"
#include "core/family/nameindex.h"
#include "core/family/registry.h"
#include "core/watch/unlistednames.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxGlobs = 128;  // of names with the word for a lock: names beyond have one in common
constexpr qsizetype maxAdopted = 32; // as many as are told

const QByteArray &otherWords()
{
    static const QByteArray glob("*");
    return glob;
}

bool isAny(const QByteArray & /*glob*/)
{
    return true;
}

} // namespace

const QList<QByteArray> &KeyNameFilter::defaultPatterns()
{
    static const QList<QByteArray> patterns{"lock:*", "lock_*", "*:lock"};
    return patterns;
}

void KeyNameFilter::setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered)
{
    m_patterns = patterns;
    m_undiscovered = undiscovered;
    m_discovers = std::ranges::all_of(defaultPatterns(),
                                      [&](const QByteArray &pattern) { return patterns.contains(pattern); });
}

/// The first matching glob of accepted families.
template <typename IsMeant>
QByteArray KeyNameFilter::globOf(QByteArrayView name, Discovery discovery, IsMeant isMeant) const
{
    QByteArray found;
    namesOf(discovery).anyOf(name, [&](Family family) {
        for (const char *glob : specOf(family).usualNames) {
            if (found.isEmpty() && globMatches(glob, name) && isMeant(glob) &&
                !m_undiscovered.contains(family))
                found = glob;
        }
        return !found.isEmpty();
    });
    return found;
}

QByteArray KeyNameFilter::usualGlob(QByteArrayView name) const
{
    return globOf(name, Discovery::Always,
                  [this](const QByteArray &glob) { return !m_leftOut.contains(glob); });
}

QByteArray KeyNameFilter::adoptedGlob(QByteArrayView name) const
{
    const auto glob =
        std::ranges::find_if(m_adopted, [name](const QByteArray &g) { return globMatches(g, name); });
    return glob == m_adopted.end() ? QByteArray() : *glob;
}

QByteArray KeyNameFilter::wordGlob(QByteArrayView name) const
{
    if (lockSignIn(name) != LockSign::Lock)
        return {};
    const bool isUndiscovered =
        !m_undiscovered.isEmpty() && namesOf(Discovery::Always).anyOf(name, [this](Family family) {
            return m_undiscovered.contains(family);
        });
    const bool isLeftOut = std::ranges::any_of(m_leftOut, [name](const QByteArray &glob) {
        return glob != otherWords() && globMatches(glob, name);
    });
    if (isUndiscovered || isLeftOut)
        return {};
    const QByteArray like = patternLike(name);
    const bool hasRoom = m_found.contains(like) || m_others.contains(like) || m_leftOut.contains(like) ||
                         m_found.size() + m_others.size() < 2 * maxGlobs;
    const QByteArray &glob = hasRoom ? like : otherWords();
    return m_leftOut.contains(glob) ? QByteArray() : glob;
}

/// The glob that nominates a name which no pattern does.
QByteArray KeyNameFilter::ownGlob(QByteArrayView name) const
{
    QByteArray glob = usualGlob(name);
    if (glob.isEmpty())
        glob = adoptedGlob(name);
    return glob.isEmpty() ? wordGlob(name) : glob;
}

KeyNameFilter::By KeyNameFilter::nomination(QByteArrayView name) const
{
    if (globMatchesAny(m_patterns, name))
        return By::Pattern;
    if (!m_discovers)
        return By::Nothing;
    // Every name of a keyspace is asked for.
    const bool isUsual =
        m_leftOut.isEmpty()
            ? namesOf(Discovery::Always)
                  .anyOf(name, [this](Family family) { return !m_undiscovered.contains(family); })
            : !usualGlob(name).isEmpty();
    if (isUsual)
        return By::Family;
    if (!adoptedGlob(name).isEmpty())
        return By::Content;
    return wordGlob(name).isEmpty() ? By::Nothing : By::Word;
}

QList<QByteArray> KeyNameFilter::globsOf(QByteArrayView name) const
{
    QList<QByteArray> globs = m_patterns;
    globs.removeIf([name](const QByteArray &pattern) { return !globMatches(pattern, name); });
    if (const QByteArray own = globs.isEmpty() && m_discovers ? ownGlob(name) : QByteArray(); !own.isEmpty())
        globs.append(own);
    return globs;
}

QByteArray KeyNameFilter::hintOf(QByteArrayView name) const
{
    if (!m_discovers)
        return {};
    const QByteArray hint = globOf(name, Discovery::Hint, isAny);
    return hint.isEmpty() && !m_leftOut.isEmpty() ? globOf(name, Discovery::Always, isAny) : hint;
}

bool KeyNameFilter::adopt(const QByteArray &glob)
{
    if (!m_discovers || m_adopted.size() >= maxAdopted)
        return false;
    m_adopted.append(glob);
    return true;
}

QByteArray KeyNameFilter::note(QByteArrayView name, bool isLock, bool isNew)
{
    const QByteArray glob = ownGlob(name);
    const bool isAdopted = m_adopted.contains(glob);
    if (isLock && glob != otherWords()) { // which would match every name
        m_hasNews = m_hasNews || !m_found.contains(glob);
        m_found[glob] += isNew ? 1 : 0;
    }
    // A whole application's keys may come under a beginning that one lock nominated.
    if (!isNew || (isLock && isAdopted) || (m_found.contains(glob) && !isAdopted) ||
        ++m_others[glob] < maxOthers)
        return {};
    m_leftOut.insert(glob);
    m_adopted.removeOne(glob);
    m_found.remove(glob);
    return glob;
}

QList<QByteArray> KeyNameFilter::inUse() const
{
    return m_discovers ? m_patterns + m_found.keys() : m_patterns;
}

} // namespace lockscope
