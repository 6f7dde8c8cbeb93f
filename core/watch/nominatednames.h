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

/// By which names keys are read as possible locks; what they hold decides. Those that a pattern matches; and where the default
/// patterns are among these, those that families usually give their locks. Knows under which of the latter something was found.
class NominatedNames
{
public:
    /// What nominates a name.
    enum class By : quint8 { Nothing, Pattern, Family };

    /// So many keys are read under a glob of a family, none of them a lock: the rest is left out.
    static constexpr qint64 mostOthers = 10'000;

    explicit NominatedNames(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {})
    {
        setPatterns(patterns, undiscovered);
    }
    static const QList<QByteArray> &defaultPatterns();

    /// What was found is kept. Usual names of `undiscovered` families nominate nothing, and are no hint.
    void setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {});
    const QList<QByteArray> &patterns() const { return m_patterns; }
    /// Families nominate, too.
    bool discovers() const { return m_discovers; }

    By nomination(QByteArrayView name) const;
    bool contains(QByteArrayView name) const { return nomination(name) != By::Nothing; }
    /// The globs by which it is nominated.
    QList<QByteArray> globsOf(QByteArrayView name) const;
    /// Of a name that is not nominated: the glob of a family that may name its locks so all the same; empty: none does.
    QByteArray hintOf(QByteArrayView name) const;

    /// A key that a family nominates was read, and holds a lock or none. `isNew`: it was not known before. The glob under which
    /// nothing is read from now on, if there are too many without a lock; else empty.
    QByteArray note(QByteArrayView name, bool isLock, bool isNew);
    /// Locks that were found so far, by glob of a family.
    const QMap<QByteArray, qint64> &found() const { return m_found; }
    /// There is another of them since the last call.
    bool takeNews() { return std::exchange(m_hasNews, false); }
    /// The patterns, and under which globs of families locks were found.
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
    QHash<QByteArray, qint64> m_others; ///< keys without a lock, by glob of a family
    QSet<QByteArray> m_leftOut;
};

} // namespace lockscope
