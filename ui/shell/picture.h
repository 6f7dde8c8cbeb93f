// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "core/watch/eventlog.h"
#include "core/watch/heldchanges.h"
#include "core/watch/watchsource.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockscope {

class LocksPage;

/// What is shown of a watch, in the table and in all that follows it: the locks, their events and their history. The watch goes on
/// whatever is shown of it.
class Picture : public QObject
{
    Q_OBJECT

public:
    /// In words, and what `source` is called; both for the list of events.
    struct Words
    {
        std::function<QStringList(const Deadlock &)> cycle;
        QString server;
    };

    /// `source` and `locks` must outlive this.
    Picture(const WatchSource &source, LocksPage &locks, Words words, QObject *parent);

    const EventLog &log() const { return m_log; }
    /// Also of the time while the picture is held still.
    const LockHistory &history() const { return m_history; }
    /// As far as they are shown.
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    QStringList cycleText(const Deadlock &deadlock) const { return m_words.cycle(deadlock); }
    /// The moment of which all of what is shown was true; nullopt: that is not known of any.
    virtual std::optional<TimePoint> at() const { return m_source.watched().confirmedAt(); }
    /// How long ago that was.
    std::optional<milliseconds> age() const;
    /// What is told at this moment is not shown at once.
    virtual bool isHeld() const = 0;

signals:
    void changing(); ///< the table is about to be another
    void changed();
    /// What is shown is of another time, or current again, or no longer.
    void timeChanged(bool isStale);
    void deadlocksChanged();

protected:
    virtual void take(const WatchEvent &event);
    virtual void hold(const LockDiff &diff);
    virtual void addMoment(const Moment &moment);
    void show(const LockDiff &diff, const QList<Moment> &moments = {});
    /// What has come together since something was shown last.
    void showHeld();
    void showDeadlocks(const QList<Deadlock> &deadlocks);
    milliseconds ageOf(TimePoint at) const;

    const WatchSource &m_source;
    LocksPage &m_locks;
    EventLog m_log;
    LockHistory m_history;
    HeldChanges m_held;

private:
    const Words m_words;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
