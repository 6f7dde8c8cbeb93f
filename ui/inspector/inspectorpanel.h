// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/diff.h"
#include "ui/inspector/eventmodel.h"
#include "ui/inspector/eventstore.h"
#include "ui/locks/viewclock.h"

#include <QWidget>

#include <optional>

class QLabel;
class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace lockscope {

class Commands;
class FactGrid;
class LeaseBar;

/// Everything that is known of the chosen lock, in words, and what can be done with it. Keeps showing the
/// last state of a lock that is gone.
class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    InspectorPanel(const ViewClock &clock, Commands &commands, QWidget *parent = nullptr);

    /// New events of any lock.
    void record(const QList<LockEvent> &events);
    /// The chosen key and its lock, nullptr where it is gone; nullopt: nothing is chosen.
    void present(const std::optional<LockKey> &key, const WatchedLock *lock);
    /// Time has passed.
    void tick();
    void focusContents();

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *buildContents();
    void buildHeader(QVBoxLayout &layout);
    void buildFacts(QVBoxLayout &layout);
    void buildEvents(QVBoxLayout &layout);
    QWidget *buildActions();
    void showLock();
    void showTime();
    void showProblems();

    const ViewClock &m_clock;
    Commands &m_commands;
    EventStore m_store;
    EventModel m_events;

    std::optional<LockKey> m_key;
    std::optional<WatchedLock> m_lock; ///< the last one seen
    bool m_gone = false;

    QStackedWidget *m_stack = nullptr;
    QWidget *m_nothing = nullptr;
    QWidget *m_contents = nullptr;
    QLabel *m_stateGlyph = nullptr;
    QLabel *m_state = nullptr;
    QLabel *m_keyText = nullptr;
    QLabel *m_ttl = nullptr;
    LeaseBar *m_bar = nullptr;
    QLabel *m_liveness = nullptr;
    QLabel *m_problems = nullptr;
    FactGrid *m_facts = nullptr;
    QLabel *m_owners = nullptr;
    QLabel *m_held = nullptr;
    QLabel *m_renewals = nullptr;
    QLabel *m_deadline = nullptr;
    QLabel *m_lease = nullptr;
    QLabel *m_family = nullptr;
    QLabel *m_place = nullptr;
    QTableView *m_eventTable = nullptr;
    QLabel *m_releaseEffect = nullptr;
    QLabel *m_extendEffect = nullptr;
    QLabel *m_forceEffect = nullptr;
    int m_shownState = -1;
    TimePoint m_timeShownAt;
};

} // namespace lockscope
