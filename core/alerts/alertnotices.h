// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QList>
#include <QSet>

#include <bit>
#include <deque>
#include <utility>

namespace lockscope {

/// Decides which alerts are notified one by one: a few per minute, the others only by their number, to not
/// flood the screen. Identifies alerts by number. Pure.
class AlertNotices
{
public:
    static constexpr size_t maxSingle = 3; ///< within `window`
    static constexpr std::chrono::minutes window{1};
    static constexpr std::chrono::seconds countPace{10}; ///< between two counts

    struct Order
    {
        enum class What : quint8 {
            Show,
            Close,
            Count, ///< number of others; 0: close that notification
        };
        What what = What::Show;
        quint64 number = 0;   ///< Show, Close: of the alert
        qsizetype others = 0; ///< Count
        bool isQuiet = false; ///< Count: only decreased

        friend bool operator==(const Order &, const Order &) = default;
    };

    /// True for the 1st, 2nd, 4th, 8th … repetition: a connection that breaks every few seconds must not
    /// notify forever.
    static bool tellsOfTime(int times) { return std::has_single_bit(static_cast<unsigned>(times)); }
    /// Notifies of an alert, again if it was withdrawn; may replace the shown notification.
    void tell(quint64 number, TimePoint now);
    void withdraw(quint64 number);
    /// The orders in sequence, including the number of others at most once per countPace.
    QList<Order> takeOrders(TimePoint now);
    const QSet<quint64> &others() const { return m_others; }

private:
    std::deque<TimePoint> m_shownAt; ///< within the last `window`
    QSet<quint64> m_shown;
    QSet<quint64> m_others;
    QSet<quint64> m_new; ///< part of m_others, not counted yet
    qsizetype m_toldOthers = 0;
    TimePoint m_toldAt;
    QList<Order> m_orders;
};

} // namespace lockscope
