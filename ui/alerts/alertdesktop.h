// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertnotices.h"
#include "ui/alerts/desktopnotifications.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace lockscope {

/// Sends alerts of all pages to the desktop: a few per minute singly, the others as a number.
class AlertDesktop : public QObject
{
    Q_OBJECT

public:
    using Handle = DesktopNotifications::Handle;

    /// Returns the instance of `desktop`, which owns it.
    static AlertDesktop &of(DesktopNotifications &desktop);

    Handle newHandle() { return m_desktop.newHandle(); }
    /// Queues a notification, shown singly or counted. `server`: the user's name.
    void tell(Handle handle, const DesktopNotification &note, const QString &server);
    void withdraw(Handle handle);
    void flush();

signals:
    /// A click on a notification. `isOfMany`: on the number, with the last of its alerts.
    void opened(quint64 handle, bool isOfMany);

private:
    struct Told
    {
        DesktopNotification note;
        QString server;
    };

    explicit AlertDesktop(DesktopNotifications &desktop);
    void carryOut(const AlertNotices::Order &order);
    QStringList serversOfOthers() const;

    DesktopNotifications &m_desktop;
    AlertNotices m_notices;
    QHash<Handle, Told> m_told;
    Handle m_others = 0; ///< handle of the number; 0: not shown
    QTimer m_soon;
    QTimer m_pace;
};

} // namespace lockscope
