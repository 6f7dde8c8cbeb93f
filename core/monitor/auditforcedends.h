// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/audittail.h"
#include "core/model/lockevent.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace lockscope {

/// Marks ends as forced by the user's audit log, which also records actions of the user's other processes.
/// Keeps the order of events: an end whose outcome is not recorded yet waits, for at most a second, and later
/// events wait with it.
class AuditForcedEnds : public QObject
{
    Q_OBJECT

public:
    /// The run id of the server that keeps a lock.
    using RunIdOf = std::function<QByteArray(const LockKey &)>;

    /// `auditPath` empty: AuditLog::defaultPath().
    AuditForcedEnds(const QString &auditPath, RunIdOf runIdOf, QObject *parent = nullptr);

    /// Takes new events, and returns those that can be reported now.
    QList<LockEvent> settle(const QList<LockEvent> &events);
    /// Emits waiting events as they are.
    void settleNow();

signals:
    /// Emits events that had to wait.
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
