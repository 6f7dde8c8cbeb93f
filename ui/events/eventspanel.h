// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/events/eventexport.h"
#include "ui/events/eventmodel.h"
#include "ui/widgets/pagepanel.h"

#include <optional>

class QLineEdit;
class QToolButton;

namespace lockscope {

class EventTable;
class KindsMenu;

/// The events of all locks and of the monitoring, newest first, from the event log. Follows the log only
/// while visible.
class EventsPanel : public PagePanel
{
    Q_OBJECT

public:
    /// Both must outlive this.
    EventsPanel(const EventLog &log, const OwnerNames &names, QWidget *parent = nullptr);

    /// Sets the lock chosen in another panel.
    void showChosen(const std::optional<LockKey> &key);
    /// Limits the events to a time chosen in another panel, epoch ms; nullopt: any.
    void showTime(const std::optional<TimeRange> &time);
    const EventModel &model() const { return m_model; }
    const EventFilter &filter() const { return m_filter; }
    /// Returns the events as shown, or as they would be if visible. `server`: the user's name.
    EventExport exported(const QString &server);

signals:
    void chosen(const lockscope::LockKey &key);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void buildTable();
    void buildHead();
    void buildKinds();
    void fitRows();
    void refilter();
    void showState();
    QString timeWords() const;
    void choose(const QModelIndex &index);
    void showMenu(const QPoint &position);

    const EventLog &m_log;
    const OwnerNames &m_names;
    EventModel m_model;
    EventFilter m_filter;
    std::optional<LockKey> m_told;   ///< chosen in another panel
    std::optional<LockKey> m_chosen; ///< chosen last, there or here; may be gone

    QToolButton *m_newest; ///< scrolls to the top
    QToolButton *m_onlyChosen;
    QToolButton *m_kinds;
    KindsMenu *m_kindsMenu;
    QLineEdit *m_words;
    EventTable *m_table;
};

} // namespace lockscope
