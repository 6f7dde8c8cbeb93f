// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArray>

#include <deque>
#include <iterator>
#include <vector>

namespace lockscope {

/// Locks sorted by key in compact form: a list may hold a million of them. Each is unpacked on access.
class PackedLocks
{
public:
    class Iterator
    {
    public:
        using value_type = Lock;
        using difference_type = qsizetype;
        using iterator_category = std::input_iterator_tag;

        Iterator() = default;
        Iterator(const PackedLocks *locks, qsizetype at) : m_locks(locks), m_at(at) {}
        Lock operator*() const { return m_locks->at(m_at); }
        Iterator &operator++() { return ++m_at, *this; }
        Iterator operator++(int) { return {m_locks, m_at++}; }
        friend bool operator==(const Iterator &, const Iterator &) = default;

    private:
        const PackedLocks *m_locks = nullptr;
        qsizetype m_at = 0;
    };

    PackedLocks() = default;
    PackedLocks(const PackedLocks &) = delete; // the records point to its texts
    PackedLocks(PackedLocks &&) = default;
    PackedLocks &operator=(PackedLocks &&) = default;

    /// Replaces an earlier one of the same key in sort().
    void add(const Lock &lock);
    void remove(const LockKey &key);
    /// Call before any access.
    void sort();

    qsizetype size() const { return static_cast<qsizetype>(m_records.size()); }
    bool isEmpty() const { return m_records.empty(); }
    Lock at(qsizetype place) const;
    /// Replaces the lock by another reading of the same key.
    void replace(qsizetype place, const Lock &lock);
    /// Removes matching locks; returns their number.
    template <typename IsSo>
    qsizetype removeIf(IsSo isSo)
    {
        const qsizetype before = size();
        qsizetype kept = 0;
        for (qsizetype i = 0; i < before; ++i) {
            if (!isSo(at(i)))
                m_records[size_t(kept++)] = m_records[size_t(i)];
        }
        m_records.resize(size_t(kept));
        return before - kept;
    }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }

    /// The approximate size.
    qint64 bytes() const;

private:
    /// The common properties; others are in m_others.
    struct Record
    {
        const char *text = nullptr; ///< key, owner, and stored count, concatenated
        CompanionStatePtr companions;
        SharedValue<OwnerFacts> recorded;
        TimePoint readAt;
        CompactOptional<milliseconds> ttl;
        CompactOptional<Deadline> deadline;
        CompactOptional<qint64> holdCount;
        quint32 keySize = 0;
        quint32 ownerSize = 0;
        quint32 countSize = 0;
        qint32 other = -1; ///< index in m_others
        qint32 database = 0;
        quint32 serial = 0; ///< order of add() and remove(): the last one of a key counts
        Family family;
        quint16 problems = 0;
        KeyType type = KeyType::Unknown;
        EvidenceSet evidence;
        LeaseOf leaseOf = LeaseOf::Key;
        HoldMode mode = HoldMode::Exclusive;
        bool hasOwner = false;
        bool isRemoved = false;

        QByteArrayView key() const { return {text, keySize}; }
    };

    Record packed(const Lock &lock);
    CompanionStatePtr shared(const CompanionStatePtr &companions);
    const char *keep(QByteArrayView key, QByteArrayView owner, QByteArrayView count);

    std::deque<Record> m_records;    ///< grows without copying
    std::vector<QByteArray> m_texts; ///< never beyond their reserved size: the bytes do not move
    CompanionStatePtr m_usualCompanions;
    quint32 m_lastSerial = 0;
    qint64 m_textBytes = 0;
    qint64 m_otherBytes = 0;
    QList<Lock> m_others; ///< with several owners, or in a Redlock group
};

} // namespace lockscope
