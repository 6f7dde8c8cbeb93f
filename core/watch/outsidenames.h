// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/model/lock.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>

#include <optional>

namespace lockscope {

/// A pattern that would cover some of the names met.
struct OutsidePattern
{
    QByteArray pattern;
    qint64 names = 0;
    bool isWide = false; ///< a family's, whose locks stand among many other keys

    friend bool operator==(const OutsidePattern &, const OutsidePattern &) = default;
};

/// What a scan met that looks like locks by name and was not read.
struct Outside
{
    qint64 names = 0;
    QList<OutsidePattern>
        patterns; ///< the one that covers most first, wide ones last; not more than OutsideNames keeps

    /// What another node's scan met.
    void add(const Outside &other);
    friend bool operator==(const Outside &, const Outside &) = default;
};

/// Counts names that may be those of locks, with the patterns that would cover them, and takes a few of each as samples: what
/// these hold decides. In bounded memory, however many there are.
class OutsideNames
{
public:
    static constexpr qsizetype mostPatterns = 32;

    /// One of the names that are not nominated. `hint`: the glob of a family that may name its locks so; empty: none.
    void note(QByteArrayView name, const QByteArray &hint = {});
    void add(const QByteArray &pattern, qint64 names);
    /// Names to read, a few of each pattern.
    QList<LockKey> samples() const;
    /// What a sample holds: a lock or none.
    void judge(const LockKey &sample, const std::optional<Lock> &lock);
    /// Of patterns that would list something, as far as the samples tell. What only a word hints at is left out until one of
    /// them is held.
    Outside outside() const;

private:
    struct Met
    {
        qint64 names = 0;
        bool isByWord = false;   ///< that hints at a lock, and no more
        bool isWide = false;     ///< see OutsidePattern
        bool isListed = false;   ///< a sample of it would be
        QList<LockKey> unread{}; ///< samples
        int read = 0;

        bool mayList() const { return isListed || (!isByWord && (names > read || !unread.isEmpty())); }
    };
    Met *metAs(const QByteArray &pattern, qsizetype most);

    QHash<QByteArray, Met> m_patterns;
    qint64 m_others = 0; ///< names that there was no room for
};

/// What in a name says that it is a lock's.
enum class LockSign : quint8 {
    None, ///< nothing; or it is a companion key
    Word, ///< a word that may stand in other names as well
    Lock, ///< the word for a lock, or the way in which a library makes names
};
LockSign lockSignIn(QByteArrayView name); ///< pure
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
