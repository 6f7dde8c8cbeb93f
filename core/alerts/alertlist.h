// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertwatch.h"

#include <QHash>
#include <QList>
#include <QSet>

#include <functional>
#include <optional>
#include <utility>

namespace lockscope {

/// Silences alerts for a time; they stay in the list.
struct AlertSnooze
{
    enum class Of : quint8 {
        Alert, ///< this rule and this lock or server
        Rule,
        Lock,
    };
    static constexpr qint64 untilItEnds = 0;

    Of of = Of::Alert;
    AlertKind kind = AlertKind::NoExpiry; ///< Alert, Rule
    LockKey key{};                        ///< Alert, Lock
    QByteArray subject{};                 ///< Alert: a digest of its subject
    qint64 untilMs = untilItEnds;         ///< epoch ms; untilItEnds: for Alert only
    qint64 madeMs = 0;                    ///< epoch ms

    friend bool operator==(const AlertSnooze &, const AlertSnooze &) = default;
};

/// The alerts of one server for an operator: open ones first, worst and then oldest; then ended ones, latest
/// first. Remembers acknowledged and snoozed alerts, which are not notified again; an acknowledgment lasts
/// until the alert ends. Pure: times are parameters, steady clock and epoch ms. Bounded.
class AlertList
{
public:
    static constexpr qsizetype maxEnded =
        200; ///< the oldest ended ones are dropped; same limit for open resets
    static constexpr qsizetype maxSnoozes = 100;
    static constexpr qsizetype maxSteps = 50;
    static constexpr std::chrono::hours longestSnooze{
        24}; ///< also for one until the alert ends, whose end may be missed

    enum class End : quint8 {
        Over,      ///< its condition was seen to end
        Unwatched, ///< its lock is not watched any more: its state is unknown
        RulesChanged,
    };

    struct Entry
    {
        Alert alert;
        QByteArray subject;
        QByteArray sameHold; ///< subject and owners, unless the alert outlasts them
        qint64 raisedMs = 0; ///< epoch ms
        qint64 endedMs = 0;  ///< epoch ms; 0: open
        End end = End::Over;
        qint64 acknowledgedMs = 0;            ///< epoch ms; 0: not acknowledged
        std::optional<qint64> snoozedUntilMs; ///< epoch ms, or AlertSnooze::untilItEnds

        bool isOpen() const { return endedMs == 0 || (alert.isMoment() && acknowledgedMs == 0); }
        bool isQuiet() const { return !isOpen() || acknowledgedMs != 0 || snoozedUntilMs; }
    };

    /// Alerts to notify of now, or no more.
    struct Notice
    {
        enum class What : quint8 { Tell, Withdraw };
        What what = What::Tell;
        Alert alert;
    };

    /// `snoozes`: of earlier runs.
    explicit AlertList(const QList<AlertSnooze> &snoozes = {}) : m_snoozes(snoozes) {}

    /// `endOf`: why an alert ends now; empty: its condition is over.
    void take(const QList<AlertWatch::Change> &changes, TimePoint now, qint64 nowMs,
              const std::function<End(const Alert &)> &endOf = {});
    /// Ends expired snoozes.
    void advance(qint64 nowMs);

    // Each call is one step for undo(), and has no effect without changes.
    void acknowledge(const QList<quint64> &numbers, qint64 nowMs);
    // False: beyond maxSnoozes, nothing is snoozed. `untilMs`: epoch ms, or AlertSnooze::untilItEnds.
    bool snooze(const QList<quint64> &numbers, qint64 untilMs, qint64 nowMs);
    bool snoozeRule(AlertKind kind, qint64 untilMs, qint64 nowMs);
    bool snoozeLock(const LockKey &key, qint64 untilMs, qint64 nowMs);

    /// Undoes the last step that still has an effect.
    void undo(qint64 nowMs);
    bool canUndo() const { return !m_steps.isEmpty(); }
    void unacknowledge(const QList<quint64> &numbers, qint64 nowMs);
    void endSnoozes(const QList<AlertSnooze> &snoozes, qint64 nowMs);

    const QList<AlertSnooze> &snoozes() const { return m_snoozes; }

    QList<Entry> entries() const;
    /// Valid until the next change. nullptr: dropped or unknown.
    const Entry *find(quint64 number) const;
    int open() const;
    int unattended() const; ///< open, neither acknowledged nor snoozed

    QList<Notice> takeNotices() { return std::exchange(m_notices, {}); }

private:
    struct Step
    {
        QHash<quint64, qint64> acknowledged;
        QList<AlertSnooze> snoozes;
    };

    bool add(const QList<AlertSnooze> &snoozes);
    void keep(const Step &step);
    void dropEnded();
    void dropSnoozes(qint64 nowMs);
    void settle();

    QHash<quint64, Entry> m_entries;
    QList<AlertSnooze> m_snoozes;
    QList<Step> m_steps; ///< last one at the end
    QSet<quint64> m_told;
    QList<Notice> m_notices;
};

} // namespace lockscope
