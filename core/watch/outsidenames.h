// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>

namespace lockscope {

/// A pattern that would cover some of the names met.
struct OutsidePattern
{
    QByteArray pattern;
    qint64 names = 0;

    friend bool operator==(const OutsidePattern &, const OutsidePattern &) = default;
};

/// What a scan met that looks like locks by name and was not read.
struct Outside
{
    qint64 names = 0;
    QList<OutsidePattern> patterns; ///< the one that covers most first; not more than OutsideNames keeps

    /// What another node's scan met.
    void add(const Outside &other);
    friend bool operator==(const Outside &, const Outside &) = default;
};

/// Counts names that may be those of locks, with the patterns that would cover them. In bounded memory, however many there are.
class OutsideNames
{
public:
    static constexpr qsizetype mostPatterns = 32;

    /// One of the names that are not nominated. `hint`: the glob of a family that may name its locks so; empty: none.
    void note(QByteArrayView name, const QByteArray &hint = {});
    void add(const QByteArray &pattern, qint64 names);
    Outside outside() const;

private:
    qint64 m_names = 0;
    QHash<QByteArray, qint64> m_patterns;
};

/// Whether a name looks like that of a lock: by a word in it, or as a library makes names. Companion keys do not. Pure.
bool looksLikeLock(QByteArrayView name);
/// The pattern for such a name and those like it: `*_lock`, `lock.*`, `app_lock:*`. Pure.
QByteArray patternLike(QByteArrayView name);

/// The glob that a SCAN needs for a pass over these patterns; empty: none. `looksOutside`: such that it meets names that
/// look like locks and match none of them too, where that costs about the same; `meetsOutside` says whether it does. Pure.
struct ScanGlob
{
    QByteArray match;
    bool meetsOutside = false;
};
ScanGlob scanGlob(const QList<QByteArray> &patterns, bool looksOutside);

} // namespace lockscope
