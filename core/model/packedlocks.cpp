// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/packedlocks.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype textsAtOnce = 1 << 20; // bytes

qint64 bytesOf(const Lock &lock)
{
    qint64 bytes = sizeof(Lock);
    for (const LockOwner &owner : lock.owners)
        bytes += qint64(sizeof owner) + owner.owner.bytes.size() + owner.rawHoldCount.size();
    return bytes;
}

} // namespace

void PackedLocks::add(const Lock &lock)
{
    m_records.push_back(packed(lock));
    m_records.back().serial = ++m_lastSerial;
}

void PackedLocks::remove(const LockKey &key)
{
    Record &gone = m_records.emplace_back();
    gone.text = keep(key.bytes, {}, {});
    gone.keySize = static_cast<quint32>(key.bytes.size());
    gone.isRemoved = true;
    gone.serial = ++m_lastSerial;
}

void PackedLocks::sort()
{
    // In place: a stable sort would take half as much memory again.
    std::ranges::sort(m_records, [](const Record &a, const Record &b) {
        const int order = a.key().compare(b.key());
        return order < 0 || (order == 0 && a.serial < b.serial);
    });
    size_t kept = 0;
    for (size_t i = 0; i < m_records.size(); ++i) {
        const bool isLast = i + 1 == m_records.size() || m_records[i].key() != m_records[i + 1].key();
        if (isLast && !m_records[i].isRemoved)
            std::swap(m_records[kept++], m_records[i]);
    }
    m_records.resize(kept);
    QList<Lock> others;
    m_otherBytes = 0;
    for (Record &record : m_records) {
        if (record.other < 0)
            continue;
        others.append(m_others[record.other]);
        m_otherBytes += bytesOf(others.last());
        record.other = static_cast<qint32>(others.size() - 1);
    }
    m_others = others;
}

Lock PackedLocks::at(qsizetype place) const
{
    const Record &record = m_records[size_t(place)];
    if (record.other >= 0)
        return m_others[record.other];
    Lock lock;
    lock.address = {LockKey(record.key().toByteArray()), record.database};
    if (record.hasOwner) {
        const QByteArray owner(record.text + record.keySize, record.ownerSize);
        const QByteArray count(record.text + record.keySize + record.ownerSize, record.countSize);
        lock.owners = {{OwnerId(owner), count, record.holdCount, record.mode, record.recorded}};
    }
    lock.ttl = record.ttl;
    lock.deadline = record.deadline;
    lock.readAt = record.readAt;
    lock.problems = Problems::fromInt(record.problems);
    lock.type = record.type;
    lock.family = record.family;
    lock.evidence = record.evidence;
    lock.leaseOf = record.leaseOf;
    lock.companions = record.companions;
    return lock;
}

void PackedLocks::replace(qsizetype place, const Lock &lock)
{
    Record &record = m_records[size_t(place)];
    const Lock before = record.other < 0 ? at(place) : Lock();
    if (record.other >= 0) {
        m_others[record.other] = lock;
    } else if (lock.owners == before.owners && !lock.quorum) { // most: what stands beside it is new
        record.problems = static_cast<quint16>(lock.problems.toInt());
        record.family = lock.family;
        record.evidence = lock.evidence;
        record.companions = shared(lock.companions);
    } else {
        record = packed(lock);
    }
}

qint64 PackedLocks::bytes() const
{
    return static_cast<qint64>(m_records.size() * sizeof(Record)) + m_textBytes + m_otherBytes;
}

PackedLocks::Record PackedLocks::packed(const Lock &lock)
{
    Record record;
    record.keySize = static_cast<quint32>(lock.key().bytes.size());
    if (lock.owners.size() > 1 || lock.quorum) {
        record.text = keep(lock.key().bytes, {}, {});
        record.other = static_cast<qint32>(m_others.size());
        m_others.append(lock);
        m_otherBytes += bytesOf(lock);
        return record;
    }
    const LockOwner owner = lock.owners.value(0);
    record.text = keep(lock.key().bytes, owner.owner.bytes, owner.rawHoldCount);
    record.hasOwner = !lock.owners.isEmpty();
    record.ownerSize = static_cast<quint32>(owner.owner.bytes.size());
    record.countSize = static_cast<quint32>(owner.rawHoldCount.size());
    record.holdCount = owner.holdCount;
    record.mode = owner.mode;
    record.recorded = owner.recorded;
    record.database = lock.address.database;
    record.ttl = lock.ttl;
    record.deadline = lock.deadline;
    record.readAt = lock.readAt;
    record.problems = static_cast<quint16>(lock.problems.toInt());
    record.type = lock.type;
    record.family = lock.family;
    record.evidence = lock.evidence;
    record.leaseOf = lock.leaseOf;
    record.companions = shared(lock.companions);
    return record;
}

/// Shared, since most locks have the same: no waiters.
CompanionStatePtr PackedLocks::shared(const CompanionStatePtr &companions)
{
    if (companions != m_usualCompanions)
        m_usualCompanions = companions;
    return m_usualCompanions;
}

const char *PackedLocks::keep(QByteArrayView key, QByteArrayView owner, QByteArrayView count)
{
    const qsizetype size = key.size() + owner.size() + count.size();
    if (m_texts.empty() || m_texts.back().capacity() - m_texts.back().size() < size) {
        m_texts.emplace_back();
        m_texts.back().reserve(std::max(textsAtOnce, size));
        m_textBytes += std::max(textsAtOnce, size);
    }
    QByteArray &text = m_texts.back();
    const qsizetype begin = text.size();
    text += key;
    text += owner;
    text += count;
    return text.constData() + begin;
}

} // namespace lockscope
