// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/waitermodel.h"

#include <QWidget>

#include <utility>

#include <optional>

class QLabel;
class QTableView;

namespace lockscope {

/// The waiters of the chosen lock: their number, its certainty, and the wait queue if there is one.
class WaitersView : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    WaitersView(const DisplayClock &clock, const OwnerNames &names, QWidget *parent = nullptr);

    /// `ownersWait`: a sentence on what the owner waits for.
    void showLock(const Lock &lock, const QString &ownersWait);
    /// Returns the chosen dead waiter, or the first one.
    std::optional<Waiter> deadOne() const;
    QList<std::pair<QString, QString>> rows() const;

private:
    WaiterModel m_model;
    QLabel *m_title;
    QLabel *m_summary;
    QLabel *m_ownersWait;
    QTableView *m_table;
};

} // namespace lockscope
