// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"

#include <QRectF>
#include <QWidget>

#include <optional>

class QPainter;

namespace lockscope {

/// Draws the time left as a share of the longest TTL seen; full in the state No expiry. `stale`: muted color.
void drawLeaseBar(QPainter &painter, const QRectF &place, const WatchedLock &lock, TimePoint now, bool stale,
                  const QPalette &palette);

class LeaseBar : public QWidget
{
    Q_OBJECT

public:
    explicit LeaseBar(QWidget *parent = nullptr);

    void showLock(const WatchedLock &lock, TimePoint now, bool stale);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// The visible values; `left` is in half pixels.
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
