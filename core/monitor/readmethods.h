// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/read/inspector.h"

#include <QHash>
#include <QSet>

namespace lockscope {

/// How each key is to be read, as far as earlier replies have shown it: by which type, with which fields, alone, or not at
/// all. Also which names without a lock the server announces. Sends nothing.
class ReadMethods
{
public:
    /// Another connection, perhaps to another server. Whether hashes have field leases there is not answered yet.
    void connectionBegan();
    void setFieldLeases(FieldLeases leases) { m_fieldLeases = leases; }

    /// `known`: the lock as it was read last; null: none.
    inspector::Target targetOf(const LockKey &key, bool isAnnounced, const WatchedLock *known) const;

    /// A reply has shown that the key has to be read again with these fields. False where it was read so already: with
    /// another owner at each reading there would be no end.
    bool addFields(const LockKey &key, const QByteArrayList &fields);
    /// A reply has shown that the key is to be read again by this type.
    void setType(const LockKey &key, KeyType type);
    /// The key was read. `isAbsent`: without a lock, and the server announces its next change all the same.
    void readingDone(const LockKey &key, bool isAbsent);
    /// The key may not be read.
    void forgetType(const LockKey &key) { m_types.remove(key); }

    /// Whether the server may be asked to announce the change of a key: names without a lock are bounded.
    bool canAnnounce(bool isLock) const { return isLock || m_absent.size() < maxAbsent; }
    /// The server has announced a change, and announces the next one only after another reading.
    void announced(const LockKey &key) { m_absent.remove(key); }
    void forgetAnnounced() { m_absent.clear(); }

    // A reply broke a limit of the codec. Which key it was shows when each is read alone.
    bool hasSuspects() const { return !m_suspects.isEmpty(); }
    bool isSuspect(const LockKey &key) const { return m_suspects.contains(key); }
    LockKey firstSuspect() const { return *m_suspects.cbegin(); }
    void addSuspect(const LockKey &key) { m_suspects.insert(key); }
    void clearSuspect(const LockKey &key) { m_suspects.remove(key); }
    /// It was this one: only its presence is asked for from now on.
    void setTooBig(const LockKey &key) { m_tooBig.insert(key); }
    bool isTooBig(const LockKey &key) const { return m_tooBig.contains(key); }

private:
    static constexpr qsizetype maxAbsent = 10'000;

    QHash<LockKey, KeyType> m_types;         ///< of names that are not read yet
    QHash<LockKey, QByteArrayList> m_fields; ///< of hashes without a TTL, whose fields may have some
    FieldLeases m_fieldLeases = FieldLeases::Unknown;
    QSet<LockKey> m_suspects;
    QSet<LockKey> m_tooBig;
    QSet<LockKey> m_absent;
};

} // namespace lockscope
