// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/monitorstate.h"

#include <QDateTime>
#include <QObject>

namespace lockscope {

/// A source of reports about the locks of one or several servers: a Session, or a recording. Lives on one thread
/// and emits there, after its own state has taken the report.
class MonitorSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The time of the current report by this process's clock; the present for a session.
    virtual TimePoint now() const { return Clock::now(); }
    /// The same in epoch ms.
    virtual qint64 wallNow() const { return QDateTime::currentMSecsSinceEpoch(); }

    /// The state by all reports, including the current one.
    const MonitorState &watched() const { return m_watched; }
    void dismissResets() { m_watched.dismissResets(); }

signals:
    void reported(const lockscope::MonitorReport &event);

protected:
    void tell(const MonitorReport &event)
    {
        const QList<SourceEvent> moments = m_watched.take(event, now(), wallNow());
        emit reported(event);
        for (const SourceEvent &moment : moments)
            emit reported(moment);
    }
    /// Reports an existing state, without moments that follow from it.
    void reportExistingState(const MonitorReport &event)
    {
        m_watched.take(event, now(), wallNow());
        emit reported(event);
    }
    /// See MonitorState::forget() and MonitorState::skipGap().
    void forget() { m_watched.forget(); }
    void skipGap() { m_watched.skipGap(); }

private:
    MonitorState m_watched;
};

} // namespace lockscope
