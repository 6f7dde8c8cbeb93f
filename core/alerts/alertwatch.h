// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertrules.h"
#include "core/history/orderwatch.h"
#include "core/watch/monitorstate.h"

#include <QHash>
#include <QSet>

#include <set>
#include <utility>

namespace lockscope {

/// Raises alerts from a monitor's reports, and ends them when their condition is over. Alerts of locks that
/// are not current, or that a reading did not cover, are neither raised nor ended. A lock without pushed
/// changes counts as held until its last reading. Moments are of the steady clock. If several servers are
/// lost with the connection to all, one alert is raised. Bounded: at most maxOpen alerts of locks are open;
/// further ones are counted, and raised when there is room.
class AlertWatch
{
public:
    static constexpr qsizetype maxOpen = 1000;
    static constexpr qsizetype maxEnded = 1000; ///< ended alerts kept to detect repetitions
    /// A condition that recurs sooner than this is the same alert.
    static constexpr std::chrono::minutes sameAlert{5};
    /// Delay before a lock's alert ends, unless another owner holds it: a busy lock is free between two
    /// holds. Also the delay before a lost connection or server raises one: others may follow.
    static constexpr std::chrono::seconds settleTime{2};

    struct Change
    {
        enum class What : quint8 { Raised, RaisedAgain, Ended };
        What what = What::Raised;
        Alert alert;
    };

    /// `watched`: of the reporting watch. Must outlive this object, and take each event first.
    explicit AlertWatch(const MonitorState &watched, const AlertRules &rules = {})
        : m_watched(watched), m_rules(rules)
    {
    }

    /// `locks`: all known ones, checked by the new rules. An alert ends at once if its rule is off, or if its
    /// lock is known not to break it.
    void setRules(const AlertRules &rules, const QList<WatchedLock> &locks, TimePoint now);

    void take(const MonitorReport &event, TimePoint now);
    /// Raises and ends alerts that depend on time.
    void advance(TimePoint now);

    /// Changes since the last call, in order.
    QList<Change> takeChanges() { return std::exchange(m_changes, {}); }
    QList<Alert> open() const { return m_open.values(); } ///< unsorted
    /// Number of true conditions not raised, because too many alerts are open.
    qsizetype notRaised() const { return m_notRaised.size(); }

private:
    /// A lock that breaks a rule, or will.
    struct Breach
    {
        Family family;
        QList<LockOwner> owners;
        TimePoint heldSince;
        TimePoint readAt;
        TimePoint leaseEnd = TimePoint::max(); ///< readings are not valid after it
        CompanionStatePtr companions;
        bool isUnreadable = false;   ///< earlier values stay
        bool areWaitersKnown = true; ///< earlier values stay
        std::array<TimePoint, alertKinds> since;
        TimePoint due = TimePoint::max();
    };

    void takeConnection(TimePoint now);
    void takeCluster(TimePoint now);
    void takeReset(const ServerReset &reset);
    void takeEviction(const LockEvent &event);
    void takeOrders(const LockDiff &diff, TimePoint now);
    void raiseMoment(Alert alert);
    void judgeAll(TimePoint now);
    void judgeDeadlocks(TimePoint now);
    Breach subjectOf(const WatchedLock &watched) const;
    void judge(const WatchedLock &watched, TimePoint now, bool isReading);
    void judge(const LockKey &key, Breach &subject, TimePoint now, bool isReading = false);
    void forget(const LockKey &key, TimePoint now);
    void schedule(const LockKey &key, Breach &subject, TimePoint due);
    bool isCurrent(const LockKey &key) const;
    static bool isKnown(const Breach &subject, const AlertRule &rule, TimePoint now);
    TimePoint knownUntil(const LockKey &key, const Breach &subject, TimePoint now) const;
    void judgeConnections(TimePoint now);
    void endSoon(const QByteArray &id, TimePoint now);
    void raiseWaiting(TimePoint now);
    Alert alertOf(const LockKey &key, const Breach &subject, const AlertRule &rule, TimePoint now) const;
    void raise(const QByteArray &id, Alert alert);
    void end(const QByteArray &id, TimePoint now);
    void endUnruled(TimePoint now);
    void endMissing(AlertKind kind, const QSet<QByteArray> &ids, TimePoint now);

    const MonitorState &m_watched;
    AlertRules m_rules;
    QHash<LockKey, Breach> m_subjects;
    std::set<std::pair<TimePoint, LockKey>> m_due;
    QHash<QByteArray, Alert> m_open;
    QHash<QByteArray, TimePoint> m_ending; ///< open, over since
    QHash<QByteArray, LockKey> m_notRaised;
    QSet<LockKey> m_unreadable;
    OrderWatch m_orders;
    QSet<QString> m_seen;                ///< servers that were ready
    QHash<QString, TimePoint> m_missing; ///< lost since, by ready servers
    QHash<QByteArray, Alert> m_ended;
    QList<QByteArray> m_endings; ///< last one at the end
    TimePoint m_lostAt;          ///< begin of a connection loss
    bool m_isReady = false;      ///< at the last check
    bool m_isRead = false;       ///< at the last check
    bool m_wasReady = false;
    quint64 m_nextNumber = 1;
    QList<Change> m_changes;
};

} // namespace lockscope
