// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/read/inspector.h"

#include <QHash>
#include <QSet>

namespace lockscope {

/// How to read each key, by earlier replies: by which type, with which fields, alone, or not at all. Also
/// tracks missing names that the server announces. Sends nothing.
class ReadMethods
{
public:
    /// Starts for a new connection, perhaps to another server; support for field leases is unknown.
    void connectionBegan();
    void setFieldLeases(FieldLeases leases) { m_fieldLeases = leases; }

    /// `known`: the lock as last read; null: none.
    inspector::Target targetOf(const LockKey &key, bool isAnnounced, const WatchedLock *known) const;

    /// Notes that the key must be read again with these fields. False if it was read with them before: an
    /// owner that changes at each reading would never end this.
    bool addFields(const LockKey &key, const QByteArrayList &fields);
    /// Notes that the key must be read again by this type.
    void setType(const LockKey &key, KeyType type);
    /// Notes that the key was read. `isAbsent`: it holds no lock, but the server announces its next change.
    void readingDone(const LockKey &key, bool isAbsent);
    void forgetType(const LockKey &key) { m_types.remove(key); }

    /// True if the server may be asked to announce changes of the key: names without a lock are limited.
    bool canAnnounce(bool isLock) const { return isLock || m_absent.size() < maxAbsent; }
    /// The server has announced a change; the next one requires another reading.
    void announced(const LockKey &key) { m_absent.remove(key); }
    void forgetAnnounced() { m_absent.clear(); }

    // A reply exceeded a limit of the codec. Reading suspects one by one shows which key it was.
    bool hasSuspects() const { return !m_suspects.isEmpty(); }
    bool isSuspect(const LockKey &key) const { return m_suspects.contains(key); }
    LockKey firstSuspect() const { return *m_suspects.cbegin(); }
    void addSuspect(const LockKey &key) { m_suspects.insert(key); }
    void clearSuspect(const LockKey &key) { m_suspects.remove(key); }
    /// Marks the key as too big: only its existence is read from now on.
    void setTooBig(const LockKey &key) { m_tooBig.insert(key); }
    bool isTooBig(const LockKey &key) const { return m_tooBig.contains(key); }

private:
    static constexpr qsizetype maxAbsent = 10'000;

    QHash<LockKey, KeyType> m_types;         ///< names not read yet
    QHash<LockKey, QByteArrayList> m_fields; ///< hashes without TTL, whose fields may have one
    FieldLeases m_fieldLeases = FieldLeases::Unknown;
    QSet<LockKey> m_suspects;
    QSet<LockKey> m_tooBig;
    QSet<LockKey> m_absent;
};

} // namespace lockscope
