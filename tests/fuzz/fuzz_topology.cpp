// SPDX-License-Identifier: GPL-3.0-or-later
// What a node says of its cluster: CLUSTER SLOTS or SHARDS with CLUSTER INFO behind it, and redirections.
#include "core/redis/deployment/redirection.h"
#include "core/redis/resp.h"
#include "tests/fuzz/target.h"

using namespace lockscope;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray bytes = bytesOf(data, size).toByteArray();
    if (const auto redirection = Redirection::parse(bytes))
        insist(redirection->slot >= 0 && redirection->slot < slotCount && redirection->to.port > 0);
    RespReader reader;
    reader.feed(bytes);
    const auto nodes = reader.next();
    if (!nodes || !*nodes)
        return 0;
    const auto info = reader.next();
    const auto topology = ClusterTopology::parse(**nodes, info && *info ? **info : Reply());
    if (!topology)
        return 0;
    SlotSet seen;
    for (const ClusterShard &shard : topology->shards) {
        insist((seen & shard.slotSet).none() && !shard.primary.id.isEmpty() &&
               shard.primary.address.port > 0);
        seen |= shard.slotSet;
        for (const QChar c : shard.primary.address.host)
            insist(!c.isSpace() && c != u'/' && c != u'@');
    }
    insist(seen.any() && topology->epoch >= -1);
    return 0;
}
