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

/// What a page's window does for its alerts: their number on the command that shows the panel, the dialog of their rules, and what
/// the desktop asks for.
class AlertCommands : public QObject
{
    Q_OBJECT

public:
    /// All that are known, as they are now.
    using AllLocks = std::function<QList<WatchedLock>()>;

    /// `show`: the command that shows the panel; it is as it was when this has gone. All must outlive this.
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
