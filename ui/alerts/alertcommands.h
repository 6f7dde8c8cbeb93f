// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>
#include <QObject>

#include <functional>

class QAction;
class QWidget;

namespace lockscope {

class AlertController;
class AlertsPanel;

/// Connects a page's alerts to its window: their number on the panel's command, the rules dialog and clicks
/// on notifications.
class AlertCommands : public QObject
{
    Q_OBJECT

public:
    using AllLocks = std::function<QList<WatchedLock>()>;

    /// `show`: the command of the panel; restored by the destructor. All must outlive this.
    AlertCommands(AlertController &alerts, AlertsPanel &panel, QAction &show, QWidget *page);

    void editRules(const AllLocks &locks);

signals:
    void flashed(const QString &text);
    void lockWanted(const lockscope::LockKey &key);
    void panelWanted();

private:
    void showCount();
    void open(quint64 number);

    AlertController &m_alerts;
    AlertsPanel &m_panel;
    QAction &m_show;
    QWidget *m_page;
};

} // namespace lockscope
