// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/keynamefilter.h"

#include "core/base/glob.h"
#include "core/family/nameindex.h"
#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

namespace {

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
    return isUsual ? By::Family : By::Nothing;
}

QList<QByteArray> KeyNameFilter::globsOf(QByteArrayView name) const
{
    QList<QByteArray> globs = m_patterns;
    globs.removeIf([name](const QByteArray &pattern) { return !globMatches(pattern, name); });
    if (const QByteArray usual = globs.isEmpty() && m_discovers ? usualGlob(name) : QByteArray();
        !usual.isEmpty())
        globs.append(usual);
    return globs;
}

QByteArray KeyNameFilter::hintOf(QByteArrayView name) const
{
    if (!m_discovers)
        return {};
    const QByteArray hint = globOf(name, Discovery::Hint, isAny);
    return hint.isEmpty() && !m_leftOut.isEmpty() ? globOf(name, Discovery::Always, isAny) : hint;
}

QByteArray KeyNameFilter::note(QByteArrayView name, bool isLock, bool isNew)
{
    const QByteArray glob = usualGlob(name);
    if (isLock) {
        m_hasNews = m_hasNews || !m_found.contains(glob);
        m_found[glob] += isNew ? 1 : 0;
    }
    if (!isNew || m_found.contains(glob) || ++m_others[glob] < maxOthers)
        return {};
    m_leftOut.insert(glob);
    return glob;
}

QList<QByteArray> KeyNameFilter::inUse() const
{
    return m_discovers ? m_patterns + m_found.keys() : m_patterns;
}

} // namespace lockscope
