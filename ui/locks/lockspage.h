// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/displayclock.h"
#include "core/table/locktablemodel.h"
#include "ui/locks/countdowncells.h"
#include "ui/locks/lockexport.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;
class QMenu;
class QStackedWidget;
class QTableView;

namespace lockscope {

class EmptyState;
class HiddenLine;
class LockDelegate;
class LockFilterBar;
class LockHeader;
class LockSelection;
class OrderHold;

/// The table of locks with its filter bar. The chosen lock is the current row, or one that is gone.
class LocksPage : public QWidget
{
    Q_OBJECT

public:
    /// `names` must outlive this.
    explicit LocksPage(const OwnerNames &names = OwnerNames::none(), QWidget *parent = nullptr);
    ~LocksPage() override;

    void apply(const LockDiff &diff);
    /// Stops the clock at `at` because the data is stale; absent: lets it run.
    void setStale(std::optional<TimePoint> at);
    /// Stops the clock at the user's request: the locks are shown as they were at `at`.
    void holdAt(TimePoint at);
    /// Sets the present to a moment of a recording. `staleSince`: the data is only known for that moment.
    void replay(TimePoint at, qint64 wallMs, std::optional<TimePoint> staleSince)
    {
        m_clock.replay(at, wallMs);
        setStale(staleSince);
        tick();
    }
    void restartWaits() { m_model.restartWaits(); }
    void setCluster(const ClusterStatus &cluster);
    const DisplayClock &clock() const { return m_clock; }
    const LockTableModel &model() const { return m_model; }
    void setHoldTimes(const HoldTimes &holds) { m_model.setHoldTimes(holds); }
    void followHoldTimes() { m_model.followHoldTimes(); }

    const std::optional<LockKey> &chosen() const;
    const WatchedLock *chosenLock() const; ///< nullptr if none is chosen, or it is gone
    const std::optional<LockKey> &hiddenChoice() const;
    QList<LockKey> selected() const;
    qsizetype selectedCount() const;
    QString rowsText() const; ///< selected rows as tab-separated lines
    /// Returns the shown rows, or the selected ones. `age`: data age.
    LockExport exported(const QString &server, bool isSelection, std::optional<milliseconds> age) const;
    /// Chooses a lock; clears the filter if it hides that lock.
    void choose(const LockKey &key);
    void chooseNothing();

    void setCompact(bool compact);
    void chooseColumns();
    /// Adds an action whose shortcut works while the table has the focus.
    void addTableAction(QAction *action);
    void focusTable();
    void focusFilter();
    /// Adds menus that filter by cells of the chosen lock or exclude them; the current column comes first.
    void fillFilterMenu(QMenu &menu);
    void keepFilters();
    void openFilterMenu();
    void filterBy(const QString &term);
    /// Limits the table to these locks, chosen in another panel; an empty text removes the limit.
    void setTimeFilter(const QString &time, const QSet<LockKey> &locks);
    /// Clears the filter; without one, the selection.
    void clear();

    /// Adds a notice below the table, where it moves no row.
    void addNotice(QWidget *notice);

    EmptyState &emptyState() { return *m_empty; }
    /// If true, emptyState() replaces the table while no locks are known.
    void setNothingFound(bool nothing);

signals:
    void timeFilterRemoved();
    void chosenChanged();    ///< chosen() or hiddenChoice()
    void selectionChanged(); ///< selected()
    void selectionLimited();
    void activated(); ///< by Enter or a double click
    void contextMenuWanted(const QPoint &globalPosition);
    /// Emitted ten times a second while the page is visible.
    void ticked();
    /// The visible locks, the chosen one first; emitted on a change, at most ten times a second. Empty while
    /// the page is hidden.
    void sightChanged(const QList<lockscope::LockKey> &keys);
    void counted(); ///< number of known or shown locks may have changed

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildTable();
    void takeFilter();
    void goToFirstRow();
    void showMenuOfChosen();
    void refreshCounts();
    void fitColumns();
    void fitRows();
    void refreshEmptiness();
    void tick();
    QList<LockKey> keysInSight() const;
    void tellSight(const QList<LockKey> &keys);

    DisplayClock m_clock;
    LockTableModel m_model;
    LockDelegate *m_delegate;
    QTableView *m_table;
    LockSelection *m_selection = nullptr;
    OrderHold *m_hold = nullptr;
    CountdownCells m_timedCells;
    LockHeader *m_header;
    LockFilterBar *m_filterBar;
    QStackedWidget *m_stack;
    HiddenLine *m_hidden;
    EmptyState *m_empty;
    EmptyState *m_noMatch;
    bool m_nothingFound = false;

    QList<LockKey> m_inSight; ///< last emitted
    QTimer m_timer;
    TimePoint m_countedAt;
};

} // namespace lockscope
