// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/timerange.h"

#include <bitset>
#include <optional>

namespace lockscope {

/// Which entries of the event log are shown.
class EventFilter
{
public:
    using Kinds = std::bitset<LoggedKind::count>;

    /// Every kind but what is noise while nothing is wrong: locks that were there before, and renewals.
    static Kinds usualKinds();

    void setKinds(const Kinds &kinds) { m_kinds = kinds; }
    const Kinds &kinds() const { return m_kinds; }
    /// Every word has to be in the key, in an owner's id or name, in the event's word, or in what is said of it.
    void setWords(const QString &words, const OwnerNames &names);
    /// Events of this lock; nullopt: of any.
    void setOnly(const std::optional<LockKey> &lock) { m_only = lock; }
    const std::optional<LockKey> &only() const { return m_only; }
    /// Events of this time, epoch ms; nullopt: of any.
    void setTime(const std::optional<TimeRange> &time) { m_time = time; }
    const std::optional<TimeRange> &time() const { return m_time; }

    /// `number`: of an entry that the log has.
    bool accepts(const EventLog &log, qint64 number) const;
    // What would be an entry, of any time. Of a moment, whose text is not known, every word may be in it.
    bool accepts(const LockEvent &event) const;
    bool accepts(MomentKind kind, const LockKey &key) const;

private:
    /// Of a log or not.
    struct Entry
    {
        LoggedKind kind;
        const LockKey &key;
        Family family;
        const QList<LockOwner> &owners;
        std::optional<QString> text; ///< of a moment; absent: not known
    };
    struct Word
    {
        QString text;
        QByteArray needle;         ///< the same as bytes, its ASCII letters in lower case
        QList<QByteArray> clients; ///< that have it in their name
        Kinds kinds;               ///< that have it in their word

        bool isIn(const Entry &entry) const;
    };
    bool accepts(const Entry &entry) const;

    Kinds m_kinds = Kinds().set();
    QList<Word> m_words;
    std::optional<LockKey> m_only;
    std::optional<TimeRange> m_time;
};

} // namespace lockscope
