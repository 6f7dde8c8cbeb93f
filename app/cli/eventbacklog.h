// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QHash>
#include <QList>

namespace lockscope {

/// Events that are told when there is time, since they are many: what happens now goes before them, but never an event of
/// a key before an earlier one of the same key.
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

    /// Those of this key, which are to be told first.
    QList<LockEvent> take(const LockKey &key)
    {
        return m_events.isEmpty() ? QList<LockEvent>() : m_events.take(key);
    }
    /// Those of the keys that have waited longest.
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
    QList<LockKey> m_order; ///< with some whose events were taken
    qsizetype m_next = 0;
};

} // namespace lockscope
