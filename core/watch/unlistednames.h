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

/// A pattern that would match some of the names found.
struct UnlistedPattern
{
    QByteArray pattern;
    qint64 names = 0;
    bool isWide = false; ///< a family's, whose locks are among many other keys

    friend bool operator==(const UnlistedPattern &, const UnlistedPattern &) = default;
};

/// Names found by a scan that look like locks and were not read.
struct UnlistedNames
{
    qint64 names = 0;
    QList<UnlistedPattern>
        patterns; ///< most names first, wide ones last; at most as many as UnlistedNameCounter keeps

    /// Adds the names from another node's scan.
    void add(const UnlistedNames &other);
    friend bool operator==(const UnlistedNames &, const UnlistedNames &) = default;
};

/// Counts names that may be locks, by patterns that would match them, and takes a few samples of each, whose
/// content decides; also of some other names, which count only if the content says who holds a lock. Bounded
/// memory.
class UnlistedNameCounter
{
public:
    static constexpr qsizetype maxPatterns = 32;
    static constexpr qint64 maxNames =
        1000; ///< of a pattern that its content proves: more are a whole application's

    /// `takesAnyName`: also samples names that do not hint at a lock.
    explicit UnlistedNameCounter(bool takesAnyName = true) : m_takesAnyName(takesAnyName) {}

    /// Counts a name that is not nominated. `hint`: a matching family's glob; empty: none.
    void note(QByteArrayView name, const QByteArray &hint = {});
    void add(const QByteArray &pattern, qint64 names);
    /// Names to read, a few per pattern.
    QList<LockKey> samples() const;
    /// Names under one pattern, all of them.
    struct Proven
    {
        QByteArray pattern;
        QList<LockKey> names;
    };
    /// Takes what was read. Returns the pattern that this sample proves to have locks, if it has few names.
    std::optional<Proven> judge(const LockKey &sample, const std::optional<Lock> &lock);
    /// No longer counts the names of a pattern.
    void forget(const QByteArray &pattern);
    /// The patterns that would list locks, by the samples. Patterns for words that only hint at locks are
    /// left out unless a sample is held, and for others unless a sample says who holds it.
    UnlistedNames outside() const;

private:
    struct Met
    {
        qint64 names = 0;
        bool isByWord = false; ///< only the word hints at a lock
        bool isWide = false;
        bool isListed = false; ///< a sample would be listed
        bool hasLock = false;  ///< a sample is proven
        QList<LockKey> all{};  ///< at most maxNames
        QList<LockKey> unread{};
        int read = 0;

        void note(QByteArrayView name, qint64 samples);
        bool mayList() const { return isListed || (!isByWord && (names > read || !unread.isEmpty())); }
    };
    static QByteArray contentPattern(const QByteArray &head);
    void noteByContent(QByteArrayView name);
    Met *metAs(const QByteArray &pattern, qsizetype most);

    QHash<QByteArray, Met> m_patterns;
    QHash<QByteArray, Met> m_byContent; ///< by the beginning of names that do not hint at a lock
    bool m_takesAnyName;
    qint64 m_others = 0; ///< number of names beyond the limit
};

enum class LockSign : quint8 {
    None, ///< none, or a companion key
    Word, ///< a word that other names may have too
    Lock, ///< the word for a lock, or a library's form of names
};
LockSign lockSignIn(QByteArrayView name);
/// The pattern for such a name and similar ones: `*_lock`, `lock.*`, `app_lock:*`. Pure.
QByteArray patternLike(QByteArrayView name);

/// The glob of a SCAN for these patterns; empty: none. `looksOutside`: a glob that also finds other names
/// that look like locks, if the cost is similar; see `meetsOutside`. Pure.
struct ScanGlob
{
    QByteArray match;
    bool meetsOutside = false;
};
ScanGlob scanGlob(const QList<QByteArray> &patterns, bool looksOutside);

} // namespace lockscope
