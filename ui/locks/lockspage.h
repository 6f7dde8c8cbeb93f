// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/countdowncells.h"
#include "ui/locks/lockexport.h"
#include "ui/locks/locktablemodel.h"
#include "ui/widgets/displayclock.h"

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
class PlaceKeeper;

/// The table of locks with its filter bar. What is chosen is the selected row, or a lock that was one and is gone.
class LocksPage : public QWidget
{
    Q_OBJECT

public:
    /// `names` must outlive this.
    explicit LocksPage(const OwnerNames &names = OwnerNames::none(), QWidget *parent = nullptr);
    ~LocksPage() override;

    void apply(const LockDiff &diff);
    /// Time stands still at `at` (data of an age) or runs.
    void setStale(std::optional<TimePoint> at);
    /// Time stands still because the user wants it: what was true then is shown as it was.
    void holdAt(TimePoint at);
    /// The present is a moment of a recording. `staleSince`: what is shown is only known to have been so then.
    void replay(TimePoint at, qint64 wallMs, std::optional<TimePoint> staleSince)
    {
        m_clock.replay(at, wallMs);
        setStale(staleSince);
        tick();
    }
    /// After a jump in it.
    void restartWaits() { m_model.restartWaits(); }
    /// Which node each lock is on, and which of them are not heard at the moment.
    void setCluster(const ClusterStatus &cluster);
    const DisplayClock &clock() const { return m_clock; }
    const LockTableModel &model() const { return m_model; }
    void setHoldTimes(const HoldTimes &holds) { m_model.setHoldTimes(holds); }
    void followHoldTimes() { m_model.followHoldTimes(); }

    const std::optional<LockKey> &chosen() const;
    const WatchedLock *chosenLock() const; ///< nullptr: none, or gone
    /// The lock that was chosen until it was hidden, while it is.
    const std::optional<LockKey> &hiddenChoice() const;
    /// The locks of the selected rows, in the table's order; the chosen one is among them while it is there.
    QList<LockKey> selected() const;
    qsizetype selectedCount() const;
    QString rowsText() const; ///< of the selected locks: a line each, tab-separated
    /// What the table shows now, or of that what is selected. `age`: of the data.
    LockExport exported(const QString &server, bool isSelection, std::optional<milliseconds> age) const;
    /// Chooses a lock; where the filter hides it, without the filter, since only what is shown is chosen.
    void choose(const LockKey &key);
    void chooseNothing();

    void setCompact(bool compact);
    /// Opens the menu of columns below their header.
    void chooseColumns();
    /// Its shortcut works while the table has the keyboard.
    void addTableAction(QAction *action);
    void focusTable();
    void focusFilter();
    /// Adds menus that filter by the cells of the chosen lock, or filter them out; that of the current cell comes first.
    void fillFilterMenu(QMenu &menu);
    /// Filters that were applied are kept for the user, and there is a menu of them.
    void keepFilters();
    void openFilterMenu();
    /// Shows those of them alone, besides what is typed: of a time or an owner chosen elsewhere. Without a text: all again.
    void setTimeFilter(const QString &time, const QSet<LockKey> &locks);
    /// Clears the filter; where there is none, the selection.
    void clear();

    /// The page has come to stand so many pixels further down: rows under the mouse hold still.
    void follow(int pixelsDown);

    EmptyState &emptyState() { return *m_empty; }
    /// Whether emptyState() stands in the table's place while no lock is known.
    void setNothingFound(bool nothing);

signals:
    void timeFilterRemoved(); ///< by the user
    void chosenChanged();     ///< chosen() or hiddenChoice()
    void selectionChanged();  ///< selected()
    void selectionLimited();
    void activated(); ///< Enter or a double click on a lock
    void contextMenuWanted(const QPoint &globalPosition);
    /// Ten times a second while the page is visible and time runs.
    void ticked();
    /// The locks that can be seen, the chosen one first. At most ten times a second, and only where the list differs;
    /// empty while the page is hidden.
    void sightChanged(const QList<lockscope::LockKey> &keys);
    void counted(); ///< how many there are, or how many are shown, may have changed

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
    LockSelection *m_selection = nullptr; ///< made with the table
    PlaceKeeper *m_places = nullptr;      ///< the same
    CountdownCells m_timedCells;
    LockHeader *m_header;
    LockFilterBar *m_filterBar;
    QStackedWidget *m_stack;
    HiddenLine *m_hidden;
    EmptyState *m_empty;
    EmptyState *m_noMatch;
    bool m_nothingFound = false;

    QList<LockKey> m_inSight; ///< as told last
    QTimer m_timer;
    TimePoint m_countedAt;
};

} // namespace lockscope
