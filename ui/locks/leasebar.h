// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

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

    void showLock(const WatchedLock &lock, TimePoint now, bool stale);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<WatchedLock> m_lock;
    TimePoint m_now;
    bool m_stale = false;
};

} // namespace lockscope
