// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/reachableaddress.h"

namespace lockscope {

ServerAddress reachableAddress(const NodeAddress &node, const ServerAddress &given,
                               const ServerAddress &teller)
{
    const bool isByPath = teller.transport == ServerAddress::Transport::Unix;
    if (node.host.isEmpty() && isByPath) // a cluster of one, which knows no address of its own
        return teller;
    ServerAddress address = given;
    if (given.transport == ServerAddress::Transport::Unix)
        address.transport = ServerAddress::Transport::Tcp;
    address.socketPath.clear();
    address.clearSentinels();
    address.host = node.host.isEmpty() ? teller.host : node.host;
    address.port = node.port;
    const QHash<QString, QString> &map = given.nodeAddresses;
    const QString announced = NodeAddress{address.host, address.port}.toDisplayString();
    if (const auto exact = map.constFind(announced); exact != map.constEnd()) {
        if (const auto reached = NodeAddress::parse(exact->toUtf8())) {
            address.host = reached->host;
            address.port = reached->port;
        }
    } else if (const auto host = map.constFind(address.host); host != map.constEnd()) {
        address.host = *host;
    }
    return address;
}

} // namespace lockscope
