// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/besidescope.h"

namespace lockscope {

BesideScope::BesideScope(const ServerInfo &server)
    : m_asksShards(server.mode == "cluster" && server.major >= 7), m_isCluster(server.mode == "cluster")
{
}

bool BesideScope::mayAsk(Part part, const LockKey &key) const
{
    return ((m_refusedToAll | m_refused.value(key)) & static_cast<quint8>(part)) == 0;
}

void BesideScope::refuse(Part part, const LockKey &key, const Error &why)
{
    // A command may be forbidden, which holds for all keys, or this key alone.
    (why.detail.contains("command") ? m_refusedToAll : m_refused[key]) |= static_cast<quint8>(part);
}

} // namespace lockscope
