// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/table/displayclock.h"
#include "core/table/ownernames.h"
#include "core/watch/holdtimes.h"
#include "core/watch/leasetrace.h"
#include "ui/events/eventmodel.h"
#include "ui/widgets/incidentsummary.h"

#include <QWidget>

#include <optional>

class QBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace lockscope {

class MainActions;
class LeaseBar;
class LeaseSparkline;
class LockDetails;
class Overview;
class WaitersView;
struct HoldVerdict;

/// Everything known about the chosen lock, and the actions on it. Keeps the last state of a lock that is
/// gone. Does nothing while hidden.
class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    /// All references must outlive this.
    InspectorPanel(const EventLog &log, const HoldTimes &holds, const DisplayClock &clock,
                   MainActions &commands, const OwnerNames &names, QWidget *parent = nullptr);

    /// Sets the chosen key (nullopt: none) and its lock (nullptr: gone). `ownersWait`: a sentence on what its
    /// owner waits for. `deadlock`: a line per owner of the lock's deadlock.
    void present(const std::optional<LockKey> &key, const WatchedLock *lock, const QString &ownersWait = {},
                 const QStringList &deadlock = {});
    /// Returns the shown lock as last read; it may be gone.
    const std::optional<WatchedLock> &lastRead() const { return m_lock; }
    /// Sets the page without a chosen lock.
    void setOverview(Overview *overview);
    LockDetails &details() { return *m_facts; }
    /// Call when time has passed.
    void tick();
    void focusContents();
    /// Returns a summary of the shown lock, which may be gone; nullopt: none. `server`: the user's name.
    std::optional<IncidentSummary> summary(const QString &server);
    /// Returns the dead waiter to remove: the chosen one, or the first.
    std::optional<Waiter> deadWaiter() const;

signals:
    void overviewWanted();

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildContents();
    void buildHeader(QVBoxLayout &layout);
    void buildFacts(QVBoxLayout &layout);
    void buildEvents(QVBoxLayout &layout);
    QWidget *buildActions();
    void refresh();
    void showLock();
    void fitRows();
    QString howItEnded() const;
    void showTime();
    void showProblems();
    void showTrace(const DisplayTime &time);
    void showRemedies(bool isLock, const HoldVerdict &verdict);

    const EventLog &m_log;
    const HoldTimes &m_holdTimes;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    MainActions &m_commands;
    EventModel m_events;

    std::optional<LockKey> m_key;
    std::optional<LockKey> m_followed; ///< by events and trace
    std::optional<WatchedLock> m_lock; ///< last known state
    QString m_ownersWait;
    QStringList m_deadlock;
    LeaseTrace m_trace;
    bool m_gone = false;
    bool m_isDue = false; ///< has unshown changes: the panel is hidden

    QStackedWidget *m_stack = nullptr;
    Overview *m_overview = nullptr;
    QWidget *m_contents = nullptr;
    QLabel *m_stateGlyph = nullptr;
    QLabel *m_state = nullptr;
    QLabel *m_keyText = nullptr;
    QLabel *m_ttl = nullptr;
    LeaseBar *m_bar = nullptr;
    LeaseSparkline *m_sparkline = nullptr;
    QLabel *m_liveness = nullptr;
    QLabel *m_problems = nullptr;
    QToolButton *m_forceNow = nullptr;
    QToolButton *m_removeDead = nullptr;
    QToolButton *m_wake = nullptr;
    LockDetails *m_facts = nullptr;
    WaitersView *m_waiters = nullptr;
    QToolButton *m_naming = nullptr; ///< if owner IDs carry their process
    QToolButton *m_rules = nullptr;  ///< if only the user knows the family
    QTableView *m_eventTable = nullptr;
    QBoxLayout *m_copies = nullptr;
    QBoxLayout *m_steps = nullptr;
    QLabel *m_releaseEffect = nullptr;
    QLabel *m_extendEffect = nullptr;
    QLabel *m_forceEffect = nullptr;
    int m_shownState = -1;
    TimePoint m_timeShownAt;
};

} // namespace lockscope
