// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/base/time.h"

#include <QSet>

namespace lockscope {

/// Keys for which no cluster node answers, and which are read again.
class UnansweredKeys
{
public:
    void add(const LockKey &key, TimePoint now)
    {
        if (m_keys.isEmpty())
            m_since = now;
        m_keys.insert(key);
    }
    void remove(const LockKey &key) { m_keys.remove(key); }
    void clear() { m_keys.clear(); }
    qsizetype size() const { return m_keys.size(); }
    TimePoint since() const { return m_since; } ///< first key's

private:
    QSet<LockKey> m_keys;
    TimePoint m_since;
};

} // namespace lockscope
