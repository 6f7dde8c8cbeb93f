// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/redirection.h"

namespace lockscope {

std::optional<Redirection> Redirection::parse(QByteArrayView text)
{
    const QList<QByteArray> words = text.toByteArray().split(' ');
    if (words.size() != 3 || (words[0] != "MOVED" && words[0] != "ASK"))
        return std::nullopt;
    bool isNumber = false;
    const int slot = words[1].toInt(&isNumber);
    const std::optional<NodeAddress> to = NodeAddress::parse(words[2]);
    if (!isNumber || slot < 0 || slot >= slotCount || !to)
        return std::nullopt;
    return Redirection{words[0] == "ASK" ? Kind::Ask : Kind::Moved, slot, *to};
}

} // namespace lockscope
