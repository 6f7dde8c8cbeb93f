// SPDX-License-Identifier: GPL-3.0-or-later
// What a Sentinel says of its servers, as four replies, and its message of a failover.
#include "core/redis/deployment/sentinelview.h"
#include "core/redis/resp.h"
#include "tests/fuzz/target.h"

using namespace lockscope;

namespace {

void insistOnAddress(const NodeAddress &address)
{
    insist(address.port > 0 && !address.host.isEmpty());
    for (const QChar c : address.host)
        insist(!c.isSpace() && c != u'/' && c != u'@');
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray bytes = bytesOf(data, size).toByteArray();
    if (const auto primary = primaryIn(bytes, "orders"))
        insistOnAddress(*primary);
    RespReader reader;
    reader.feed(bytes);
    std::vector<Reply> replies;
    while (replies.size() < 4) {
        const auto next = reader.next();
        if (!next || !*next)
            return 0;
        replies.push_back(**next);
    }
    const auto view = SentinelView::parse(replies);
    if (!view)
        return 0;
    insistOnAddress(view->primary);
    insist(view->sentinels.size() <= 64 && view->replicas.size() <= 64);
    for (const NodeAddress &each : view->sentinels)
        insistOnAddress(each);
    for (const SentinelView::Replica &each : view->replicas)
        insistOnAddress(each.address);
    return 0;
}
