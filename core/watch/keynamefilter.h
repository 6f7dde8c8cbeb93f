// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/family.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>
#include <QMap>
#include <QSet>

#include <utility>

namespace lockscope {

enum class Discovery : quint8;

/// The names of keys that are read as possible locks: those that match a pattern and, with the default
/// patterns, the usual names of families, names with the word for a lock, and beginnings under which a key's
/// content proved to be a lock. Also counts the locks found under the latter three.
class KeyNameFilter
{
public:
    enum class By : quint8 { Nothing, Pattern, Family, Word, Content };

    /// Limit of keys without a lock that are read under such a glob: the others are left out.
    static constexpr qint64 maxOthers = 10'000;

    explicit KeyNameFilter(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {})
    {
        setPatterns(patterns, undiscovered);
    }
    static const QList<QByteArray> &defaultPatterns();

    /// Keeps the counts. Usual names of `undiscovered` families are neither read nor suggested.
    void setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {});
    const QList<QByteArray> &patterns() const { return m_patterns; }
    bool discovers() const { return m_discovers; }

    By nomination(QByteArrayView name) const;
    bool contains(QByteArrayView name) const { return nomination(name) != By::Nothing; }
    QList<QByteArray> globsOf(QByteArrayView name) const;
    /// For a name that is not nominated: a family's glob that matches; empty: none.
    QByteArray hintOf(QByteArrayView name) const;

    /// Nominates the names that match `glob`, by the content of one of them. False: there is no room for it.
    bool adopt(const QByteArray &glob);
    /// Records a key that no pattern nominated. `isNew`: unknown before. Returns a glob that is left out from
    /// now on, because maxOthers keys and no lock were found under it, or so many beside the locks of an adopted
    /// one; otherwise empty.
    QByteArray note(QByteArrayView name, bool isLock, bool isNew);
    /// The number of locks found, by such a glob.
    const QMap<QByteArray, qint64> &found() const { return m_found; }
    /// True if a new glob was added since the last call.
    bool takeHasNewGlob() { return std::exchange(m_hasNews, false); }
    /// The patterns, and other globs with locks.
    QList<QByteArray> inUse() const;

private:
    template <typename IsMeant>
    QByteArray globOf(QByteArrayView name, Discovery discovery, IsMeant isMeant) const;
    QByteArray usualGlob(QByteArrayView name) const;
    QByteArray adoptedGlob(QByteArrayView name) const;
    QByteArray wordGlob(QByteArrayView name) const;
    QByteArray ownGlob(QByteArrayView name) const;

    QList<QByteArray> m_patterns;
    FamilySet m_undiscovered;
    bool m_discovers = false;
    bool m_hasNews = false;
    QMap<QByteArray, qint64> m_found;
    QList<QByteArray> m_adopted;
    QHash<QByteArray, qint64> m_others; ///< number of keys without a lock, by such a glob
    QSet<QByteArray> m_leftOut;
};

} // namespace lockscope
