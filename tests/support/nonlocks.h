// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/recognize.h"

#include <QByteArrayList>

#include <random>

namespace lockscope {

/// A key as applications keep it, with the command that writes it.
struct SampleKey
{
    QByteArray kind;
    LockKey key;
    KeyContent content;
    CompactOptional<milliseconds> ttl;
    bool isDocument = false; ///< so plainly no lock that it has to be hidden
    QByteArrayList writes;   ///< without the expiry
};

/// Keys that are no locks, most under names that sound as if they were: documents, counters, flags, sessions, tables, and what
/// has the form of a library's lock by chance. The same seed draws the same keys.
class NonLocks
{
public:
    explicit NonLocks(quint32 seed, qint64 nowMs);

    static int kinds();
    /// Of each kind in turn.
    SampleKey next();

private:
    std::mt19937 m_random;
    qint64 m_nowMs;
    int m_number = 0;
};

/// Locks as teams write them without a library. Every one of them has to be shown.
QList<SampleKey> homeMadeLocks(qint64 nowMs);

/// With a lease under a lock's name these may be a token of random bytes: nothing tells them from a bitmap.
bool mayBeRandomBytes(const SampleKey &sample);

/// As a monitor reads it.
Lock lockFrom(const SampleKey &sample, qint64 nowMs);

} // namespace lockscope
