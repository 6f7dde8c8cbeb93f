// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"

#include <QRectF>
#include <QWidget>

#include <optional>

class QPainter;

namespace lockscope {

/// The thin bar of what is left of a lease: full at the longest TTL seen, full too where there is no expiry.
/// `stale`: without its color.
void drawLeaseBar(QPainter &painter, const QRectF &place, const WatchedLock &lock, TimePoint now, bool stale,
                  const QPalette &palette);

/// The same as a widget.
class LeaseBar : public QWidget
{
    Q_OBJECT

public:
    explicit LeaseBar(QWidget *parent = nullptr);

    /// Paints where it looks different.
    void showLock(const WatchedLock &lock, TimePoint now, bool stale);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// What is seen of it, in half pixels: finer than anybody sees.
    struct Look
    {
        LockState state = LockState::Held;
        bool ends = false;
        int left = -1;
        bool isStale = false;
        friend bool operator==(const Look &, const Look &) = default;
    };

    std::optional<WatchedLock> m_lock;
    TimePoint m_now;
    Look m_look;
};

} // namespace lockscope
