// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/displayclock.h"
#include "core/table/ownernames.h"
#include "ui/widgets/propertygrid.h"

#include <QUrl>

class QToolButton;

namespace lockscope {

class ProbeView;
struct HoldTimeStats;
struct WatchedLock;

/// The inspector's table on a lock: owners and their details, times, family.
class LockDetails : public QWidget
{
    Q_OBJECT

public:
    /// `between` is placed after the owners. `names` must outlive this.
    LockDetails(const OwnerNames &names, QWidget *between, QWidget *parent = nullptr);

    /// `node`: the lock's node in a cluster. `servers`: members of a Redlock group in order.
    void showLock(const WatchedLock &lock, qint64 nowMs, const QString &node = {},
                  const QStringList &servers = {});
    /// Updates what changes with time. `gone`: only past facts stay. `usual`: earlier hold times.
    void showTime(const WatchedLock &lock, const DisplayTime &clock, const HoldTimeStats &usual, bool gone);
    QList<std::pair<QString, QString>> rows() const;
    ProbeView &probe() { return *m_probe; }

private:
    const OwnerNames &m_names;
    PropertyGrid *m_who;
    PropertyGrid *m_what;
    ProbeView *m_probe;
    QLabel *m_owners;
    QLabel *m_told;
    QLabel *m_holds;
    QLabel *m_held;
    QLabel *m_usual;
    QLabel *m_deadline;
    QLabel *m_lease;
    QLabel *m_renewals;
    QLabel *m_family;
    QLabel *m_fence;
    QLabel *m_free;
    QLabel *m_worker;
    QLabel *m_heartbeat;
    QLabel *m_place;
    QLabel *m_node;
    QLabel *m_quorum;
    QLabel *m_validity;
    QLabel *m_companions;
    QLabel *m_runbook;
    QLabel *m_contact;
    QToolButton *m_openRunbook; ///< if the runbook is a web address
    QStringList m_servers;
    QUrl m_runbookUrl;
};

} // namespace lockscope
