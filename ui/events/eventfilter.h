// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"
#include "core/watch/eventlog.h"
#include "ui/widgets/timerange.h"

#include <bitset>
#include <optional>

namespace lockscope {

class EventFilter
{
public:
    using Kinds = std::bitset<LoggedKind::count>;

    /// Returns all kinds but those that are noise normally: locks found by the first scan, and renewals.
    static Kinds usualKinds();

    void setKinds(const Kinds &kinds) { m_kinds = kinds; }
    const Kinds &kinds() const { return m_kinds; }
    /// Requires each word in the key, an owner's ID or name, the event's word or its details.
    void setWords(const QString &words, const OwnerNames &names);
    /// Limits to events of this lock; nullopt: any.
    void setOnly(const std::optional<LockKey> &lock) { m_only = lock; }
    const std::optional<LockKey> &only() const { return m_only; }
    /// Limits to events of this time, epoch ms; nullopt: any.
    void setTime(const std::optional<TimeRange> &time) { m_time = time; }
    const std::optional<TimeRange> &time() const { return m_time; }

    /// `number`: entry of the log.
    bool accepts(const EventLog &log, qint64 number) const;
    // For entries that are not logged, of any time. The unknown text of a moment matches any word.
    bool accepts(const LockEvent &event) const;
    bool accepts(MonitorEventKind kind, const LockKey &key) const;

private:
    struct Entry
    {
        LoggedKind kind;
        const LockKey &key;
        Family family;
        const QList<LockOwner> &owners;
        std::optional<QString> text; ///< set for a moment; absent: unknown
    };
    struct Word
    {
        QString text;
        QByteArray needle;         ///< UTF-8 of `text` with ASCII letters in lower case
        QList<QByteArray> clients; ///< processes whose name contains it
        Kinds kinds;               ///< kinds whose word contains it

        bool isIn(const Entry &entry) const;
    };
    bool accepts(const Entry &entry) const;

    Kinds m_kinds = Kinds().set();
    QList<Word> m_words;
    std::optional<LockKey> m_only;
    std::optional<TimeRange> m_time;
};

} // namespace lockscope
