// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertnotices.h"

namespace lockscope {

void AlertNotices::tell(quint64 number, TimePoint now)
{
    while (!m_shownAt.empty() && now - m_shownAt.front() >= window)
        m_shownAt.pop_front();
    if (m_shownAt.size() >= maxSingle) {
        m_others.insert(number);
        m_new.insert(number);
        return;
    }
    m_shownAt.push_back(now);
    m_shown.insert(number);
    m_orders.removeOne({Order::What::Close, number});
    m_orders.append({Order::What::Show, number});
}

void AlertNotices::withdraw(quint64 number)
{
    m_others.remove(number);
    m_new.remove(number);
    if (m_shown.remove(number))
        m_orders.append({Order::What::Close, number});
}

/// Quiet if alerts have only ended.
QList<AlertNotices::Order> AlertNotices::takeOrders(TimePoint now)
{
    QList<Order> orders = std::exchange(m_orders, {});
    const bool isOver = m_others.isEmpty() && m_toldOthers > 0;
    const bool mayTell = now - m_toldAt >= countPace;
    const bool isOther = !m_new.isEmpty() || m_others.size() < m_toldOthers;
    if (isOver || (isOther && !m_others.isEmpty() && mayTell)) {
        const bool isQuiet = m_new.isEmpty();
        m_toldOthers = m_others.size();
        m_toldAt = now;
        m_new.clear();
        orders.append({Order::What::Count, 0, m_toldOthers, isQuiet});
    }
    return orders;
}

} // namespace lockscope
