// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clusterstatus.h"

#include <algorithm>

namespace lockscope {

const NodeStatus *ClusterStatus::nodeOf(const LockKey &key) const
{
    if (!keepers)
        return nodes.isEmpty() ? nullptr : &nodes.first();
    const int index = (*keepers)[static_cast<size_t>(slotOf(key.bytes))];
    return index < 0 || index >= nodes.size() ? nullptr : &nodes[index];
}

QList<NodeStatus> ClusterStatus::missing() const
{
    QList<NodeStatus> missing = nodes;
    missing.removeIf([](const NodeStatus &node) { return node.isReady(); });
    return missing;
}

} // namespace lockscope
