// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QHash>
#include <QList>

namespace lockscope {

/// Events postponed because there are many. New events are printed first, but never before earlier ones of
/// the same key.
class EventBacklog
{
public:
    void add(const LockEvent &event)
    {
        QList<LockEvent> &ofKey = m_events[event.address.key];
        if (ofKey.isEmpty())
            m_order.append(event.address.key);
        ofKey.append(event);
    }
    bool isEmpty() const { return m_events.isEmpty(); }

    /// Takes the events of a key, which must be printed before a new one.
    QList<LockEvent> take(const LockKey &key)
    {
        return m_events.isEmpty() ? QList<LockEvent>() : m_events.take(key);
    }
    QList<LockEvent> takeSome(qsizetype keys)
    {
        QList<LockEvent> events;
        for (; keys > 0 && m_next < m_order.size(); ++m_next, --keys)
            events += m_events.take(m_order[m_next]);
        if (m_next == m_order.size()) {
            m_order.clear();
            m_next = 0;
        }
        return events;
    }

private:
    QHash<LockKey, QList<LockEvent>> m_events;
    QList<LockKey> m_order; ///< includes keys already taken
    qsizetype m_next = 0;
};

} // namespace lockscope
