// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/waitermodel.h"

#include <QWidget>

#include <utility>

#include <optional>

class QAction;
class QLabel;
class QTableView;
class QToolButton;

namespace lockscope {

/// Those who wait for the chosen lock: how many, how far that can be trusted, and where there is a queue each of them.
class WaitersView : public QWidget
{
    Q_OBJECT

public:
    /// `wake` is shown where the lock is gone, `remove` where one of them is dead. All must outlive this.
    WaitersView(const DisplayClock &clock, const OwnerNames &names, QAction *wake, QAction *remove,
                QWidget *parent = nullptr);

    /// `ownersWait`: what is known of the owner's own waiting.
    void showLock(const Lock &lock, const QString &ownersWait);
    /// The dead one to remove: the chosen one, or else the first.
    std::optional<Waiter> deadOne() const;
    /// What is shown, as names and values.
    QList<std::pair<QString, QString>> rows() const;

private:
    WaiterModel m_model;
    QLabel *m_title;
    QLabel *m_summary;
    QLabel *m_ownersWait;
    QTableView *m_table;
    QToolButton *m_wake;
    QToolButton *m_remove;
};

} // namespace lockscope
