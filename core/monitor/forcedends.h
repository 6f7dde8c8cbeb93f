// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/audittail.h"
#include "core/model/lockevent.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace lockscope {

/// Tells an end by force from a release or an expiry, where this user's audit log says that another of their programs made
/// it. Keeps the order of events: an end whose outcome is not recorded yet waits, for a second at most, and what comes after
/// it waits with it.
class ForcedEnds : public QObject
{
    Q_OBJECT

public:
    /// The run id of the server that keeps a lock.
    using RunIdOf = std::function<QByteArray(const LockKey &)>;

    /// `auditPath` empty: AuditLog::defaultPath().
    ForcedEnds(const QString &auditPath, RunIdOf runIdOf, QObject *parent = nullptr);

    /// Takes new events, and returns those that can be told now.
    QList<LockEvent> settle(const QList<LockEvent> &events);
    /// What still waits is settled() as it is.
    void settleNow();

signals:
    /// Events that had to wait.
    void settled(const QList<lockscope::LockEvent> &events);

private:
    bool isSettled(LockEvent &event);
    QList<LockEvent> takeSettled();

    RunIdOf m_runIdOf;
    AuditTail m_audit;
    QList<LockEvent> m_waiting;
    QTimer m_check; ///< while an event waits
};

} // namespace lockscope
