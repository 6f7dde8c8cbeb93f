// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArray>

#include <deque>
#include <iterator>
#include <vector>

namespace lockscope {

/// Locks as read, in order of their keys, in as few bytes as may be: a list of a million of them is held at once. Each is made
/// anew when it is asked for.
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

    /// In the place of an earlier one of the same key, when sort() is called.
    void add(const Lock &lock);
    void remove(const LockKey &key);
    /// Before anything is asked for.
    void sort();

    qsizetype size() const { return static_cast<qsizetype>(m_records.size()); }
    bool isEmpty() const { return m_records.empty(); }
    Lock at(qsizetype place) const;
    /// Another reading of the same key.
    void replace(qsizetype place, const Lock &lock);
    /// The number of those that were removed.
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

    /// That they take, about.
    qint64 bytes() const;

private:
    /// What most locks have; the rest is in m_others.
    struct Record
    {
        const char *text = nullptr; ///< the key, the owner, and its count as stored, one after the other
        CompanionStatePtr beside;
        SharedValue<OwnerFacts> recorded;
        TimePoint readAt;
        CompactOptional<milliseconds> ttl;
        CompactOptional<Deadline> deadline;
        CompactOptional<qint64> holdCount;
        quint32 keySize = 0;
        quint32 ownerSize = 0;
        quint32 countSize = 0;
        qint32 other = -1; ///< its place among the others
        qint32 database = 0;
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
    CompanionStatePtr shared(const CompanionStatePtr &beside);
    const char *keep(QByteArrayView key, QByteArrayView owner, QByteArrayView count);

    std::deque<Record> m_records;    ///< which grows without a copy
    std::vector<QByteArray> m_texts; ///< each as long as it was reserved, so that none of it moves
    CompanionStatePtr m_usualBeside;
    qint64 m_textBytes = 0; ///< reserved
    qint64 m_otherBytes = 0;
    QList<Lock> m_others; ///< of several owners, or a Redlock group
};

} // namespace lockscope
