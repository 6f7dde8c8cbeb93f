// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/channellocks.h"

namespace lockscope {

QByteArray clientField(QByteArrayView client, const char *name)
{
    const QByteArray head = QByteArray(" ") + name + '=';
    const qsizetype at = client.indexOf(head);
    if (at < 0)
        return {};
    const QByteArrayView rest = client.sliced(at + head.size());
    const qsizetype end = rest.indexOf(' ');
    return rest.first(end < 0 ? rest.size() : end).toByteArray();
}

QList<ChannelLock> channelLocksIn(QByteArrayView clients)
{
    constexpr QByteArrayView suffix = "-lock";
    QList<ChannelLock> locks;
    for (const QByteArray &client : clients.toByteArray().split('\n')) {
        const QByteArray name = clientField(client, "name");
        const bool isOfOne = clientField(client, "sub") == "1" && clientField(client, "psub") == "0";
        if (!isOfOne || name.size() <= suffix.size() || !name.endsWith(suffix))
            continue;
        locks.append({name.chopped(suffix.size()), clientField(client, "addr"),
                      std::chrono::seconds(clientField(client, "age").toLongLong())});
    }
    return locks;
}

} // namespace lockscope
