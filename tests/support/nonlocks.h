// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/recognize.h"

#include <QByteArrayList>

#include <random>

namespace lockscope {

/// A key of an application, with the command that writes it.
struct SampleKey
{
    QByteArray kind;
    LockKey key;
    KeyContent content;
    CompactOptional<milliseconds> ttl;
    bool isDocument = false; ///< clearly no lock: must be hidden
    QByteArrayList writes;   ///< without expiry
};

/// Keys that are no locks, most with lock-like names: documents, counters, flags, sessions, tables, and
/// accidental lock formats. Equal seeds give equal keys.
class NonLocks
{
public:
    explicit NonLocks(quint32 seed, qint64 nowMs);

    static int kinds();
    /// Returns the next key; kinds take turns.
    SampleKey next();

private:
    std::mt19937 m_random;
    qint64 m_nowMs;
    int m_number = 0;
};

/// Returns locks as written without a library. Each must be shown.
QList<SampleKey> homeMadeLocks(qint64 nowMs);

/// True if the value could be a token of random bytes, given a lease and a lock's name.
bool mayBeRandomBytes(const SampleKey &sample);

/// Returns the lock as a monitor would read it.
Lock lockFrom(const SampleKey &sample, qint64 nowMs);

} // namespace lockscope
