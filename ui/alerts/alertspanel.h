// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/alerts/alertmodel.h"
#include "ui/widgets/pagepanel.h"

#include <QTimer>

#include <functional>

class QAction;
class QLabel;
class QMenu;
class QTableView;
class QToolButton;

namespace lockscope {

class AlertController;
class KindsMenu;

/// The alerts of a server: open ones by severity, then ended ones, with actions to acknowledge, snooze or
/// open the lock. Updates only while visible.
class AlertsPanel : public PagePanel
{
    Q_OBJECT

public:
    /// `rules` opens the rules dialog. Both must outlive this.
    AlertsPanel(AlertController &alerts, QAction &rules, QWidget *parent = nullptr);

    const AlertModel &model() const { return m_model; }
    QTableView &table() { return *m_table; }
    /// Selects an alert and shows its kind; does nothing if it is gone.
    void reveal(quint64 number);
    void focusContents() override;

signals:
    void chosen(const lockscope::LockKey &key);
    /// Emitted if the alert has no single lock.
    void noLock();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void buildHead(QAction &rules);
    void buildTable();
    void buildKinds();
    void fitColumns();
    QAction *addTableAction(const QString &text, const QKeySequence &key, const std::function<void()> &act);
    void follow();
    void showState();
    QString textOfNone() const;
    void updateActions();
    void showEvidence();
    QList<quint64> selected() const;
    void open(const QModelIndex &index);
    void fillSnoozes(QMenu &menu);
    void addDurations(QMenu &menu, const std::function<void(milliseconds)> &snooze);
    void showMenu(const QPoint &position);

    AlertController &m_alerts;
    AlertModel m_model;
    QToolButton *m_undo;
    QToolButton *m_acknowledge;
    QToolButton *m_snooze;
    QMenu *m_snoozeMenu;
    QToolButton *m_kinds;
    KindsMenu *m_kindsMenu;
    QTableView *m_table;
    QLabel *m_evidence;
    QAction *m_open;
    QAction *m_acknowledgeAction;
    QAction *m_undoAction;
    QTimer m_ticking;
};

} // namespace lockscope
