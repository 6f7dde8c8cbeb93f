// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertdesktop.h"

#include "ui/alerts/alerttext.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Alerts within this time are counted together.
constexpr std::chrono::milliseconds togetherTime{50};
constexpr std::chrono::seconds othersPace{1};

} // namespace

AlertDesktop::AlertDesktop(DesktopNotifications &desktop) : QObject(&desktop), m_desktop(desktop)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(togetherTime);
    m_pace.setInterval(othersPace);
    for (const QTimer *timer : {&m_soon, &m_pace})
        connect(timer, &QTimer::timeout, this, &AlertDesktop::flush);
    connect(&m_desktop, &DesktopNotifications::opened, this, [this](quint64 handle) {
        const QSet<quint64> &others = m_notices.others();
        if (handle != m_others)
            emit opened(handle, false);
        else if (!others.isEmpty())
            emit opened(*std::ranges::max_element(others), true);
    });
}

AlertDesktop &AlertDesktop::of(DesktopNotifications &desktop)
{
    auto *own = desktop.findChild<AlertDesktop *>({}, Qt::FindDirectChildrenOnly);
    return own ? *own : *new AlertDesktop(desktop);
}

void AlertDesktop::tell(Handle handle, const DesktopNotification &note, const QString &server)
{
    m_told.insert(handle, {note, server});
    m_notices.tell(handle, Clock::now());
    m_soon.start();
}

void AlertDesktop::withdraw(Handle handle)
{
    if (!m_told.remove(handle))
        return;
    m_notices.withdraw(handle);
    m_soon.start();
}

void AlertDesktop::flush()
{
    m_soon.stop();
    for (const AlertNotices::Order &order : m_notices.takeOrders(Clock::now()))
        carryOut(order);
    // Their number may have to wait.
    if (m_notices.others().isEmpty())
        m_pace.stop();
    else if (!m_pace.isActive())
        m_pace.start();
}

void AlertDesktop::carryOut(const AlertNotices::Order &order)
{
    using What = AlertNotices::Order::What;
    const auto told = m_told.constFind(order.number);
    if (order.what == What::Close) {
        m_desktop.close(order.number);
    } else if (order.what == What::Show) {
        if (told != m_told.cend())
            m_desktop.show(order.number, told->note);
    } else if (order.others == 0) {
        m_desktop.close(std::exchange(m_others, 0));
    } else {
        if (m_others == 0) // after those that are told one by one
            m_others = m_desktop.newHandle();
        const DesktopNotification note = noteOfOthers(order.others, serversOfOthers());
        order.isQuiet ? m_desktop.update(m_others, note) : m_desktop.show(m_others, note);
    }
}

QStringList AlertDesktop::serversOfOthers() const
{
    QStringList servers;
    for (const Handle handle : m_notices.others())
        servers.append(m_told.value(handle).server);
    servers.sort();
    servers.removeDuplicates();
    return servers;
}

} // namespace lockscope
