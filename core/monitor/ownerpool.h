// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QSet>

namespace lockscope {

/// One copy of each owner's bytes, however many locks it has: readings bring them anew each time.
class OwnerPool
{
public:
    /// The same holders in shared memory. All copies share it, on other threads too.
    QList<LockOwner> shared(const QList<LockOwner> &owners);
    /// Forgets those that nobody has any more. Done by itself when there are a quarter more than after the last time.
    void dropUnused();
    qsizetype size() const { return m_known.size(); }

private:
    /// The holders of one lock, known by the first of them.
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
