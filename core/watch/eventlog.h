// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/internpool.h"
#include "core/model/lockevent.h"
#include "core/model/monitorevent.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <deque>

namespace lockscope {

/// The kind of an event or of a moment, as one number.
class LoggedKind
{
public:
    static constexpr int count = eventKinds + momentKinds;

    constexpr LoggedKind() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): it is either
    constexpr LoggedKind(EventKind kind) : m_index(static_cast<quint8>(kind)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr LoggedKind(MonitorEventKind kind) : m_index(static_cast<quint8>(eventKinds + int(kind))) {}
    static constexpr LoggedKind at(int index)
    {
        return index < eventKinds ? LoggedKind(static_cast<EventKind>(index))
                                  : LoggedKind(static_cast<MonitorEventKind>(index - eventKinds));
    }

    constexpr int index() const { return m_index; }
    constexpr bool isMoment() const { return m_index >= eventKinds; }
    constexpr EventKind event() const { return static_cast<EventKind>(m_index); } ///< if not a moment
    constexpr MonitorEventKind moment() const { return static_cast<MonitorEventKind>(m_index - eventKinds); }

    friend constexpr bool operator==(LoggedKind, LoggedKind) = default;

private:
    quint8 m_index = 0;
};

struct LoggedEvent
{
    LoggedKind kind;
    LockEvent event; ///< without its steady-clock time; for a moment only key and wallMs
    QString text;    ///< for a moment
};

/// The last events of all locks and of the monitor, in the order of their reports. Bounded in number and
/// bytes: the oldest are dropped. An event takes about 40 bytes; keys and owners are stored once.
class EventLog : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype usualMost = 100'000;
    static constexpr qint64 usualBytes = 64 * 1024 * 1024;

    /// `maxBytes`: limit for keys, owners and texts, each counted once.
    explicit EventLog(qsizetype most = usualMost, qint64 maxBytes = usualBytes, QObject *parent = nullptr);

    /// Appends both, merged by time; each list is in order of time.
    void append(const QList<LockEvent> &events, const QList<MonitorEvent> &moments = {});
    /// Records that `events` were lost before.
    void addLost(qint64 events);
    /// Removes all entries, before those of another time; they do not count as lost.
    void clear();

    // Entries are numbered from 0; numbers are not reused.
    qint64 first() const { return m_first; } ///< oldest one kept
    qint64 end() const { return m_first + std::ssize(m_records); }
    /// Entries before this one were removed by clear().
    qint64 clearedTo() const { return m_clearedTo; }
    /// The number of lost or dropped entries since clear().
    qint64 dropped() const { return m_first - m_clearedTo + m_lost; }
    bool wasLostBefore(qint64 number) const { return m_losses.contains(number); }
    bool contains(qint64 number) const { return number >= first() && number < end(); }

    // Properties of an entry that is kept.
    LoggedKind kindOf(qint64 number) const { return record(number).kind; }
    const LockKey &keyOf(qint64 number) const { return m_keys.at(record(number).key); }
    const QList<LockOwner> &ownersOf(qint64 number) const { return m_owners.at(record(number).owners).list; }
    qint64 wallMsOf(qint64 number) const { return record(number).wallMs; }
    Family familyOf(qint64 number) const { return record(number).family; }
    QString textOf(qint64 number) const { return m_texts.value(number); }
    LoggedEvent at(qint64 number) const;

signals:
    /// Entries were added; old ones may have been dropped.
    void appended();

private:
    struct Owners
    {
        QList<LockOwner> list;

        friend bool operator==(const Owners &, const Owners &) = default;
        friend size_t qHash(const Owners &owners, size_t seed = 0) noexcept
        {
            for (const LockOwner &holder : owners.list)
                seed = qHashMulti(seed, holder.owner, holder.rawHoldCount, int(holder.mode));
            return seed;
        }
        qint64 bytes() const;
    };
    struct Record
    {
        qint64 wallMs = 0;
        CompactOptional<milliseconds> ttl;
        InternPool<LockKey>::Id key = 0;
        InternPool<Owners>::Id owners = 0;
        qint32 database = 0;
        qint32 others = 0;
        LoggedKind kind;
        Family family;
        bool byOtherProgram = false;
        bool wasRenewed = false;
        EndKinds possible;
    };

    const Record &record(qint64 number) const { return m_records[static_cast<size_t>(number - m_first)]; }
    void add(const LockEvent &event);
    void add(const MonitorEvent &moment);
    void add(Record record, const LockKey &key, const QList<LockOwner> &owners);
    void dropOldest();

    const qsizetype m_most;
    const qint64 m_mostBytes;
    std::deque<Record> m_records;
    qint64 m_first = 0;
    qint64 m_clearedTo = 0;
    qint64 m_lost = 0;
    QSet<qint64> m_losses; ///< numbers of entries with losses before them
    qint64 m_bytes = 0;
    InternPool<LockKey> m_keys;
    InternPool<Owners> m_owners;
    QHash<qint64, QString> m_texts;
};

} // namespace lockscope
