// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"
#include "ui/widgets/propertygrid.h"

#include <QTimer>

#include <optional>

class QComboBox;

namespace lockscope {

/// The part of a dialog that states which lock it is about: key, owners, holds as they were when it opened, and the time
/// left as it is now.
class LockSummary : public PropertyGrid
{
    Q_OBJECT

public:
    LockSummary(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, QWidget *parent);

    /// The lock as it is now; nullopt where it is gone. Only the time left follows it.
    void observe(const std::optional<WatchedLock> &now);
    /// What is known of the holder's life, in `label`, kept up to date.
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

/// A choice among the owners that were seen, each carrying its exact bytes.
QComboBox *ownerChoice(const Lock &lock, const OwnerNames &names, QWidget *parent);
OwnerId chosenOwner(const QComboBox &choice);
/// "order-service-3 · thread 12 (reads)"
QString holderText(const Lock &lock, const LockOwner &holder, const OwnerNames &names);

} // namespace lockscope
