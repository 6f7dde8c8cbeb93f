// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertnotices.h"
#include "ui/alerts/desktopnotifications.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace lockscope {

/// Tells the desktop of alerts, for all pages of the program together: a few a minute one by one, the others as a number.
class AlertDesktop : public QObject
{
    Q_OBJECT

public:
    using Handle = DesktopNotifications::Handle;

    /// The one of `desktop`, with which it ends.
    static AlertDesktop &of(DesktopNotifications &desktop);

    Handle newHandle() { return m_desktop.newHandle(); }
    /// In a moment, or as one of a number. `server`: what the user calls it.
    void tell(Handle handle, const DesktopNote &note, const QString &server);
    /// Likewise.
    void withdraw(Handle handle);
    /// Does at once what is to be done in a moment.
    void flush();

signals:
    /// By the user, who clicked on it. `isOfMany`: on the number, of which it is the last.
    void opened(quint64 handle, bool isOfMany);

private:
    struct Told
    {
        DesktopNote note;
        QString server;
    };

    explicit AlertDesktop(DesktopNotifications &desktop);
    void carryOut(const AlertNotices::Order &order);
    QStringList serversOfOthers() const;

    DesktopNotifications &m_desktop;
    AlertNotices m_notices;
    QHash<Handle, Told> m_told;
    Handle m_others = 0; ///< of the number; 0: none is shown
    QTimer m_soon;
    QTimer m_pace;
};

} // namespace lockscope
