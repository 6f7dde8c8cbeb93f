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

/// What happened to all locks and to the watching, newest first, as far as the event log has it. Follows the log only while
/// it is visible.
class EventsPanel : public PagePanel
{
    Q_OBJECT

public:
    /// Both must outlive this.
    EventsPanel(const EventLog &log, const OwnerNames &names, QWidget *parent = nullptr);

    /// The lock that is chosen elsewhere.
    void showChosen(const std::optional<LockKey> &key);
    /// Events of a time that is chosen elsewhere alone, epoch ms; nullopt: of any.
    void showTime(const std::optional<TimeRange> &time);
    const EventModel &model() const { return m_model; }
    const EventFilter &filter() const { return m_filter; }
    /// What the panel shows at this moment, or would show if it were visible. `server`: what the user calls it.
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
    std::optional<LockKey> m_told;   ///< what is chosen elsewhere
    std::optional<LockKey> m_chosen; ///< the last one, there or here, which may be gone

    QToolButton *m_newest; ///< leads back to the top
    QToolButton *m_onlyChosen;
    QToolButton *m_kinds;
    KindsMenu *m_kindsMenu;
    QLineEdit *m_words;
    EventTable *m_table;
};

} // namespace lockscope
