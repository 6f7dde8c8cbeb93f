// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/locktablemodel.h"
#include "ui/locks/timedcells.h"
#include "ui/locks/viewclock.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace lockscope {

class EmptyState;
class FilterChip;
class HiddenLine;
class LockDelegate;
class LockHeader;

/// The table of locks with its filter bar. Remembers the chosen lock by its key: a lock that goes and comes
/// back is chosen still.
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
    const ViewClock &clock() const { return m_clock; }
    const LockTableModel &model() const { return m_model; }

    const std::optional<LockKey> &chosen() const { return m_chosen; }
    const WatchedLock *chosenLock() const; ///< nullptr: none, or gone
    QString rowText() const;               ///< of the chosen lock, tab-separated
    /// Chooses a lock, shown or not.
    void choose(const LockKey &key);

    void focusTable();
    void focusFilter();
    /// Clears the filter; where there is none, the selection.
    void clear();

    EmptyState &emptyState() { return *m_empty; }
    /// Whether emptyState() stands in the table's place while no lock is known.
    void setNothingFound(bool nothing);

    QByteArray headerState() const;
    void restoreHeader(const QByteArray &state);

signals:
    void chosenChanged();
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

private:
    void buildFilterBar(QHBoxLayout &bar);
    void buildTable();
    void takeFilterText();
    void toggleChip(int chip, bool on);
    void takeRow(const QModelIndex &index);
    void reselect();
    void keepPlace();
    void refreshCounts();
    void fitChips();
    void refreshEmptiness();
    void tick();
    QList<LockKey> keysInSight() const;
    void tellSight(const QList<LockKey> &keys);

    ViewClock m_clock;
    LockTableModel m_model;
    LockDelegate *m_delegate;
    QTableView *m_table;
    TimedCells m_timedCells;
    LockHeader *m_header;
    QLineEdit *m_filter;
    QLabel *m_filterMessage;
    std::array<FilterChip *, 5> m_chips{};
    QStackedWidget *m_stack;
    HiddenLine *m_hidden;
    EmptyState *m_empty;
    EmptyState *m_noMatch;
    bool m_nothingFound = false;

    std::optional<LockKey> m_chosen;
    QList<LockKey> m_inSight; ///< as told last
    QPersistentModelIndex m_topRow;
    QTimer m_timer;
    TimePoint m_countedAt;
};

} // namespace lockscope
