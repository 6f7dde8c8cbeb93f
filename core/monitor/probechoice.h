// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QHash>
#include <QList>
#include <QSet>

namespace lockscope {

/// Chooses from many names a few that stand for all: of each kind, which is what stands before the last separator.
class ProbeChoice
{
public:
    void add(const LockKey &key);

    /// Of all kinds, as far as so many go; then from all over the names in their order.
    QList<LockKey> spread(qsizetype count) const;
    /// One, of all names and of all kinds in turns, another each time: in the long run each has its turn, and any stretch
    /// of the order the sooner the longer it is. No more, since the server notes each refused name in its log, which is short.
    QSet<LockKey> roving(quint64 time);

private:
    QHash<QByteArrayView, LockKey> m_kinds; ///< with one name of each, whose bytes the kind is of
    QList<LockKey> m_names;
};

} // namespace lockscope
