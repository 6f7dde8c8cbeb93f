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
/// patterns, the usual names of families. Also counts the locks found under the latter.
class KeyNameFilter
{
public:
    enum class By : quint8 { Nothing, Pattern, Family };

    /// Limit of keys without a lock that are read under a family's glob: the others are left out.
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

    /// Records a key nominated by a family. `isNew`: unknown before. Returns a glob that is left out from now
    /// on, because over maxOthers keys and no lock were found under it; otherwise empty.
    QByteArray note(QByteArrayView name, bool isLock, bool isNew);
    /// The number of locks found, by a family's glob.
    const QMap<QByteArray, qint64> &found() const { return m_found; }
    /// True if a new glob was added since the last call.
    bool takeHasNewGlob() { return std::exchange(m_hasNews, false); }
    /// The patterns, and families' globs with locks.
    QList<QByteArray> inUse() const;

private:
    template <typename IsMeant>
    QByteArray globOf(QByteArrayView name, Discovery discovery, IsMeant isMeant) const;
    QByteArray usualGlob(QByteArrayView name) const;

    QList<QByteArray> m_patterns;
    FamilySet m_undiscovered;
    bool m_discovers = false;
    bool m_hasNews = false;
    QMap<QByteArray, qint64> m_found;
    QHash<QByteArray, qint64> m_others; ///< number of keys without a lock, by a family's glob
    QSet<QByteArray> m_leftOut;
};

} // namespace lockscope
