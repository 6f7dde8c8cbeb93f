// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/watched.h"

#include <QDateTime>
#include <QObject>

namespace lockscope {

/// A source of reports about the locks of one or several servers: a Session, or a recording. Its signal
/// arrives on its thread.
class WatchSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The moment of the report, by both clocks; the present for a session.
    virtual TimePoint now() const { return Clock::now(); }
    virtual qint64 wallNow() const { return QDateTime::currentMSecsSinceEpoch(); }

    /// The state by all reports, including the current one.
    const Watched &watched() const { return m_watched; }
    void dismissResets() { m_watched.dismissResets(); }

signals:
    void told(const lockscope::WatchEvent &event);

protected:
    void tell(const WatchEvent &event)
    {
        const QList<WatchMoment> moments = m_watched.take(event, now(), wallNow());
        emit told(event);
        for (const WatchMoment &moment : moments)
            emit told(moment);
    }
    /// Reports an existing state, without moments that follow from it.
    void tellAsKnown(const WatchEvent &event)
    {
        m_watched.take(event, now(), wallNow());
        emit told(event);
    }
    /// See Watched::forget() and Watched::skipGap().
    void forget() { m_watched.forget(); }
    void skipGap() { m_watched.skipGap(); }

private:
    Watched m_watched;
};

} // namespace lockscope
