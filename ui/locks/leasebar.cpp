// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/leasebar.h"

#include "core/table/locktext.h"

#include <QPainter>

#include <utility>

namespace lockscope {

void drawLeaseBar(QPainter &painter, const QRectF &place, const WatchedLock &lock, TimePoint now, bool stale,
                  const QPalette &palette)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(borderColor(palette));
    const double radius = place.height() / 2;
    painter.drawRoundedRect(place, radius, radius);

    const LockState state = stateOf(lock, now);
    if (state == LockState::Unreadable)
        return;
    QRectF left = place;
    if (lock.lock.deadline)
        left.setWidth(place.width() * leaseLeft(lock, now));
    else if (state != LockState::NoExpiry)
        return;
    if (left.width() < 0.5)
        return;
    // What is wrong with the lock is not wrong with its lease.
    const bool aside = state == LockState::Corrupt || state == LockState::Deadlock ||
                       state == LockState::Orphaned || state == LockState::NoQuorum;
    const StatusColor statusColor = lock.lock.deadline && aside ? StatusColor::Held : stateColor(state);
    painter.setBrush(textColor(stale ? StatusColor::Muted : statusColor, palette));
    painter.drawRoundedRect(left, radius, radius);
}

LeaseBar::LeaseBar(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(6);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Remaining share of the lease"));
}

void LeaseBar::showLock(const WatchedLock &lock, TimePoint now, bool stale)
{
    m_lock = lock;
    m_now = now;
    const Look look{stateOf(lock, now), lock.lock.deadline.has_value(),
                    static_cast<int>(leaseLeft(lock, now) * 2 * width()), stale};
    if (std::exchange(m_look, look) != look)
        update();
}

void LeaseBar::paintEvent(QPaintEvent *)
{
    if (!m_lock)
        return;
    QPainter painter(this);
    drawLeaseBar(painter, rect(), *m_lock, m_now, m_look.isStale, palette());
}

} // namespace lockscope
