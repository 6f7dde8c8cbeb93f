// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QList>
#include <QSet>

#include <bit>
#include <deque>
#include <utility>

namespace lockscope {

/// Which alerts are told of one by one, so that many at once do not bury the screen: a few a minute, and the others as a number. An alert
/// is told of by a number of its own. Pure.
class AlertNotices
{
public:
    static constexpr size_t mostSingle = 3; ///< within `window`
    static constexpr std::chrono::minutes window{1};
    static constexpr std::chrono::seconds countPace{10}; ///< between two numbers

    struct Order
    {
        enum class What : quint8 {
            Show,  ///< the alert
            Close, ///< what was shown of it
            Count, ///< how many others there are; 0: close what said so
        };
        What what = What::Show;
        quint64 number = 0;   ///< Show, Close: the alert's
        qsizetype others = 0; ///< Count
        bool isQuiet = false; ///< Count: nothing new: some have gone

        friend bool operator==(const Order &, const Order &) = default;
    };

    /// What comes again and again is told ever more seldom: the first time, the second, the fourth, the eighth … Otherwise a connection
    /// that breaks every few seconds is told of for ever.
    static bool tellsOfTime(int times) { return std::has_single_bit(static_cast<unsigned>(times)); }
    /// Anew where it was withdrawn, in the place of what is shown where nobody has asked for orders since.
    void tell(quint64 number, TimePoint now);
    void withdraw(quint64 number);
    /// In order. The number of others comes here, as often as countPace lets it.
    QList<Order> takeOrders(TimePoint now);
    /// Those that are told of as a number, or will be.
    const QSet<quint64> &others() const { return m_others; }

private:
    std::deque<TimePoint> m_shownAt; ///< within the last `window`
    QSet<quint64> m_shown;
    QSet<quint64> m_others; ///< told of as a number
    QSet<quint64> m_new;    ///< of those: not counted yet
    qsizetype m_toldOthers = 0;
    TimePoint m_toldAt;
    QList<Order> m_orders;
};

} // namespace lockscope
