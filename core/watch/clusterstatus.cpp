// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/clusterstatus.h"

#include <algorithm>

namespace lockscope {

const NodeStatus *ClusterStatus::nodeOf(const LockKey &key) const
{
    if (isGroup)
        return nullptr;
    if (!keepers)
        return nodes.isEmpty() ? nullptr : &nodes.first();
    const int index = (*keepers)[static_cast<size_t>(slotOf(key.bytes))];
    return index < 0 || index >= nodes.size() ? nullptr : &nodes[index];
}

void ClusterStatus::labelNodes()
{
    const auto areSame = [this](auto part) {
        return std::ranges::all_of(
            nodes, [&](const NodeStatus &node) { return part(node.name) == part(nodes[0].name); });
    };
    const auto host = [](const QString &name) {
        return name.first(std::max<qsizetype>(name.lastIndexOf(u':'), 0));
    };
    const auto port = [](const QString &name) { return name.sliced(name.lastIndexOf(u':') + 1); };
    const bool isOneHost = areSame(host);
    const bool isOnePort = areSame(port);
    for (NodeStatus &node : nodes)
        node.label = nodes.size() < 2 || isOneHost == isOnePort ? node.name
                     : isOneHost                                ? port(node.name)
                                                                : host(node.name);
}

void ClusterStatus::findUnknownSlots()
{
    const auto isKnown = [](const NodeStatus &node) { return node.isReady() && node.isCurrent; };
    const auto hasEverReadAll = [](const NodeStatus &node) { return node.confirmedAt.has_value(); };
    unknownSlots.reset();
    if (!hasSeveral() || std::ranges::all_of(nodes, isKnown) || std::ranges::none_of(nodes, hasEverReadAll))
        return;
    SlotSet found;
    for (size_t slot = 0; slot < slotCount; ++slot) {
        const int keeper = keepers ? (*keepers)[slot] : -1;
        found.set(slot, keeper < 0 || keeper >= nodes.size() || !isKnown(nodes[keeper]));
    }
    if (found.any())
        unknownSlots = std::make_shared<const SlotSet>(found);
}

QList<NodeStatus> ClusterStatus::missing() const
{
    QList<NodeStatus> missing = nodes;
    missing.removeIf([](const NodeStatus &node) { return node.isReady() || !node.isDecided; });
    return missing;
}

} // namespace lockscope
