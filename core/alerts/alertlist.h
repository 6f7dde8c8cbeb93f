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

/// What the user does not want to be told of for a time. Its alerts stay in the list.
struct AlertSnooze
{
    enum class Of : quint8 {
        Alert, ///< of this rule and this lock or server
        Rule,  ///< all alerts of the rule
        Lock,  ///< all alerts of the lock
    };
    static constexpr qint64 untilItEnds = 0;

    Of of = Of::Alert;
    AlertKind kind = AlertKind::NoExpiry; ///< Alert, Rule
    LockKey key{};                        ///< Alert, Lock
    QByteArray subject{};                 ///< Alert: a digest of what it is raised for
    qint64 untilMs = untilItEnds;         ///< epoch ms; untilItEnds: of Alert alone
    qint64 madeMs = 0;                    ///< epoch ms

    friend bool operator==(const AlertSnooze &, const AlertSnooze &) = default;
};

/// The alerts of one server for somebody who attends to them: open ones first, the worst and then the oldest before others, then the last that
/// ended. Remembers who was attended to: an alert that is acknowledged or snoozed is quiet, which means that nobody is told of it again. What
/// is acknowledged is so until it ends. Pure: time is given, of the steady clock and of the wall in epoch ms. Bounded.
class AlertList
{
public:
    static constexpr qsizetype mostEnded =
        200; ///< the oldest end is dropped; likewise of resets that are open
    static constexpr qsizetype mostSnoozes = 100;
    static constexpr qsizetype mostSteps = 50;
    static constexpr std::chrono::hours longestSnooze{
        24}; ///< also of one until the alert ends, which may have done so unseen

    /// Why an alert is not open any more.
    enum class End : quint8 {
        Over,         ///< its condition was seen to be over
        Unwatched,    ///< its lock is not watched any more: what is of it is unknown
        RulesChanged, ///< by the user
    };

    struct Entry
    {
        Alert alert;
        QByteArray subject;  ///< as AlertSnooze::subject
        QByteArray sameHold; ///< the same, of these owners alone, unless it outlasts them
        qint64 raisedMs = 0; ///< epoch ms
        qint64 endedMs = 0;  ///< likewise; 0: it goes on
        End end = End::Over;
        qint64 acknowledgedMs = 0;            ///< likewise; 0: it is not
        std::optional<qint64> snoozedUntilMs; ///< or AlertSnooze::untilItEnds

        bool isOpen() const { return endedMs == 0 || (alert.isMoment() && acknowledgedMs == 0); }
        bool isQuiet() const { return !isOpen() || acknowledgedMs != 0 || snoozedUntilMs; }
    };

    /// Of whom somebody should be told now, or no more.
    struct Notice
    {
        enum class What : quint8 { Tell, Withdraw };
        What what = What::Tell;
        Alert alert;
    };

    /// Those that were made before, in an earlier run.
    explicit AlertList(const QList<AlertSnooze> &snoozes = {}) : m_snoozes(snoozes) {}

    /// `endOf`: why an alert that ends now does; empty: its condition is over.
    void take(const QList<AlertWatch::Change> &changes, TimePoint now, qint64 nowMs,
              const std::function<End(const Alert &)> &endOf = {});
    /// Ends the snoozes whose time is up.
    void advance(qint64 nowMs);

    // Each of these is one step for undo(), and does nothing where nothing would change.
    void acknowledge(const QList<quint64> &numbers, qint64 nowMs);
    // False: there would be more than mostSnoozes, and nothing is snoozed. `untilMs`: epoch ms, or AlertSnooze::untilItEnds.
    bool snooze(const QList<quint64> &numbers, qint64 untilMs, qint64 nowMs);
    bool snoozeRule(AlertKind kind, qint64 untilMs, qint64 nowMs);
    bool snoozeLock(const LockKey &key, qint64 untilMs, qint64 nowMs);

    /// Takes back the last step of which something is left.
    void undo(qint64 nowMs);
    bool canUndo() const { return !m_steps.isEmpty(); }
    /// Nobody has attended to them.
    void unacknowledge(const QList<quint64> &numbers, qint64 nowMs);
    void endSnoozes(const QList<AlertSnooze> &snoozes, qint64 nowMs);

    const QList<AlertSnooze> &snoozes() const { return m_snoozes; }

    /// In their order.
    QList<Entry> entries() const;
    /// nullptr: dropped, or never there. Until the next change.
    const Entry *find(quint64 number) const;
    int open() const;
    int unattended() const; ///< open, and neither acknowledged nor snoozed

    QList<Notice> takeNotices() { return std::exchange(m_notices, {}); }

private:
    /// What undo() takes back.
    struct Step
    {
        QHash<quint64, qint64> acknowledged; ///< when
        QList<AlertSnooze> snoozes;
    };

    bool add(const QList<AlertSnooze> &snoozes);
    void keep(const Step &step);
    void dropEnded();
    void dropSnoozes(qint64 nowMs);
    void settle();

    QHash<quint64, Entry> m_entries;
    QList<AlertSnooze> m_snoozes;
    QList<Step> m_steps; ///< the last one at the end
    QSet<quint64> m_told;
    QList<Notice> m_notices;
};

} // namespace lockscope
