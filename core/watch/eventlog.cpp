// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/eventlog.h"

#include "core/base/disposal.h"

#include <utility>

namespace lockscope {

qint64 EventLog::Owners::bytes() const
{
    qint64 sum = 0;
    for (const LockOwner &holder : list)
        sum += qint64(sizeof(LockOwner)) + holder.owner.bytes.size() + holder.rawHoldCount.size();
    return sum;
}

EventLog::EventLog(qsizetype most, qint64 maxBytes, QObject *parent)
    : QObject(parent), m_most(most), m_mostBytes(maxBytes)
{
}

void EventLog::append(const QList<LockEvent> &events, const QList<MonitorEvent> &moments)
{
    if (events.isEmpty() && moments.isEmpty())
        return;
    auto moment = moments.begin();
    for (const LockEvent &event : events) {
        for (; moment != moments.end() && moment->wallMs <= event.wallMs; ++moment)
            add(*moment);
        add(event);
    }
    for (; moment != moments.end(); ++moment)
        add(*moment);
    emit appended();
}

void EventLog::addLost(qint64 events)
{
    m_lost += events;
    if (events > 0)
        m_losses.insert(end());
}

void EventLog::clear()
{
    m_first = end();
    m_records.clear();
    m_bytes = 0;
    disposeElsewhere(std::exchange(m_keys, {}));
    disposeElsewhere(std::exchange(m_owners, {}));
    m_texts.clear();
    m_losses.clear();
    m_lost = 0;
    m_clearedTo = m_first;
    emit appended();
}

void EventLog::add(const LockEvent &event)
{
    Record record;
    record.wallMs = event.wallMs;
    record.ttl = event.ttl;
    record.database = event.address.database;
    record.others = event.others;
    record.kind = event.kind;
    record.family = event.family;
    record.byOtherProgram = event.byOtherProgram;
    record.wasRenewed = event.wasRenewed;
    record.possible = event.possible;
    add(record, event.address.key, event.owners);
}

void EventLog::add(const MonitorEvent &moment)
{
    m_texts.insert(end(), moment.text);
    m_bytes += moment.text.size() * qint64(sizeof(QChar));
    Record record;
    record.wallMs = moment.wallMs;
    record.kind = moment.kind;
    add(record, moment.key, {});
}

void EventLog::add(Record record, const LockKey &key, const QList<LockOwner> &owners)
{
    const auto [keyId, isNewKey] = m_keys.add(key);
    const auto [ownersId, areNew] = m_owners.add({owners});
    m_bytes += isNewKey ? key.bytes.size() : 0;
    m_bytes += areNew ? m_owners.at(ownersId).bytes() : 0;
    record.key = keyId;
    record.owners = ownersId;
    m_records.push_back(record);
    // The newest stays, however large it is.
    while (std::ssize(m_records) > m_most || (m_bytes > m_mostBytes && m_records.size() > 1))
        dropOldest();
}

void EventLog::dropOldest()
{
    const Record &oldest = m_records.front();
    const qint64 keyBytes = m_keys.at(oldest.key).bytes.size();
    const qint64 ownerBytes = m_owners.at(oldest.owners).bytes();
    m_bytes -= m_keys.release(oldest.key) ? keyBytes : 0;
    m_bytes -= m_owners.release(oldest.owners) ? ownerBytes : 0;
    if (oldest.kind.isMoment())
        m_bytes -= m_texts.take(m_first).size() * qint64(sizeof(QChar));
    m_losses.remove(m_first);
    m_records.pop_front();
    ++m_first;
}

LoggedEvent EventLog::at(qint64 number) const
{
    const Record &stored = record(number);
    LoggedEvent logged;
    logged.kind = stored.kind;
    LockEvent &event = logged.event;
    event.address = {m_keys.at(stored.key), stored.database};
    event.wallMs = stored.wallMs;
    if (stored.kind.isMoment()) {
        logged.text = textOf(number);
        return logged;
    }
    event.kind = stored.kind.event();
    event.family = stored.family;
    event.owners = m_owners.at(stored.owners).list;
    event.ttl = stored.ttl;
    event.others = stored.others;
    event.byOtherProgram = stored.byOtherProgram;
    event.wasRenewed = stored.wasRenewed;
    event.possible = stored.possible;
    return logged;
}

} // namespace lockscope
