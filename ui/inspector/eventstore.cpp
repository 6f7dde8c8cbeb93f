// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/eventstore.h"

namespace lockscope {

void EventStore::append(const QList<LockEvent> &events)
{
    m_events.insert(m_events.end(), events.begin(), events.end());
    if (m_events.size() > m_most)
        m_events.erase(m_events.begin(), m_events.end() - static_cast<std::ptrdiff_t>(m_most));
}

QList<LockEvent> EventStore::of(const LockKey &key, qsizetype most) const
{
    QList<LockEvent> found;
    for (auto event = m_events.rbegin(); event != m_events.rend() && found.size() < most; ++event) {
        if (event->address.key == key)
            found.append(*event);
    }
    return found;
}

} // namespace lockscope
