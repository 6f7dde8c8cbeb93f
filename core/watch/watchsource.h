// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/watched.h"

#include <QDateTime>
#include <QObject>

namespace lockscope {

/// Who tells what is known of the locks of a server, or of several: a Session, or a recording of one. Its signal arrives on the
/// thread on which it lives.
class WatchSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The moment of which is told, by both clocks: of a session the present.
    virtual TimePoint now() const { return Clock::now(); }
    virtual qint64 wallNow() const { return QDateTime::currentMSecsSinceEpoch(); }

    /// All that was told, with what is being told.
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
    /// The same where nothing is said to have happened: it stood so already.
    void tellAsKnown(const WatchEvent &event)
    {
        m_watched.take(event, now(), wallNow());
        emit told(event);
    }
    /// Watched::forget(), Watched::skipGap()
    void forget() { m_watched.forget(); }
    void skipGap() { m_watched.skipGap(); }

private:
    Watched m_watched;
};

} // namespace lockscope
