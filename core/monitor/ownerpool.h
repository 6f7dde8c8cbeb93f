// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QSet>

namespace lockscope {

/// Keeps one copy of each owner's bytes for all of its locks: each reading brings new copies.
class OwnerPool
{
public:
    /// The same owners in shared memory; safe to copy to other threads.
    QList<LockOwner> shared(const QList<LockOwner> &owners);
    /// Forgets unused owners. Called automatically when there are a quarter more than after the last time.
    void dropUnused();
    qsizetype size() const { return m_known.size(); }

private:
    /// The owners of one lock, identified by the first.
    struct Known
    {
        QList<LockOwner> owners;

        const OwnerId &owner() const { return owners.constFirst().owner; }
        bool isUsed() const { return !owners.isDetached() || !owner().bytes.isDetached(); }
        friend bool operator==(const Known &a, const Known &b) { return a.owner() == b.owner(); }
        friend size_t qHash(const Known &known, size_t seed = 0) noexcept
        {
            return qHash(known.owner(), seed);
        }
    };

    QSet<Known> m_known;
    qsizetype m_dropAt = 64;
};

} // namespace lockscope
