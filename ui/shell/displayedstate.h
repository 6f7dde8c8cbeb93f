// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "core/watch/eventlog.h"
#include "core/watch/monitorsource.h"
#include "core/watch/pausedchanges.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockscope {

class LocksPage;

/// The shown state of a watch: the locks in the table, their events and their history. The watch goes on
/// whatever is shown.
class DisplayedState : public QObject
{
    Q_OBJECT

public:
    struct Words
    {
        std::function<QStringList(const Deadlock &)> cycle;
        QString server;
    };

    /// `source` and `locks` must outlive this.
    DisplayedState(const MonitorSource &source, LocksPage &locks, Words words, QObject *parent);

    const EventLog &log() const { return m_log; }
    /// The history, including the time while the picture is held.
    const LockHistory &history() const { return m_history; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    QStringList cycleText(const Deadlock &deadlock) const { return m_words.cycle(deadlock); }
    /// Returns the moment at which all shown data was true; nullopt if unknown.
    virtual std::optional<TimePoint> at() const { return m_source.watched().confirmedAt(); }
    /// Returns the age of the shown data; nullopt if unknown.
    std::optional<milliseconds> age() const;
    /// True while changes are collected and not shown at once.
    virtual bool isHeld() const = 0;

signals:
    void changing(); ///< before the table changes
    void changed();
    /// Emitted when the shown time became stale, paused or current.
    void timeChanged(bool isStale);
    void deadlocksChanged();

protected:
    virtual void take(const MonitorReport &event);
    virtual void hold(const LockDiff &diff);
    virtual void addMoment(const MonitorEvent &moment);
    void show(const LockDiff &diff, const QList<MonitorEvent> &moments = {});
    void showHeld();
    void showDeadlocks(const QList<Deadlock> &deadlocks);
    milliseconds ageOf(TimePoint at) const;

    const MonitorSource &m_source;
    LocksPage &m_locks;
    EventLog m_log;
    LockHistory m_history;
    PausedChanges m_held;

private:
    const Words m_words;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
