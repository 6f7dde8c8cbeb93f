// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/table/displayclock.h"
#include "core/table/ownernames.h"
#include "ui/widgets/propertygrid.h"

#include <QTimer>

#include <optional>

class QComboBox;

namespace lockscope {

/// The lock of a dialog: key, owners and hold counts as of its opening, and the current time left.
class LockSummary : public PropertyGrid
{
    Q_OBJECT

public:
    LockSummary(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, QWidget *parent);

    /// Updates the time left; nullopt if the lock is gone.
    void observe(const std::optional<WatchedLock> &now);
    /// Keeps a description of the holder's liveness up to date in `label`.
    void tellLiveness(QLabel *label);

private:
    void showTime();

    WatchedLock m_seen;
    std::optional<WatchedLock> m_now;
    const DisplayClock &m_clock;
    QLabel *m_ttl;
    QLabel *m_liveness = nullptr;
    QTimer m_timer;
};

/// Returns a choice of owners that carries their exact bytes.
QComboBox *ownerChoice(const Lock &lock, const OwnerNames &names, QWidget *parent);
OwnerId chosenOwner(const QComboBox &choice);
/// Returns text such as "order-service-3 · thread 12 (reader)".
QString holderText(const Lock &lock, const LockOwner &holder, const OwnerNames &names);

} // namespace lockscope
