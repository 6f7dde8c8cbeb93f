// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QHash>
#include <QList>
#include <QSet>

namespace lockscope {

/// Chooses a few of many names to represent all, some of each kind: the text before the last separator.
class ProbeChoice
{
public:
    void add(const LockKey &key);

    /// Names of all kinds, at most `count`; further ones are spread over the sorted names.
    QList<LockKey> spread(qsizetype count) const;
    /// One name for the given round, alternating between all names and all kinds: each has its turn in the
    /// long run. Just one, since the server logs each refused name in its ACL LOG, which is short.
    QSet<LockKey> roving(quint64 time);

private:
    QHash<QByteArrayView, LockKey> m_kinds; ///< one name per kind, which owns the bytes
    QList<LockKey> m_names;
};

} // namespace lockscope
