// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertrules.h"
#include "core/watch/watched.h"

#include <QHash>
#include <QSet>

#include <set>
#include <utility>

namespace lockscope {

/// Raises alerts from what a monitor tells, and says when their condition is over. Where the locks are not current nothing is known
/// of them: their alerts are neither raised nor ended then, nor where a reading could not tell. A lock whose changes nobody tells is known
/// to be held until it was read last. Moments are of the steady clock.
/// Where several servers are lost at once, and with them the connection to all, that is one alert.
/// Bounded: at most mostOpen alerts of locks are open at once; what would be one more is counted, and raised when there is room.
class AlertWatch
{
public:
    static constexpr qsizetype mostOpen = 1000;
    static constexpr qsizetype mostEnded = 1000; ///< of which a repetition is known
    /// What comes again sooner than this after its end is the same alert.
    static constexpr std::chrono::minutes sameAlert{5};
    /// A lock's condition has to be over for so long, but for another owner's hold: a busy lock is free between two of them. And the
    /// connection has to be lost for so long, or one of several servers: it may come back at once, or the others may follow.
    static constexpr std::chrono::seconds settleTime{2};

    struct Change
    {
        enum class What : quint8 { Raised, RaisedAgain, Ended };
        What what = What::Raised;
        Alert alert;
    };

    /// `watched`: of the watch that tells. It must outlive this, and take each event first.
    explicit AlertWatch(const Watched &watched, const AlertRules &rules = {})
        : m_watched(watched), m_rules(rules)
    {
    }

    /// `locks`: all that are known, judged by the new rules. An alert ends at once where its rule is off, or where its lock is known not to
    /// break it.
    void setRules(const AlertRules &rules, const QList<WatchedLock> &locks, TimePoint now);

    void take(const WatchEvent &event, TimePoint now);
    /// Raises and ends what only time brings about.
    void advance(TimePoint now);

    /// Since this was asked last, in order.
    QList<Change> takeChanges() { return std::exchange(m_changes, {}); }
    QList<Alert> open() const { return m_open.values(); } ///< in no order
    /// Conditions that hold and were not raised, since too many alerts are open.
    qsizetype notRaised() const { return m_notRaised.size(); }

private:
    /// A lock that breaks a rule, or will.
    struct Subject
    {
        Family family;
        QList<LockOwner> owners;
        TimePoint heldSince;
        TimePoint readAt;
        TimePoint leaseEnd = TimePoint::max(); ///< what was read is not known to hold after it
        CompanionStatePtr beside;
        bool isUnreadable = false;               ///< what was said of it before stands
        bool areWaitersKnown = true;             ///< likewise, of its waiters
        std::array<TimePoint, alertKinds> since; ///< it breaks which rule
        TimePoint due = TimePoint::max();        ///< its place in m_due
    };

    void takeConnection(TimePoint now);
    void takeCluster(TimePoint now);
    void takeReset(const ServerReset &reset);
    void takeEviction(const LockEvent &event);
    void raiseMoment(Alert alert);
    void judgeAll(TimePoint now);
    void judgeDeadlocks(TimePoint now);
    Subject subjectOf(const WatchedLock &watched) const;
    void judge(const WatchedLock &watched, TimePoint now, bool isReading);
    void judge(const LockKey &key, Subject &subject, TimePoint now, bool isReading = false);
    void forget(const LockKey &key, TimePoint now);
    void schedule(const LockKey &key, Subject &subject, TimePoint due);
    bool isCurrent(const LockKey &key) const;
    static bool isKnown(const Subject &subject, const AlertRule &rule, TimePoint now);
    TimePoint knownUntil(const LockKey &key, const Subject &subject, TimePoint now) const;
    void judgeConnections(TimePoint now);
    void endSoon(const QByteArray &id, TimePoint now);
    void raiseWaiting(TimePoint now);
    Alert alertOf(const LockKey &key, const Subject &subject, const AlertRule &rule, TimePoint now) const;
    void raise(const QByteArray &id, Alert alert);
    void end(const QByteArray &id, TimePoint now);
    void endUnruled(TimePoint now);
    void endMissing(AlertKind kind, const QSet<QByteArray> &ids, TimePoint now);

    const Watched &m_watched;
    AlertRules m_rules;
    QHash<LockKey, Subject> m_subjects;
    std::set<std::pair<TimePoint, LockKey>> m_due;
    QHash<QByteArray, Alert> m_open;
    QHash<QByteArray, TimePoint> m_ending; ///< open, and over since then
    QHash<QByteArray, LockKey> m_notRaised;
    QSet<LockKey> m_unreadable;
    QSet<QString> m_seen;                ///< servers that were ready
    QHash<QString, TimePoint> m_missing; ///< of those: lost since
    QHash<QByteArray, Alert> m_ended;
    QList<QByteArray> m_endings; ///< of those, the last one at the end
    TimePoint m_lostAt;          ///< the connection, while it is
    bool m_isReady = false;      ///< as it was when it was judged last
    bool m_isRead = false;       ///< likewise
    bool m_wasReady = false;
    quint64 m_nextNumber = 1;
    QList<Change> m_changes;
};

} // namespace lockscope
